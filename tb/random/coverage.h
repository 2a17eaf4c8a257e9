// How often each instruction was seen to retire, and how much in each context.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "rtl/spec/instructions.h"
#include "sim/port/chip.h"

namespace tessera::test {

class Coverage : public chip::Observer {
 public:
  void retire(unsigned, const chip::Retire& r) override {
    ++retired_;
    ++contexts_[r.context % contexts_.size()];
    const auto opcode = spec::decode(r.instruction);
    if (opcode != spec::Opcode::Illegal) ++hits_[static_cast<unsigned>(opcode)];
  }
  uint64_t retired() const { return retired_; }
  uint64_t hits(spec::Opcode opcode) const { return hits_[static_cast<unsigned>(opcode)]; }
  uint64_t context(unsigned number) const { return contexts_[number]; }
  // One line for every instruction below `least`; empty when there is none.
  std::string below(uint64_t least) const {
    std::string lines;
    for (unsigned n = 0; n < spec::kOpcodes; ++n)
      if (hits_[n] < least)
        lines += std::string(spec::info(static_cast<spec::Opcode>(n)).mnemonic) + " " + std::to_string(hits_[n]) + "\n";
    return lines;
  }

 private:
  uint64_t retired_ = 0;
  std::array<uint64_t, spec::kOpcodes> hits_{};
  std::array<uint64_t, 7> contexts_{};
};

}  // namespace tessera::test
