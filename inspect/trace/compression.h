// Compressed byte strings: varint raw size, varint compressed size, a zstd frame.
#pragma once

#include <memory>

#include "inspect/trace/format.h"

struct ZSTD_CCtx_s;

namespace tessera::inspect::trace {

// Keeps what it works in from one string to the next.
class Compressor {
 public:
  Compressor();
  void put(Bytes& out, std::span<const uint8_t> raw);

 private:
  std::unique_ptr<ZSTD_CCtx_s, size_t (*)(ZSTD_CCtx_s*)> context_;
  Bytes frame_;
};

Bytes take_compressed(ByteReader&);  // throws DamagedBytes
void skip_compressed(ByteReader&);

}  // namespace tessera::inspect::trace
