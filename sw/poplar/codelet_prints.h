// What the codelets of one chip's program print, fetched while the chip stands.
#pragma once

#include <string>

#include "compiler/image/executable.h"
#include "formats/elf.h"
#include "rtl/spec/machine.h"
#include "sw/card/printed.h"

namespace tessera::runtime {

class CodeletPrints {
 public:
  // `chip` must outlive it.
  CodeletPrints(const image::ChipImage& chip, const spec::Machine& machine);

  bool any() const { return !tiles_.empty(); }
  // From the chip that is chosen, one of so many: in the order of tiles and contexts, with a line for what found no
  // room. All its tiles have settled.
  std::string take(card::Client& client, uint32_t chips) const;

 private:
  std::vector<uint32_t> tiles_;
  formats::ElfFile elf_{};
  card::PrintPlaces places_;
};

}  // namespace tessera::runtime
