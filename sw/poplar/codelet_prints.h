// What a program's codelets print, fetched while the chip stands.
#pragma once

#include <string>

#include "compiler/image/executable.h"
#include "formats/elf.h"
#include "rtl/spec/machine.h"
#include "sw/card/printed.h"

namespace tessera::runtime {

class CodeletPrints {
 public:
  // `executable` must outlive it.
  CodeletPrints(const image::Executable& executable, const spec::Machine& machine);

  bool any() const { return !tiles_.empty(); }
  // In the order of tiles and contexts, with a line for what found no room. All tiles have settled.
  std::string take(card::Client& client) const;

 private:
  std::vector<uint32_t> tiles_;
  formats::ElfFile elf_{};
  card::PrintPlaces places_;
};

}  // namespace tessera::runtime
