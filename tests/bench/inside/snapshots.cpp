// What snapshots cost: the digits demo in small on mk2-16, one after every superstep against none, best of several runs
// taken in turn; and that neither snapshots nor an observer change results, cycles or what memory holds at any
// superstep.
#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>

#include "sim/port/chip.h"
#include "sim/port/forwarding_chip.h"
#include "tb/chip/digits_card.h"
#include "tests/bench/figure.h"

using namespace tessera;
using namespace tessera::test;
using chip::Backend;

namespace {

constexpr unsigned kBatches = 4;

// Counts what it is told; forwards nothing.
struct Watcher : chip::Observer {
  uint64_t told = 0;
  void retire(unsigned, const chip::Retire&) override { ++told; }
  void port_write(unsigned, const chip::PortWrite&) override { ++told; }
};

struct Ways {
  bool stops = false, snapshots = false, hashes = false;
  chip::Observer* observer = nullptr;
};

// The chip as the card sees it: stands at every superstep and goes on.
class Stopping : public chip::ForwardingChip {
 public:
  Stopping(Backend backend, const spec::Machine& machine, Ways ways)
      : ForwardingChip(chip::make_chip(backend, machine)), ways_(ways) {
    chip_->observe(ways.observer);
  }

  uint64_t snapshots = 0, first_bytes = 0, bytes = 0;  // bytes: of all but the first
  std::vector<uint64_t> hashes;

  chip::Stop run(uint64_t limit, uint64_t budget) override {
    if (!ways_.stops) return chip_->run(limit, budget);
    for (;;) {
      chip_->stop_at_superstep(chip_->counters().supersteps + (stands_ ? 2 : 1));
      const auto stop = chip_->run(limit, budget);
      stands_ = stop.reason == chip::StopReason::kSuperstep;
      if (!stands_) return stop;
      if (ways_.hashes) hashes.push_back(chip_->memory_hash());
      if (!ways_.snapshots) continue;
      last_ = chip_->snapshot();
      (snapshots++ == 0 ? first_bytes : bytes) += last_->bytes();
    }
  }

 private:
  const Ways ways_;
  bool stands_ = false;
  std::shared_ptr<const chip::Snapshot> last_;
};

struct Run {
  double seconds = 0;
  StreamData data;
  uint64_t cycle = 0, memory = 0, snapshots = 0, first_bytes = 0, bytes = 0;
  std::vector<uint64_t> hashes;
};

Run train(Backend backend, const spec::Machine& machine, const image::Executable& executable, const DataSet& digits,
          Ways ways) {
  Stopping chip(backend, machine, ways);
  Run run;
  run.data = digits_streams(digits, kBatches);
  Card<chip::Chip> card(chip, machine, executable);
  const auto begin = std::chrono::steady_clock::now();
  card.run(Network::kTrainEpoch, run.data);
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  card.transfer("weights", image::StreamUse::kHostRead, run.data);
  run.cycle = chip.cycle();
  run.memory = chip.memory_hash();
  run.snapshots = chip.snapshots;
  run.first_bytes = chip.first_bytes;
  run.bytes = chip.bytes;
  run.hashes = chip.hashes;
  return run;
}

unsigned different(const Run& a, const Run& b) {
  return (a.data != b.data) + (a.cycle != b.cycle) + (a.memory != b.memory) + (a.hashes != b.hashes);
}

}  // namespace

int main() {
  const auto machine = spec::load_machine("mk2-16");
  const DataSet digits = read_digits(std::string(DIGITS_FOLDER) + "/data/optdigits.csv.gz", kBatches * Network::kBatch);
  const image::Executable executable = compile_digits(machine, kBatches);
  unsigned differences = 0;
  for (const auto backend : {Backend::kModel, Backend::kRtl}) {
    const std::string name = backend == Backend::kRtl ? "rtl" : "model";
    const unsigned rounds = backend == Backend::kRtl ? 3 : 9;
    double plain = std::numeric_limits<double>::max(), taken = plain;
    Run first, last;
    for (unsigned i = 0; i < rounds; ++i) {
      const Run without = train(backend, machine, executable, digits, {});
      const Run with = train(backend, machine, executable, digits, {.stops = true, .snapshots = true});
      plain = std::min(plain, without.seconds);
      taken = std::min(taken, with.seconds);
      differences += different(without, with);
      if (i == 0) first = without;
      last = with;
    }
    const nlohmann::json context = {{"machine", machine.name},
                                    {"cycles", last.cycle},
                                    {"snapshots", last.snapshots},
                                    {"seconds_plain", plain},
                                    {"seconds_with", taken},
                                    {"every", "superstep"},
                                    {"first_bytes", last.first_bytes / machine.tiles()}};
    print_figure("inside_snapshots_" + name, taken / plain, "times the plain run", Goal::kAtMost, 1.25, context);
    print_figure("inside_snapshot_bytes_" + name,
                 static_cast<double>(last.bytes) / (last.snapshots - 1) / machine.tiles(),
                 "bytes per tile and snapshot", Goal::kAtMost, 64 * 1024.0, context);
    Watcher watcher;
    const Run hashed = train(backend, machine, executable, digits, {.stops = true, .hashes = true});
    const Run watched =
        train(backend, machine, executable, digits, {.stops = true, .hashes = true, .observer = &watcher});
    differences += different(hashed, watched) + (hashed.cycle != first.cycle) + (hashed.data != first.data);
    if (watcher.told == 0 || hashed.hashes.size() < 8) ++differences;
  }
  print_figure("inside_determinism_chip", differences, "results, cycles and superstep hashes that differ",
               Goal::kAtMost, 0);
  return 0;
}
