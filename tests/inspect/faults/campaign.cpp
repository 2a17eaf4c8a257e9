#include "campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "campaign_files.h"
#include "inspect/faults/fault_injector.h"
#include "sim/engine/lockstep_chip.h"
#include "sim/engine/model_chip.h"
#include "sim/engine/rtl_chip.h"
#include "sim/port/checkpoint.h"
#include "victim_program.h"

namespace tessera::test {
namespace {

using chip::StopReason;
using inspect::Fault;
using inspect::FaultyChip;

constexpr uint64_t kLimit = 60000, kBudget = 15000;
// A pair runs in pieces, so that a stop of one of the two is found soon.
constexpr uint64_t kPiece = 64;
constexpr uint32_t kTrap = 2;

std::string name(chip::FlipSite site) {
  Fault fault;
  fault.flip.site = site;
  const auto line = text(fault);
  const auto word = line.substr(0, line.find(' '));
  return site == chip::FlipSite::kFloat ? "float register" : word;
}

bool ended_by_trap(const chip::Chip& chip) {
  for (unsigned t = 0; t < chip.machine().tiles(); ++t)
    if (chip.exception(t).cause != kTrap) return false;
  return true;
}

uint64_t start(chip::Chip& chip, VictimHost& host) {
  chip.attach(&host);
  load_and_start(chip, victim_program(chip.machine()));
  return chip.cycle();
}

bool ended_by_parity(const chip::Chip& chip) {
  for (unsigned t = 0; t < chip.machine().tiles(); ++t)
    if (chip.exception(t).cause == static_cast<uint8_t>(spec::Cause::Parity)) return true;
  return false;
}

// A plain run: how it ends, and what it leaves.
struct Run {
  Plain end = Plain::kNothing;
  uint64_t cycle = 0, memory = 0, mended = 0;  // memory; but for the fault of a memory
  std::vector<uint32_t> host;
};
Run run_plain(const spec::Machine& machine, const std::vector<Fault>& faults, bool rtl = false) {
  FaultyChip chip(rtl ? chip::make_rtl_chip(machine) : chip::make_model_chip(machine), faults);
  VictimHost host(machine);
  start(chip, host);
  Run run;
  try {
    auto stop = chip.run(kLimit, kBudget);
    while (stop.reason == StopReason::kHostSync) {
      chip.mark(stop.cycle + 100, 1);
      stop = chip.run(kLimit, kBudget);
    }
    run.cycle = stop.cycle;
    if (stop.reason == StopReason::kException && !ended_by_trap(chip))
      run.end = ended_by_parity(chip) ? Plain::kParity : Plain::kException;
    if (stop.reason == StopReason::kDeadlock || stop.reason == StopReason::kHalted) run.end = Plain::kDeadlock;
    if (stop.reason == StopReason::kBudget || stop.reason == StopReason::kLimit) run.end = Plain::kEndless;
  } catch (const HostRefuses&) {
    run.end = Plain::kHost;
  }
  run.memory = run.mended = chip.memory_hash();
  for (uint32_t address = 0; address < kHostBytes; address += 4) run.host.push_back(host.word(address));
  if (faults.size() == 1 && faults[0].flip.site == chip::FlipSite::kMemory) {
    chip.flip(faults[0].flip);
    run.mended = chip.memory_hash();
  }
  return run;
}

Plain judge(const Run& run, const Run& right) {
  if (run.end != Plain::kNothing) return run.end;
  if (run.cycle != right.cycle || run.host != right.host) return Plain::kSilent;
  if (run.memory == right.memory) return Plain::kNothing;
  return run.mended == right.memory ? Plain::kUnread : Plain::kSilent;
}

// A chip with the fault beside one without.
class Pair {
 public:
  Pair(const spec::Machine& machine, const Fault& fault, bool rtl) : host_(machine) {
    auto left = std::make_unique<FaultyChip>(rtl ? chip::make_rtl_chip(machine) : chip::make_model_chip(machine),
                                             std::vector{fault});
    auto right = chip::make_model_chip(machine);
    faulty_ = left.get();
    right_ = right.get();
    chip_ = chip::make_lockstep_chip(std::move(left), std::move(right), {"faulty", "right"});
    start(*chip_, host_);
  }

