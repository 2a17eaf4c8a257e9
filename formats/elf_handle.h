// libelf's descriptor, closed when its holder goes.
#pragma once

#include <libelf.h>

#include <memory>

namespace tessera::formats {

struct ElfEnd {
  void operator()(Elf* elf) const { elf_end(elf); }
};
using ElfHandle = std::unique_ptr<Elf, ElfEnd>;

}  // namespace tessera::formats
