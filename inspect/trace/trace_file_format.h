// Bodies of the records that are not blocks, for reader and writer of the file.
#pragma once

#include "inspect/trace/trace_file.h"

namespace tessera::inspect::trace {

constexpr size_t kRecordHead = 16;    // kind u32, CRC-32 of kind, length and body u32, length u64
constexpr size_t kTrailerBytes = 16;  // offset of the index record u64, kEndMagic

uint32_t record_digest(RecordKind, std::span<const uint8_t> body);
Bytes encode_header(const Header&);
Header decode_header(std::span<const uint8_t>);
Bytes encode_index(const std::vector<IndexEntry>&, const EndInfo&);
EndInfo decode_index(std::span<const uint8_t>, std::vector<IndexEntry>&);

}  // namespace tessera::inspect::trace
