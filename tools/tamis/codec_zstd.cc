// Zstandard (RFC 8878) by its own library.

#include <zstd.h>

#include <vector>

#include "codec.h"

namespace tamis::command {

namespace {

struct Free {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

class Decompress : public Decoder {
 public:
  Decompress() : context_(ZSTD_createDCtx()) {
    if (context_ == nullptr) throw std::bad_alloc();
  }

  Step Decode(std::string_view in, std::span<char> out) override {
    ZSTD_inBuffer from = {in.data(), in.size(), 0};
    ZSTD_outBuffer into = {out.data(), out.size(), 0};
    const size_t left = ZSTD_decompressStream(context_.get(), &into, &from);
    if (ZSTD_isError(left) != 0) throw Damaged{ZSTD_getErrorName(left)};
    return {.consumed = from.pos, .produced = into.pos, .ended = left == 0};
  }

  void Restart() override { ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only); }

 private:
  std::unique_ptr<ZSTD_DCtx, Free> context_;
};

class Compress : public Encoder {
 public:
  Compress() : context_(ZSTD_createCCtx()), out_(ZSTD_CStreamOutSize()) {
    if (context_ == nullptr) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
    // A thread of the library's own; one without threads refuses, and compresses in ours.
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_nbWorkers, 1);
  }

  void Append(std::string_view text, const Sink& sink) override {
    Run(text, ZSTD_e_continue, sink);
  }
  void Finish(const Sink& sink) override { Run({}, ZSTD_e_end, sink); }

 private:
  void Run(std::string_view text, ZSTD_EndDirective directive, const Sink& sink) {
    ZSTD_inBuffer from = {text.data(), text.size(), 0};
    for (;;) {
      ZSTD_outBuffer into = {out_.data(), out_.size(), 0};
      const size_t left = ZSTD_compressStream2(context_.get(), &into, &from, directive);
      if (ZSTD_isError(left) != 0) throw Damaged{ZSTD_getErrorName(left)};
      if (into.pos > 0) sink({out_.data(), into.pos});
      if (directive == ZSTD_e_end ? left == 0 : from.pos == from.size) return;
    }
  }

  std::unique_ptr<ZSTD_CCtx, Free> context_;
  std::vector<char> out_;
};

}  // namespace

std::unique_ptr<Decoder> ZstdDecoder() { return std::make_unique<Decompress>(); }
std::unique_ptr<Encoder> ZstdEncoder() { return std::make_unique<Compress>(); }

}  // namespace tamis::command
