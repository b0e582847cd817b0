// Runs a source in a thread of its own, ahead of whoever reads it by up to a ring of blocks.
#ifndef TAMIS_TOOLS_READ_AHEAD_H_
#define TAMIS_TOOLS_READ_AHEAD_H_

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "source.h"

namespace tamis::command {

/// A source whose Read, waiting in another thread, can be told to give up.
class StoppableSource : public Source {
 public:
  void Stop() { stop_ = true; }

 protected:
  std::atomic<bool> stop_ = false;
};

class ReadAhead : public Source {
 public:
  explicit ReadAhead(std::unique_ptr<StoppableSource> source);
  ~ReadAhead() override;

  size_t Read(char* into, size_t bytes) override;
  /// Waits until there is text, or none for now, and says which.
  bool Ready() override;
  uint64_t consumed() const override { return source_->consumed(); }

 private:
  // Small enough to lie in a cache that the cores share, large enough to smooth the work.
  static constexpr size_t kBlockBytes = size_t{128} << 10;
  static constexpr size_t kBlocks = 16;

  struct Block {
    std::vector<char> text;
    size_t size = 0;
  };

  void Run();
  void Fill(Block& block);

  std::unique_ptr<StoppableSource> source_;
  std::vector<Block> blocks_;
  size_t taken_ = 0;  // of the oldest block, what Read has given out; only Read looks

  std::mutex mutex_;
  std::condition_variable moved_;
  uint64_t filled_ = 0;   // blocks, since the beginning
  uint64_t emptied_ = 0;  // the same
  bool starved_ = false;  // the thread waits for the other end of a pipe
  bool ended_ = false;
  bool stopping_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_READ_AHEAD_H_
