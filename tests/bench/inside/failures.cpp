// Failure replay: how many of the planted failures are told in full (tile, context, vertex, source line, cause, and
// what else each has; waves and trace left behind show it) on model and RTL; and what a run pays for being recorded, so
// that it could be replayed: digits training with and without, best of several taken in turn.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>

#include "inspect/failure/part.h"
#include "inspect/recorded_run.h"
#include "sim/engine/model_chip.h"
#include "sim/engine/rtl_chip.h"
#include "tb/chip/digits_card.h"
#include "tests/bench/figure.h"
#include "tests/inspect/failures/left_files.h"
#include "tests/inspect/failures/planted.h"

using namespace tessera;
using namespace tessera::test;

namespace {

struct Backend {
  const char* name;
  MakeChip make;
};

void told(const std::vector<Backend>& backends) {
  const auto folder = std::filesystem::temp_directory_path() / ("tessera-failures-" + std::to_string(getpid()));
  const auto failures = planted_failures();
  nlohmann::json untold = nlohmann::json::array();
  size_t full = 0;
  double slowest = 0;
  for (const Planted& planted : failures) {
    bool all = true;
    for (const Backend& backend : backends) {
      try {
        const auto begin = std::chrono::steady_clock::now();
        const Told told = tell(planted, backend.make, folder);
        slowest = std::max(slowest, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        all &= told.missing.empty() && wrong_files(told, folder).empty();
      } catch (const std::exception& error) {
        all = false;
      }
      std::filesystem::remove_all(folder);
    }
    full += all;
    if (!all) untold.push_back(planted.name);
  }
  print_figure("inside_failures_told", 20.0 * static_cast<double>(full) / static_cast<double>(failures.size()),
               "of 20 planted failures told in full on model and RTL", Goal::kAtLeast, 20,
               {{"planted", failures.size()}, {"untold", untold}, {"slowest_s", slowest}});
}

double train(std::unique_ptr<chip::Chip> chip, const spec::Machine& machine, const image::Executable& executable,
             const DataSet& digits, unsigned batches) {
  StreamData data = digits_streams(digits, batches);
  Card<chip::Chip> card(*chip, machine, executable);
  const auto begin = std::chrono::steady_clock::now();
  card.run(Network::kTrainEpoch, data);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void recording(const Backend& backend, unsigned batches, unsigned runs) {
  const auto machine = spec::load_machine("mk2-16");
  const DataSet digits = read_digits(std::string(DIGITS_FOLDER) + "/data/optdigits.csv.gz", batches * Network::kBatch);
  const image::Executable executable = compile_digits(machine, batches);
  double plain = std::numeric_limits<double>::max(), recorded = plain;
  for (unsigned i = 0; i < runs; ++i) {
    plain = std::min(plain, train(backend.make(machine), machine, executable, digits, batches));
    auto run = std::make_unique<inspect::RecordedRun>(
        backend.make(machine), "", [&](inspect::PartKind kind, const inspect::Options& options) {
          return kind == inspect::PartKind::kFailure ? inspect::failure::make_part(options, machine) : nullptr;
        });
    recorded = std::min(recorded, train(std::move(run), machine, executable, digits, batches));
  }
  print_figure(std::string("inside_failure_recording_") + backend.name, recorded / plain,
               "times a run that is not recorded", Goal::kAtMost, 1.1, {{"plain_s", plain}, {"recorded_s", recorded}});
}

}  // namespace

int main() {
  const std::vector<Backend> backends = {{"model", chip::make_model_chip}, {"rtl", chip::make_rtl_chip}};
  told(backends);
  recording(backends[0], 14, 5);
  recording(backends[1], 4, 4);
}
