// Files are written whole or not at all (F9), and paths that are no files are refused (C3).
#include "tamis/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include "file_test_helpers.h"

namespace tamis {
namespace {

using testing::ExpectRefused;
using testing::Holding;
using testing::ReadFile;
using testing::SmallFilter;
using testing::TempDir;
using testing::WriteFile;

Filter LargerFilter() { return Holding(5000, Filter({.spec = {.blocks = 20'000}})); }

mode_t ModeOf(const std::string& path) {
  struct stat status = {};
  EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 0777;
}

TEST(FileCases, F9_SavingOverALongerFileLeavesNoTail) {
  const TempDir dir;
  Save(LargerFilter(), dir / "f");
  Save(SmallFilter(), dir / "f");
  EXPECT_EQ(ReadFile(dir / "f"), testing::FilterImage(SmallFilter()));
  EXPECT_EQ(dir.Names(), std::vector<std::string>{"f"});
}

TEST(AtomicFileTest, APartialFileStaysAndIsGoneOnWith) {
  const TempDir dir;
  const std::string path = dir / "f";
  WriteFile(path, "old");
  {
    AtomicFile file(path, 0);
    file.Append("kept, and cut off");
    file.Sync();
  }
  EXPECT_EQ(PartialName(path), path + ".partial");
  EXPECT_EQ(ReadFile(path), "old");
  EXPECT_EQ(ReadFile(PartialName(path)), "kept, and cut off");
  ExpectRefused([&] { const AtomicFile file(path, 18); }, {"17 bytes", "18"});
  AtomicFile file(path, 4);
  EXPECT_EQ(file.size(), 4U);
  file.Append(" on");
  file.Commit();
  EXPECT_EQ(ReadFile(path), "kept on");
  EXPECT_EQ(dir.Names(), std::vector<std::string>{"f"});
  EXPECT_THROW(AtomicFile(path, 1), FileError);  // there is none to go on with
}

TEST(FileCases, F9_AWriterKilledAnywhereLeavesAWholeFile) {
  const TempDir dir;
  const std::string path = dir / "f";
  const Filter small = SmallFilter();
  const Filter larger = LargerFilter();
  Save(small, path);
  std::mt19937 random(9);
  for (int round = 0; round < 40; ++round) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      for (;;) {
        Save(larger, path);
        Save(small, path);
      }
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 20'000));
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the writer ended by itself";
    const Filter left = LoadFilter(path);
    const Filter& one = left.spec() == small.spec() ? small : larger;
    ASSERT_EQ(left.plan(), one.plan());
    ASSERT_TRUE(std::ranges::equal(left.bytes(), one.bytes()));
  }
}

TEST(FileCases, F9_AWriteThatFailsLeavesTheOldFileAndNothingElse) {
  const TempDir dir;
  const std::string path = dir / "f";
  Save(SmallFilter(), path);
  const std::string before = ReadFile(path);
  rlimit old = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);  // then write() says EFBIG
  const rlimit small = {.rlim_cur = 100'000, .rlim_max = old.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  std::string message;
  try {
    Save(LargerFilter(), path);
  } catch (const FileError& error) {
    message = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(message, path + ": cannot write: File too large");
  EXPECT_EQ(ReadFile(path), before);
  EXPECT_EQ(dir.Names(), std::vector<std::string>{"f"});
}

TEST(FileCases, F9_AFilterSavesOverTheFileItIsMappedFrom) {
  const TempDir dir;
  const std::string path = dir / "f";
  const Filter larger = LargerFilter();
  Save(larger, path);
  const std::string before = ReadFile(path);
  const Filter mapped = LoadFilter(path, LoadMode::kMap);
  Save(mapped, path);
  EXPECT_EQ(ReadFile(path), before);
  Save(SmallFilter(), path);
  EXPECT_TRUE(std::ranges::equal(mapped.bytes(), larger.bytes()));
}

TEST(FileCases, C3_PathsThatAreNoFilesAreRefusedInOneLine) {
  const TempDir dir;
  ExpectRefused(dir / "missing", {"No such file"});
  ExpectRefused(dir.path(), {"is a directory"});
  ASSERT_EQ(mkfifo((dir / "pipe").c_str(), 0600), 0);
  ExpectRefused(dir / "pipe", {"is no regular file"});  // at once, with nobody at the other end
  ExpectRefused("/dev/null", {"is no regular file"});

  const Filter filter = SmallFilter();
  const auto expect_unsaved = [&](const std::string& path, const std::string& part) {
    ExpectRefused([&] { Save(filter, path); }, {path, part});
  };
  expect_unsaved(dir.path(), "is a directory");
  expect_unsaved(dir / "missing/f", "No such file");
  expect_unsaved(dir / "pipe", "no regular file");
  expect_unsaved("/dev/null", "no regular file");
  expect_unsaved("", "names no file");
  expect_unsaved(dir / "missing/", "names no file");
}

TEST(FileCases, C3_AnUnreadableFileIsRefusedInOneLine) {
  const TempDir dir;
  Save(SmallFilter(), dir / "f");
  ASSERT_EQ(chmod((dir / "f").c_str(), 0), 0);
  ASSERT_EQ(chmod(dir.path().c_str(), 0755), 0);
  const bool root = geteuid() == 0;
  ASSERT_TRUE(!root || seteuid(65534) == 0);  // root may read everything
  ExpectRefused(dir / "f", {"Permission denied"});
  ExpectRefused([&] { Save(SmallFilter(), "/proc/f"); }, {"/proc/f: cannot create"});
  ASSERT_TRUE(!root || seteuid(0) == 0);
}

TEST(AtomicFile, WithoutCommitNothingHappens) {
  const TempDir dir;
  WriteFile(dir / "old", "old");
  {
    AtomicFile out(dir / "old");
    out.Append("new");
    EXPECT_EQ(dir.Names().size(), 2U);
  }
  EXPECT_EQ(ReadFile(dir / "old"), "old");
  EXPECT_EQ(dir.Names(), std::vector<std::string>{"old"});
}

TEST(AtomicFile, AppendsAndWritesOver) {
  const TempDir dir;
  AtomicFile out(dir / "f");
  out.Append("HEAD");
  out.Append(" and body");
  out.WriteAt(0, std::as_bytes(std::span("head", 4)));
  EXPECT_EQ(out.size(), 13U);
  out.Commit();
  EXPECT_EQ(ReadFile(dir / "f"), "head and body");
}

TEST(AtomicFile, ModeIsThatOfTheOldFileOrOfTheUmask) {
  const TempDir dir;
  const mode_t umask_before = umask(027);
  AtomicFile(dir / "new").Commit();
  EXPECT_EQ(ModeOf(dir / "new"), 0640U);
  chmod((dir / "new").c_str(), 0606);
  AtomicFile(dir / "new").Commit();
  EXPECT_EQ(ModeOf(dir / "new"), 0606U);
  umask(umask_before);
}

TEST(AtomicFile, FollowsSymbolicLinksAndTakesLongNames) {
  const TempDir dir;
  const std::string name(255, 'n');
  WriteFile(dir / name, "old");
  std::filesystem::create_symlink(name, dir / "link");
  AtomicFile out(dir / "link");
  out.Append("new");
  out.Commit();
  EXPECT_EQ(ReadFile(dir / name), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(dir / "link"));
}

}  // namespace
}  // namespace tamis
