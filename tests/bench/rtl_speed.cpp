// The demo: tile-cycles per second that the instanced RTL chip evaluates while it trains, as a ratio to the calibration
// core in the same run, in turns until neither gets better, in copies of the machine's program (program_copy.h); and
// what the training gives: equality of RTL and model after as many epochs.
#include <array>
#include <cstdlib>
#include <memory>

#include "figure.h"
#include "program_copy.h"
#include "training.h"
#include "turns.h"

namespace {

// Cycles per second of the calibration core; 0 when it gives another result than everywhere else.
double calibrate() {
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen("cd " CALIBRATE_FOLDER " && ./obj_dir/Vcalibrate", "r"), pclose);
  std::array<char, 512> line{};
  if (!pipe || !std::fgets(line.data(), line.size(), pipe.get()))
    throw std::runtime_error("the calibration core does not run");
  const auto figure = nlohmann::json::parse(line.data());
  return figure["result"] == "e228842b" ? figure["value"].get<double>() : 0.0;
}

Training training_on(const char* backend) {
  setenv("TESSERA_BACKEND", backend, 1);
  return Training();
}

// Of another machine, whose program is a copy.
double epoch_of_copy() {
  const ProgramCopy copy(RTL_MACHINE);
  setenv("TESSERA_MACHINE_BIN", copy.path().c_str(), 1);
  Training training = training_on("rtl");
  unsetenv("TESSERA_MACHINE_BIN");
  return training.epoch();
}

}  // namespace

int main() {
  setenv("TESSERA_QUIET", "1", 1);
  setenv("TESSERA_MACHINE", "mk2-16", 1);
  setenv("TESSERA_THREADS", "1", 1);  // as the calibration core has
  Training rtl = training_on("rtl"), model = training_on("model");
  Best best_rtl, best_model, best_core;
  const int turns = turns_until_steady({&best_rtl, &best_model, &best_core}, [&] {
    best_core.take(calibrate());
    best_rtl.take(rtl.epoch());
    best_rtl.take(epoch_of_copy());
    best_model.take(model.epoch());
  });
  const auto counters = rtl.counters();
  bool ok =
      print_figure("rtl-speed", best_rtl.value() / best_core.value(), "of the calibration core", Goal::kAtLeast, 0.12,
                   {{"tile-cycles/s", best_rtl.value()},
                    {"calibration cycles/s", best_core.value()},
                    {"turns", turns},
                    {"evaluated", counters.evaluated},
                    {"skipped", counters.skipped}});
  print_figure("model-speed", best_model.value() / best_core.value(), "of the calibration core", Goal::kAtLeast, 0,
               {{"tile-cycles/s", best_model.value()}});
  const bool equal = rtl.hash() == model.hash() && counters.cycles == model.counters().cycles;
  ok &= print_figure("rtl-equals-model", equal, "memory hash and cycles after the same epochs", Goal::kAtLeast, 1,
                     {{"epochs", turns}, {"cycles", counters.cycles}, {"supersteps", counters.supersteps}});
  return ok ? 0 : 1;
}
