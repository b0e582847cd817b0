// make_urls: a list of URLs like that of a crawl, for examples and benchmarks.
//
// A URL is a function of its number (0, 1, 2, ...), and no two numbers give the same one. Each line
// is either the next number or, with a chance of --repeat, one that came before. So the list needs
// no memory of what it holds, and its number of distinct lines is known: the summary says it.
//
//   hosts    of number i: by rank, 1 to 2^20, with chances close to Zipf's law (rank r has a chance
//            in proportion to 1/r): first an octave of ranks, each with the same chance, then a
//            rank inside it
//   repeats  three of four go back to any number with the same chance, the fourth to a favourite:
//            by the same law, most often to number 0
//   length   59 bytes on average, 31 to 86
//
// Only integers and a generator of our own (splitmix64): the list is the same on every machine.

#include <CLI/CLI.hpp>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

/// Sebastiano Vigna's splitmix64, its output for a state of `x`.
constexpr uint64_t Mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// A stream of random numbers.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(Mix(seed)) {}

  uint64_t Next() { return Mix(state_++); }

  /// 0 to limit - 1, for a limit of 1 to 2^32.
  uint64_t Below(uint64_t limit) { return ((Next() >> 32) * limit) >> 32; }

  /// 1 to limit, r with a chance in proportion to 1 / r, roughly.
  uint64_t Zipf(uint64_t limit) {
    for (;;) {
      const uint64_t octave = uint64_t{1} << Below(std::bit_width(limit));
      const uint64_t rank = octave + Below(octave);
      if (rank <= limit) return rank;
    }
  }

 private:
  uint64_t state_;
};

constexpr std::array<std::string_view, 8> kPrefixes = {
    "https://www.",  "https://www.", "https://",      "http://",
    "https://blog.", "https://en.",  "https://shop.", "https://m."};
constexpr std::array<std::string_view, 8> kSuffixes = {".com/", ".com/", ".com/",   ".org/",
                                                       ".net/", ".de/",  ".co.uk/", ".io/"};
constexpr std::array<std::string_view, 8> kSections = {
    "news/", "article/", "products/", "p/", "forum/thread-", "wiki/", "2024/11/", "tag/"};
constexpr std::array<std::string_view, 32> kWords = {
    "river", "stone",  "market", "open",  "cloud",  "garden", "night", "silver",
    "north", "travel", "music",  "craft", "simple", "winter", "paper", "green",
    "light", "story",  "health", "metal", "photo",  "bridge", "home",  "ocean",
    "coast", "daily",  "school", "field", "record", "game",   "sun",   "tech"};

constexpr size_t kMaxLine = 96;

/// Writes URLs into a buffer of the caller's.
class Line {
 public:
  explicit Line(char* at) : at_(at) {}

  void Add(std::string_view text) {
    std::memcpy(at_, text.data(), text.size());
    at_ += text.size();
  }
  void Add(char c) { *at_++ = c; }

  /// In base 36.
  void Add(uint64_t number) {
    std::array<char, 13> digits;
    size_t first = digits.size();
    do {
      digits[--first] = "0123456789abcdefghijklmnopqrstuvwxyz"[number % 36];
      number /= 36;
    } while (number != 0);
    Add(std::string_view(digits.data() + first, digits.size() - first));
  }

  char* end() const { return at_; }

 private:
  char* at_;
};

/// URL number `i` of the list with this seed, and a line's end. Returns where it stops.
char* WriteUrl(uint64_t i, uint64_t seed, char* at) {
  Random random(seed ^ Mix(i));
  Line line(at);

  const uint64_t rank = random.Zipf(uint64_t{1} << 20);
  const uint64_t host = Mix(rank);
  line.Add(kPrefixes[host % 8]);
  line.Add(kWords[host >> 3 & 31]);
  line.Add(kWords[host >> 8 & 31]);
  line.Add(rank);  // so that no two ranks share a host
  line.Add(kSuffixes[host >> 13 & 7]);

  uint64_t bits = random.Next();
  line.Add(kSections[bits & 7]);
  bits >>= 3;
  for (uint64_t words = 1 + (bits & 3); words > 0; --words) {
    bits >>= 5;
    line.Add(kWords[bits & 31]);
    line.Add('-');
  }
  // An odd factor permutes the numbers below 2^40: scattered digits, and different for each i.
  line.Add((i * 0x9e3779b97f4a7c15) & ((uint64_t{1} << 40) - 1));
  line.Add('\n');
  return line.end();
}

struct Options {
  uint64_t lines = 10'000'000;
  double repeat = 0.5;
  uint64_t seed = 1;
  std::string output;
};

/// Returns the number of distinct lines, or stops the program if they cannot be written.
uint64_t WriteList(const Options& options, std::FILE* file) {
  std::vector<char> buffer(1 << 20);
  char* const full = buffer.data() + buffer.size() - kMaxLine;
  char* at = buffer.data();
  const auto flush = [&] {
    const auto size = static_cast<size_t>(at - buffer.data());
    if (std::fwrite(buffer.data(), 1, size, file) != size) {
      std::perror("make_urls: cannot write");
      std::exit(1);
    }
    at = buffer.data();
  };

  Random random(options.seed);
  const auto repeat = static_cast<uint64_t>(options.repeat * 4294967296.0);
  uint64_t distinct = 0;
  for (uint64_t i = 0; i < options.lines; ++i) {
    uint64_t number = distinct;
    if (distinct > 0 && random.Next() >> 32 < repeat) {
      number = random.Below(4) != 0 ? random.Below(distinct) : random.Zipf(distinct) - 1;
    } else {
      ++distinct;
    }
    at = WriteUrl(number, options.seed, at);
    if (at >= full) flush();
  }
  flush();
  return distinct;
}

}  // namespace

int main(int argc, char** argv) try {
  Options options;
  CLI::App app("Makes a list of URLs like that of a crawl, the same on every machine.");
  app.add_option("--lines", options.lines, "How many lines; k, M and G stand for thousands, ...")
      ->transform(CLI::AsNumberWithUnit(
          std::map<std::string, uint64_t>{{"k", 1'000}, {"M", 1'000'000}, {"G", 1'000'000'000}},
          CLI::AsNumberWithUnit::CASE_SENSITIVE))
      ->check(CLI::Range(uint64_t{0}, uint64_t{4'000'000'000}))
      ->capture_default_str();
  app.add_option("--repeat", options.repeat, "Share of lines that came before, 0 to 1")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--seed", options.seed, "Another seed, another list")->capture_default_str();
  app.add_option("-o,--output", options.output, "File to write, rather than standard output");
  CLI11_PARSE(app, argc, argv);

  std::FILE* file = stdout;
  if (!options.output.empty()) file = std::fopen(options.output.c_str(), "wb");
  if (file == nullptr) {
    std::perror(("make_urls: " + options.output).c_str());
    return 1;
  }
  const uint64_t distinct = WriteList(options, file);
  if (std::fclose(file) != 0) {
    std::perror("make_urls: cannot write");
    return 1;
  }
  std::fprintf(stderr, "make_urls: %llu lines, %llu distinct\n",
               static_cast<unsigned long long>(options.lines),
               static_cast<unsigned long long>(distinct));
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "make_urls: %s\n", error.what());
  return 1;
}
