#include "random_faults.h"

#include "rtl/spec/instructions.h"
#include "victim_program.h"

namespace tessera::test {
namespace {

using chip::Flip;
using chip::FlipSite;

constexpr uint16_t kCsrs[] = {
#define CSR(id, number, name, who, access, effect) number,
#include "rtl/spec/csrs.def"
#undef CSR
};

constexpr FlipSite kSites[] = {FlipSite::kMemory,   FlipSite::kInteger,   FlipSite::kFloat,   FlipSite::kCsr,
                               FlipSite::kReceived, FlipSite::kPacketOut, FlipSite::kPacketIn};

// The registers that the program names; others hold nothing.
constexpr unsigned kSupervisorRegisters = 31, kWorkerRegisters = 14, kFloats = 9;

}  // namespace

std::vector<Flip> every_register(const spec::Machine& machine) {
  std::vector<Flip> flips;
  const auto add = [&](FlipSite site, unsigned context, uint32_t address, uint64_t mask) {
    flips.push_back({.site = site, .tile = 1, .context = context, .address = address, .mask = mask});
  };
  for (unsigned context = 0; context <= machine.workers; ++context) {
    for (uint32_t n = 1; n < 32; ++n) add(FlipSite::kInteger, context, n, 0x01000001u * (context + 1) + n);
    for (uint32_t n = 0; n < 32 && context != 0; ++n)
      add(FlipSite::kFloat, context, n, 0x0100000001000001u * (context + 1) + n);
    for (const uint16_t csr : kCsrs)
      if (const uint32_t bits = chip::kept_bits(csr, context)) add(FlipSite::kCsr, context, csr, bits & 0x5a5a5a5b);
  }
  return flips;
}

inspect::Fault random_fault(const spec::Machine& machine, FlipSite site, std::mt19937_64& random) {
  inspect::Fault fault;
  Flip& flip = fault.flip;
  flip.site = site;
  flip.tile = static_cast<unsigned>(random() % machine.tiles());
  flip.mask = uint64_t{1} << random() % 32;
  fault.by_superstep = true;
  fault.superstep = random() % kVictimSupersteps;
  fault.cycle = random() % 1500;
  // The load takes time of superstep 0.
  if (fault.superstep == 0) fault.cycle += victim_loading(machine);
  switch (site) {
    case FlipSite::kMemory: {
      const auto words = victim_words(machine);
      flip.address = random() % 8 == 0 ? machine.memory_base + 4 * (random() % (machine.memory_bytes / 4))
                                       : words[random() % words.size()];
      break;
    }
    case FlipSite::kInteger:
      flip.context = static_cast<unsigned>(random() % 7);
      flip.address = 1 + random() % (flip.context == 0 ? kSupervisorRegisters : kWorkerRegisters);
      break;
    case FlipSite::kFloat:
      flip.context = 1 + static_cast<unsigned>(random() % 6);
      flip.address = random() % kFloats;
      flip.mask = uint64_t{1} << random() % 64;
      break;
    case FlipSite::kCsr: {
      uint32_t bits = 0;
      while (bits == 0) {
        flip.context = static_cast<unsigned>(random() % 7);
        flip.address = kCsrs[random() % std::size(kCsrs)];
        bits = chip::kept_bits(static_cast<uint16_t>(flip.address), flip.context);
      }
      do flip.mask = uint64_t{1} << random() % 32;
      while ((flip.mask & bits) == 0);
      break;
    }
    case FlipSite::kReceived:
      flip.lost = random() % 8 == 0;
      if (flip.lost) flip.mask = 0;
      break;
    default:
      break;
  }
  return fault;
}

std::vector<inspect::Fault> random_faults(const spec::Machine& machine, uint64_t seed, unsigned count) {
  std::mt19937_64 random(seed);
  std::vector<inspect::Fault> faults;
  for (unsigned n = 0; n < count; ++n) faults.push_back(random_fault(machine, kSites[n % std::size(kSites)], random));
  return faults;
}

}  // namespace tessera::test
