#include "inspect/trace/compression.h"

#include <zstd.h>

#include <new>

namespace tessera::inspect::trace {
namespace {

constexpr int kLevel = 3;
constexpr uint64_t kMostBytes = 1ull << 32;  // of a section; more is damage

}  // namespace

Compressor::Compressor() : context_(ZSTD_createCCtx(), ZSTD_freeCCtx) {
  if (!context_) throw std::bad_alloc();
}

void Compressor::put(Bytes& out, std::span<const uint8_t> raw) {
  put_varint(out, raw.size());
  if (raw.empty()) return;
  if (const size_t most = ZSTD_compressBound(raw.size()); frame_.size() < most) frame_.resize(most);
  const size_t bytes = ZSTD_compressCCtx(context_.get(), frame_.data(), frame_.size(), raw.data(), raw.size(), kLevel);
  if (ZSTD_isError(bytes)) throw DamagedBytes(std::string("it cannot be compressed: ") + ZSTD_getErrorName(bytes));
  put_varint(out, bytes);
  out.insert(out.end(), frame_.begin(), frame_.begin() + static_cast<std::ptrdiff_t>(bytes));
}

Bytes take_compressed(ByteReader& in) {
  const uint64_t raw_bytes = in.varint();
  if (raw_bytes == 0) return {};
  const auto frame = in.take(in.varint());
  if (raw_bytes > kMostBytes) throw DamagedBytes("it holds a section of an impossible size");
  Bytes raw(raw_bytes);
  const size_t bytes = ZSTD_decompress(raw.data(), raw.size(), frame.data(), frame.size());
  if (ZSTD_isError(bytes) || bytes != raw_bytes) throw DamagedBytes("it holds a section that cannot be decompressed");
  return raw;
}

void skip_compressed(ByteReader& in) {
  if (in.varint() != 0) in.take(in.varint());
}

}  // namespace tessera::inspect::trace
