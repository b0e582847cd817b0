// xz by liblzma.

#include <lzma.h>

#include <vector>

#include "codec.h"

namespace tamis::command {

namespace {

const uint8_t* Bytes(std::string_view text) {
  return reinterpret_cast<const uint8_t*>(text.data());
}

class Decompress : public Decoder {
 public:
  Decompress() { Start(); }
  ~Decompress() override { lzma_end(&stream_); }

  Step Decode(std::string_view in, std::span<char> out) override {
    stream_.next_in = Bytes(in);
    stream_.avail_in = in.size();
    stream_.next_out = reinterpret_cast<uint8_t*>(out.data());
    stream_.avail_out = out.size();
    const lzma_ret code = lzma_code(&stream_, LZMA_RUN);
    if (code == LZMA_MEM_ERROR) throw std::bad_alloc();
    // With nothing to take or nowhere to put it there is no progress, which is no damage.
    if (code != LZMA_OK && code != LZMA_STREAM_END && code != LZMA_BUF_ERROR) {
      throw Damaged{code == LZMA_FORMAT_ERROR ? "this is no xz stream"
                                              : "the compressed data are damaged"};
    }
    return {.consumed = in.size() - stream_.avail_in,
            .produced = out.size() - stream_.avail_out,
            .ended = code == LZMA_STREAM_END};
  }

  void Restart() override { Start(); }

 private:
  void Start() {
    if (lzma_stream_decoder(&stream_, UINT64_MAX, 0) != LZMA_OK) throw std::bad_alloc();
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
};

class Compress : public Encoder {
 public:
  Compress() : out_(size_t{64} << 10) { Start(); }
  ~Compress() override { lzma_end(&stream_); }

  void Append(std::string_view text, const Sink& sink) override {
    stream_.next_in = Bytes(text);
    stream_.avail_in = text.size();
    while (stream_.avail_in > 0) Run(LZMA_RUN, sink);
  }

  void Finish(const Sink& sink) override {
    while (Run(LZMA_FINISH, sink) != LZMA_STREAM_END) {
    }
    Start();
  }

 private:
  void Start() {
    if (lzma_easy_encoder(&stream_, LZMA_PRESET_DEFAULT, LZMA_CHECK_CRC64) != LZMA_OK) {
      throw std::bad_alloc();
    }
  }

  lzma_ret Run(lzma_action action, const Sink& sink) {
    stream_.next_out = out_.data();
    stream_.avail_out = out_.size();
    const lzma_ret code = lzma_code(&stream_, action);
    if (code != LZMA_OK && code != LZMA_STREAM_END) throw Damaged{"cannot compress"};
    sink({reinterpret_cast<const char*>(out_.data()), out_.size() - stream_.avail_out});
    return code;
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
  std::vector<uint8_t> out_;
};

}  // namespace

std::unique_ptr<Decoder> XzDecoder() { return std::make_unique<Decompress>(); }
std::unique_ptr<Encoder> XzEncoder() { return std::make_unique<Compress>(); }

}  // namespace tamis::command
