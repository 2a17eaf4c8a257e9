// Compressed byte strings: varint raw size, varint compressed size, a zstd frame.
#pragma once

#include "inspect/trace/format.h"

namespace tessera::inspect::trace {

void put_compressed(Bytes& out, std::span<const uint8_t> raw);
Bytes take_compressed(ByteReader&);  // throws DamagedBytes
void skip_compressed(ByteReader&);

}  // namespace tessera::inspect::trace