  void find(Result& result) {
    uint64_t superstep = 1, found_at = 0;
    try {
      for (;;) {
        chip_->stop_at_superstep(superstep);
        const auto stop = chip_->run(std::min(kLimit, chip_->cycle() + kPiece), kBudget);
        if (stop.reason == StopReason::kLimit && stop.cycle < kLimit) continue;
        if (stop.reason != StopReason::kSuperstep && stop.reason != StopReason::kHostSync) break;
        if (happened()) {
          result.found = compare_states();
          found_at = chip_->cycle();
          result.supersteps = 1;
          break;
        }
        if (stop.reason == StopReason::kHostSync) break;
        ++superstep;
      }
    } catch (const chip::LockstepDifference& difference) {
      const std::string what = difference.what();
      const bool record = what.find(" differs in superstep") != std::string::npos;
      result.found = record                                          ? Found::kRecord
                     : what.find("of the stop") != std::string::npos ? Found::kStop
                                                                     : Found::kTransfer;
      found_at = record && difference.where.cycle != 0 ? difference.where.cycle : faulty_->cycle();
    } catch (const HostRefuses&) {
      result.found = Found::kHost;
      found_at = faulty_->cycle();
    }
    if (happened()) result.cycles = found_at - std::min(found_at, faulty_->happened()[0]);
  }
  bool happened() const { return faulty_->happened()[0] != FaultyChip::kNotYet; }

 private:
  Found compare_states() {
    if (faulty_->memory_hash() != right_->memory_hash()) return Found::kMemoryHash;
    const auto right = serialize(right_->checkpoint());
    try {
      return serialize(faulty_->checkpoint()) == right ? Found::kDead : Found::kState;
    } catch (const std::logic_error&) {
      return Found::kState;  // the fault has left it unsettled
    }
  }

