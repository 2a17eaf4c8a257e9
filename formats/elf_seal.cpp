#include "formats/elf_seal.h"

#include <algorithm>

#include "formats/fnv.h"

namespace tessera::formats {
namespace {

constexpr size_t kAt = 9, kBytes = 7;  // EI_PAD and what is left of e_ident

// Of the file with zeros in place of the seal; never zero.
uint64_t digest_without_seal(std::span<const uint8_t> file) {
  Fnv all;
  all.number(digest(file.first(kAt))).number(digest(file.subspan(kAt + kBytes))).number(file.size());
  const uint64_t low = all.value() & ((1ull << 8 * kBytes) - 1);
  return low == 0 ? 1 : low;
}

}  // namespace

void seal_elf(std::span<uint8_t> file) {
  const uint64_t seal = digest_without_seal(file);
  for (size_t i = 0; i < kBytes; ++i) file[kAt + i] = static_cast<uint8_t>(seal >> 8 * i);
}

bool elf_is_whole(std::span<const uint8_t> file) {
  const auto seal = file.subspan(kAt, kBytes);
  if (std::all_of(seal.begin(), seal.end(), [](uint8_t byte) { return byte == 0; })) return true;
  uint64_t found = 0;
  for (size_t i = kBytes; i-- > 0;) found = found << 8 | seal[i];
  return found == digest_without_seal(file);
}

}  // namespace tessera::formats
