// The worker routine for copies inside a tile, and its tables.
//
// A worker is started with CSR xvbase at a head {entries, count}: the address of its first entry and how many it has.
// An entry is six words: target, source, bytes, count, target step, source step, as in LocalCopy (local_copy.h). Copies
// whose addresses and sizes are all multiples of 4 go by words, four at a time, or 64 bits an instruction where source
// and target lie alike to 8 bytes; others by bytes. Two kinds of copies of single words have loops of their own: bytes
// 0: strided words; count 0: the word at the source fills `bytes` bytes. The routine needs no stack.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/passes/exchange/local_copy.h"

namespace tessera::compiler {

constexpr std::uint32_t kCopyHeadBytes = 8, kCopyEntryBytes = 24;

// How an entry is written.
enum class EntryKind { kRuns, kWords, kFill };
EntryKind entry_kind(const LocalCopy& copy);

// The machine code; runs at any 4-aligned address.
std::vector<std::uint32_t> copy_routine();

// Splits copies of one tile among six workers so that each has about the same to do.
std::vector<std::vector<LocalCopy>> split_among_workers(const LocalCopy* first, const LocalCopy* last);

}  // namespace tessera::compiler
