#include "sim/port/flip.h"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"
#include "rtl/spec/register_names.h"
#include "rtl/spec/tile_state.h"

namespace tessera::chip {

uint32_t kept_bits(uint16_t csr, unsigned context) {
  const auto* info = spec::csr_info(csr);
  if (info == nullptr) return 0;
  const bool supervisor = context == 0;
  if (info->who != spec::Who::Both && (info->who == spec::Who::Supervisor) != supervisor) return 0;
  return spec::kept_bits(static_cast<spec::Csr>(csr));
}

void check_flip(const spec::Machine& machine, const Flip& flip) {
  const auto require = [](bool there, const std::string& what) {
    if (!there) throw std::out_of_range("fault: there is no " + what);
  };
  require(flip.tile < machine.tiles(), fmt::format("tile {} in {}", flip.tile, machine.name));
  require(flip.context <= machine.workers, fmt::format("context {}", flip.context));
  uint64_t kept = flip.site == FlipSite::kFloat ? ~0ull : 0xffffffff;
  const auto name = [&] {
    return flip.address >= 32
               ? std::to_string(flip.address)
               : spec::register_name({flip.site == FlipSite::kFloat, static_cast<uint8_t>(flip.address)});
  };
  switch (flip.site) {
    case FlipSite::kMemory:
      require(flip.address - machine.memory_base < machine.memory_bytes && flip.address % 4 == 0,
              fmt::format("memory word at {:#x}", flip.address));
      break;
    case FlipSite::kInteger:
      require(flip.address >= 1 && flip.address < 32, "register " + name() + " to flip");
      break;
    case FlipSite::kFloat:
      require(flip.address < 32 && flip.context != 0, fmt::format("register {} in context {}", name(), flip.context));
      break;
    case FlipSite::kCsr:
      kept = kept_bits(static_cast<uint16_t>(flip.address), flip.context);
      require(kept != 0, fmt::format("CSR {:#x} to flip in context {}", flip.address, flip.context));
      break;
    default:
      break;
  }
  if ((flip.mask & ~kept) != 0)
    throw std::out_of_range(fmt::format("fault: there are no such bits ({:#x}) in {}", flip.mask & ~kept,
                                        flip.site == FlipSite::kCsr      ? "this CSR"
                                        : flip.site == FlipSite::kMemory ? "memory words"
                                                                         : "this register or word"));
}

}  // namespace tessera::chip
