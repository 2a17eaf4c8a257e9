#include "random_faults.h"

#include <tuple>

#include "rtl/spec/instructions.h"
#include "sim/engine/model_chip.h"
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

// The registers that the program names; others hold nothing.
constexpr unsigned kSupervisorRegisters = 31, kWorkerRegisters = 14, kFloats = 9;

// The CSRs of a context that can be flipped.
std::vector<std::pair<unsigned, uint16_t>> csrs_of(unsigned context) {
  std::vector<std::pair<unsigned, uint16_t>> csrs;
  for (const uint16_t csr : kCsrs)
    if (chip::kept_bits(csr, context) != 0) csrs.push_back({context, csr});
  return csrs;
}

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
    for (const auto& [owner, csr] : csrs_of(context))
      add(FlipSite::kCsr, owner, csr, chip::kept_bits(csr, owner) & 0x5a5a5a5b);
  }
  return flips;
}

inspect::Fault random_fault(const spec::Machine& machine, const VictimRun& run, FlipSite site,
                            std::mt19937_64& random) {
  const auto below = [&](uint64_t bound) { return static_cast<uint32_t>(random() % bound); };
  inspect::Fault fault;
  Flip& flip = fault.flip;
  flip.site = site;
  flip.tile = below(machine.tiles());
  flip.mask = uint64_t{1} << below(site == FlipSite::kFloat ? 64 : 32);
  fault.cycle = run.started + random() % (run.ended - run.started);
  const auto passing = [&](const VictimRun::Passing& words) {
    std::tie(flip.tile, fault.cycle) = words[below(words.size())];
  };
  // Half of the registers are those that an instruction has just written.
  const auto live = [&](const auto& records) {
    const auto& [tile, record] = records[below(records.size())];
    flip.tile = tile;
    flip.context = record.context;
    fault.cycle = record.cycle;
    return record;
  };
  switch (site) {
    case FlipSite::kMemory: {
      const auto words = victim_words(machine);
      flip.address =
          below(8) == 0 ? machine.memory_base + 4 * below(machine.memory_bytes / 4) : words[below(words.size())];
      break;
    }
    case FlipSite::kInteger:
      if (below(2) == 0) {
        flip.address = live(run.integer).reg;
        break;
      }
      flip.context = below(7);
      flip.address = 1 + below(flip.context == 0 ? kSupervisorRegisters : kWorkerRegisters);
      break;
    case FlipSite::kFloat:
      if (below(2) == 0) {
        flip.address = live(run.floats).reg;
        break;
      }
      flip.context = 1 + below(6);
      flip.address = below(kFloats);
      break;
    case FlipSite::kCsr: {
      if (below(2) == 0) live(run.csr);
      const auto csrs = csrs_of(flip.context == 0 && below(2) == 0 ? 0 : 1 + below(6));
      const auto& [context, number] = csrs[below(csrs.size())];
      flip.context = context;
      flip.address = number;
      const uint32_t bits = chip::kept_bits(number, context);
      while ((flip.mask &= bits) == 0) flip.mask = uint64_t{1} << below(32);
      break;
    }
    case FlipSite::kReceived:
      passing(run.received);
      flip.lost = below(8) == 0;
      if (flip.lost) flip.mask = 0;
      break;
    case FlipSite::kPacketOut:
      passing(run.packet_out);
      break;
    case FlipSite::kPacketIn:
      passing(run.packet_in);
      break;
  }
  return fault;
}

VictimRun observe_victim(const spec::Machine& machine) {
  struct Ports : chip::Observer {
    VictimRun run;
    void retire(unsigned tile, const chip::Retire& record) override {
      if (record.reg_write) (record.reg_float ? run.floats : run.integer).push_back({tile, record});
      const auto opcode = spec::decode(record.instruction);
      if (spec::info(opcode).unit == spec::Unit::Csr) run.csr.push_back({tile, record});
    }
    void received(unsigned tile, uint64_t cycle, unsigned, uint32_t) override { run.received.push_back({tile, cycle}); }
    void packet_out(unsigned tile, uint64_t cycle, uint32_t, bool) override { run.packet_out.push_back({tile, cycle}); }
    void packet_in(unsigned tile, uint64_t cycle, uint32_t, bool) override { run.packet_in.push_back({tile, cycle}); }
  } ports;
  const auto chip = chip::make_model_chip(machine);
  VictimHost host(machine);
  chip->attach(&host);
  load_and_start(*chip, victim_program(machine));
  ports.run.started = chip->cycle();
  chip->observe(&ports);
  ports.run.ended = chip->run(ports.run.started + 1000000, 0).cycle;
  return ports.run;
}

}  // namespace tessera::test
