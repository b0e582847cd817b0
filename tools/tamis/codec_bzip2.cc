// bzip2 by its own library.

#include <bzlib.h>

#include <algorithm>
#include <vector>

#include "codec.h"

namespace tamis::command {

namespace {

unsigned Most(size_t bytes) {
  constexpr size_t kMost = size_t{1} << 30;
  return static_cast<unsigned>(std::min(bytes, kMost));
}

char* Bytes(std::string_view text) {
  return const_cast<char*>(text.data());  // the library's input is not const
}

class Decompress : public Decoder {
 public:
  Decompress() { Start(); }
  ~Decompress() override { BZ2_bzDecompressEnd(&stream_); }

  Step Decode(std::string_view in, std::span<char> out) override {
    const unsigned given = Most(in.size());
    const unsigned room = Most(out.size());
    stream_.next_in = Bytes(in);
    stream_.avail_in = given;
    stream_.next_out = out.data();
    stream_.avail_out = room;
    const int code = BZ2_bzDecompress(&stream_);
    if (code == BZ_MEM_ERROR) throw std::bad_alloc();
    if (code != BZ_OK && code != BZ_STREAM_END) {
      throw Damaged{code == BZ_DATA_ERROR_MAGIC ? "this is no bzip2 stream"
                                                : "the compressed data are damaged"};
    }
    return {.consumed = given - stream_.avail_in,
            .produced = room - stream_.avail_out,
            .ended = code == BZ_STREAM_END};
  }

  void Restart() override {
    BZ2_bzDecompressEnd(&stream_);
    Start();
  }

 private:
  void Start() {
    stream_ = {};
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
  }

  bz_stream stream_ = {};
};

class Compress : public Encoder {
 public:
  Compress() : out_(size_t{64} << 10) { Start(); }
  ~Compress() override { BZ2_bzCompressEnd(&stream_); }

  void Append(std::string_view text, const Sink& sink) override {
    while (!text.empty()) {
      const unsigned some = Most(text.size());
      stream_.next_in = Bytes(text);
      stream_.avail_in = some;
      while (stream_.avail_in > 0) Run(BZ_RUN, sink);
      text.remove_prefix(some);
    }
  }

  void Finish(const Sink& sink) override {
    while (Run(BZ_FINISH, sink) != BZ_STREAM_END) {
    }
    BZ2_bzCompressEnd(&stream_);
    Start();
  }

 private:
  void Start() {
    constexpr int kBlocksOf900k = 9;
    stream_ = {};
    if (BZ2_bzCompressInit(&stream_, kBlocksOf900k, 0, 0) != BZ_OK) throw std::bad_alloc();
  }

  int Run(int action, const Sink& sink) {
    stream_.next_out = out_.data();
    stream_.avail_out = static_cast<unsigned>(out_.size());
    const int code = BZ2_bzCompress(&stream_, action);
    if (code < 0) throw Damaged{"cannot compress"};
    sink({out_.data(), out_.size() - stream_.avail_out});
    return code;
  }

  bz_stream stream_ = {};
  std::vector<char> out_;
};

}  // namespace

std::unique_ptr<Decoder> Bzip2Decoder() { return std::make_unique<Decompress>(); }
std::unique_ptr<Encoder> Bzip2Encoder() { return std::make_unique<Compress>(); }

}  // namespace tamis::command
