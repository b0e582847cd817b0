#include "formats/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>

#include "tamis/error.h"

namespace tamis {

namespace {

constexpr int kGzipWindow = 15 + 16;  // the largest window, gzip's header and trailer
constexpr size_t kPiece = size_t{64} << 10;
constexpr size_t kMostAtOnce = size_t{1} << 30;  // zlib counts in 32 bits

Bytef* Writable(const std::byte* bytes) {
  return const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes));  // zlib only reads it
}

}  // namespace

struct GzipReader::State {
  const InputFile& file;
  uint64_t at = 0;
  bool ended = false;  // between members
  z_stream stream = {};
  std::array<std::byte, kPiece> input;

  explicit State(const InputFile& source) : file(source) {
    if (inflateInit2(&stream, kGzipWindow) != Z_OK) throw std::bad_alloc();
  }
  ~State() { inflateEnd(&stream); }

  // Whether there is input, after reading more if need be.
  bool Fill() {
    if (stream.avail_in != 0) return true;
    const auto piece = std::span(input).first(std::min<uint64_t>(kPiece, file.size() - at));
    if (piece.empty()) return false;
    file.Read(at, piece);
    at += piece.size();
    stream.next_in = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_in = static_cast<uInt>(piece.size());
    return true;
  }
};

GzipReader::GzipReader(const InputFile& file) : state_(std::make_unique<State>(file)) {}
GzipReader::~GzipReader() = default;

// As many bytes as there are; none at the end.
size_t GzipReader::ReadSome(std::span<std::byte> into) {
  z_stream& stream = state_->stream;
  const std::string& path = state_->file.path();
  const size_t wanted = std::min(into.size(), kMostAtOnce);
  stream.next_out = reinterpret_cast<Bytef*>(into.data());
  stream.avail_out = static_cast<uInt>(wanted);
  while (stream.avail_out == wanted) {
    if (!state_->Fill()) {
      if (state_->ended) return 0;
      throw FileError(path + ": its gzip stream is cut short");
    }
    if (state_->ended) inflateReset(&stream);  // another member begins
    state_->ended = false;
    const int result = inflate(&stream, Z_NO_FLUSH);
    if (result == Z_STREAM_END) {
      state_->ended = true;
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      throw FileError(path + ": its gzip stream is damaged: " +
                      (stream.msg != nullptr ? stream.msg : "error " + std::to_string(result)));
    }
  }
  return wanted - stream.avail_out;
}

void GzipReader::Read(std::span<std::byte> into) {
  while (!into.empty()) {
    const size_t got = ReadSome(into);
    if (got == 0) throw FileError(state_->file.path() + ": what is compressed in it is cut short");
    into = into.subspan(got);
  }
}

std::string GzipReader::ReadRest(uint64_t most) {
  std::string rest;
  while (rest.size() < most) {
    const size_t had = rest.size();
    rest.resize(std::min<uint64_t>(most, had + kPiece));
    const size_t got = ReadSome(std::as_writable_bytes(std::span(rest).subspan(had)));
    rest.resize(had + got);
    if (got == 0) break;
  }
  return rest;
}

struct GzipWriter::State {
  AtomicFile& out;
  z_stream stream = {};
  std::array<std::byte, kPiece> output;

  explicit State(AtomicFile& file) : out(file) {
    constexpr int kMemory = 8;  // zlib's default
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemory,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~State() { deflateEnd(&stream); }
};

GzipWriter::GzipWriter(AtomicFile& out) : state_(std::make_unique<State>(out)) {}
GzipWriter::~GzipWriter() = default;

void GzipWriter::Run(std::span<const std::byte> bytes, int flush) {
  z_stream& stream = state_->stream;
  stream.next_in = Writable(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  int result = Z_OK;
  do {
    stream.next_out = reinterpret_cast<Bytef*>(state_->output.data());
    stream.avail_out = kPiece;
    result = deflate(&stream, flush);
    state_->out.Append(std::span(state_->output).first(kPiece - stream.avail_out));
  } while (stream.avail_out == 0 || (flush == Z_FINISH && result == Z_OK));
}

void GzipWriter::Append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(bytes.size(), kMostAtOnce));
    Run(piece, Z_NO_FLUSH);
    bytes = bytes.subspan(piece.size());
  }
}

void GzipWriter::Finish() { Run({}, Z_FINISH); }

}  // namespace tamis