  VictimHost host_;
  std::unique_ptr<chip::Chip> chip_;
  FaultyChip* faulty_;
  chip::Chip* right_;
};

// How many of 24 faults are of each site.
constexpr std::pair<chip::FlipSite, unsigned> kShares[] = {
    {chip::FlipSite::kMemory, 9},   {chip::FlipSite::kInteger, 4},  {chip::FlipSite::kFloat, 3},
    {chip::FlipSite::kCsr, 2},      {chip::FlipSite::kReceived, 3}, {chip::FlipSite::kPacketOut, 1},
    {chip::FlipSite::kPacketIn, 2},
};

chip::FlipSite site_of(unsigned n) {
  n %= 24;
  for (const auto& [site, share] : kShares) {
    if (n < share) return site;
    n -= share;
  }
  return chip::FlipSite::kMemory;
}

}  // namespace

Result inject(const spec::Machine& machine, const Fault& fault, bool rtl) {
  const Run right = run_plain(machine, {});
  Result result{.site = name(fault.flip.site), .fault = text(fault)};
  result.plain = judge(run_plain(machine, {fault}), right);
  Pair(machine, fault, rtl).find(result);
  return result;
}

std::vector<Result> run_campaign(const Campaign& campaign) {
  const auto machine = spec::load_machine("mk2-4");
  const auto victim = observe_victim(machine);
  std::mt19937_64 random(campaign.seed);
  std::vector<Result> results;
  for (unsigned n = 0; n < campaign.faults; ++n) {
    const auto fault = random_fault(machine, victim, site_of(n), random);
    results.push_back(inject(machine, fault, campaign.rtl_every != 0 && n % campaign.rtl_every == 0));
  }
  for (const auto& result : damage_files(machine, campaign.faults / 8, random)) results.push_back(result);
  return results;
}

std::vector<Result> flip_memory(uint64_t seed, unsigned faults, bool rtl) {
  const auto machine = spec::load_machine("mk2-4");
  const auto victim = observe_victim(machine);
  const Run right = run_plain(machine, {}, rtl);
  std::mt19937_64 random(seed);
  std::vector<Result> results;
  for (unsigned n = 0; n < faults; ++n) {
    const auto fault = random_fault(machine, victim, chip::FlipSite::kMemory, random);
    Result result{.site = "memory", .fault = text(fault)};
    result.plain = judge(run_plain(machine, {fault}, rtl), right);
    results.push_back(result);
  }
  return results;
}

unsigned count(const std::vector<Result>& results, Plain plain) {
  return static_cast<unsigned>(
      std::count_if(results.begin(), results.end(), [&](const Result& r) { return r.plain == plain; }));
}

unsigned count(const std::vector<Result>& results, Found found) {
  return static_cast<unsigned>(
      std::count_if(results.begin(), results.end(), [&](const Result& r) { return r.found == found; }));
}

std::string table(const std::vector<Result>& results) {
  constexpr std::array plain{Plain::kParity,  Plain::kException, Plain::kDeadlock, Plain::kEndless, Plain::kHost,
                             Plain::kRefused, Plain::kUnread,    Plain::kSilent,   Plain::kNothing};
  constexpr std::array found{Found::kRecord, Found::kTransfer, Found::kStop, Found::kHost,   Found::kMemoryHash,
                             Found::kState,  Found::kDigest,   Found::kDead, Found::kNothing};
  std::string text = fmt::format(
      "{:<15} {:>5} | {:>6} {:>6} {:>6} {:>7} {:>5} {:>7} {:>6} {:>6} {:>7} | {:>6} {:>8} {:>5} {:>5} {:>6} {:>5} "
      "{:>6} {:>5} "
      "{:>8} | {:>7} {:>7}\n",
      "site", "flips", "parity", "except", "deadlk", "endless", "host", "refused", "unread", "silent", "nothing",
      "record", "transfer", "stop", "host", "memory", "state", "digest", "dead", "UNCAUGHT", "median", "most");
  std::vector<std::string> sites;
  for (const Result& r : results)
    if (std::find(sites.begin(), sites.end(), r.site) == sites.end()) sites.push_back(r.site);
  sites.push_back("all");
  for (const auto& site : sites) {
    const auto of = [&](auto&& wanted) {
      return std::count_if(results.begin(), results.end(),
                           [&](const Result& r) { return (site == "all" || r.site == site) && wanted(r); });
    };
    std::vector<uint64_t> cycles;
    for (const Result& r : results)
      if ((site == "all" || r.site == site) && r.found != Found::kDead && r.found != Found::kDigest)
        cycles.push_back(r.cycles);
    std::sort(cycles.begin(), cycles.end());
    text += fmt::format("{:<15} {:>5} |", site, of([](const Result&) { return true; }));
    constexpr int plain_width[] = {6, 6, 6, 7, 5, 7, 6, 6, 7}, found_width[] = {6, 8, 5, 5, 6, 5, 6, 5, 8};
    for (size_t i = 0; i < plain.size(); ++i)
      text += fmt::format(" {:>{}}", of([&](const Result& r) { return r.plain == plain[i]; }), plain_width[i]);
    text += " |";
    for (size_t i = 0; i < found.size(); ++i)
      text += fmt::format(" {:>{}}", of([&](const Result& r) { return r.found == found[i]; }), found_width[i]);
    if (cycles.empty())
      text += fmt::format(" | {:>7} {:>7}\n", "-", "-");
    else
      text += fmt::format(" | {:>7} {:>7}\n", cycles[cycles.size() / 2], cycles.back());
  }
  return text;
}

}  // namespace tessera::test
