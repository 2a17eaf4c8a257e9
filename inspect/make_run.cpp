#include "inspect/make_run.h"

#include <unistd.h>

#include <iostream>
#include <utility>
#include <vector>

#include "inspect/faults/fault_injector.h"
#include "inspect/faults/fault_list.h"
#include "inspect/faults/link_fault_list.h"
#include "inspect/options_of_chip.h"
#include "inspect/parts.h"
#include "inspect/superstep_window.h"
#include "inspect/variables.h"
#include "rtl/spec/machine.h"

namespace tessera::inspect {
namespace {

// The option wins over the variable, as everywhere.
chip::FabricChoice fabric_of(const Options& options, const std::string& backend) {
  std::string given = options.fabric, by = "inspection option 'fabric=" + given + "'";
  if (given.empty()) {
    given = variable("TESSERA_FABRIC");
    by = "TESSERA_FABRIC=" + given;
    if (!given.empty() && given != "rtl" && given != "engine")
      throw BadOption("TESSERA_FABRIC is '" + given + "'; it can be rtl or engine");
  }
  if (given.empty()) return chip::FabricChoice::kUsual;
  if (backend != "rtl" && backend != "lockstep")
    throw BadOption(by + " is for what joins the tiles of the RTL, not for backend " + backend);
  return given == "rtl" ? chip::FabricChoice::kRtl : chip::FabricChoice::kEngine;
}

chip::BackendRequest backend_request(const std::string& name, const Options& options, const spec::Machine& machine,
                                     const spec::ChipPlace& place) {
  const auto window = [&](const char* option) {
    const SuperstepWindow w = superstep_window(options, option);
    return chip::SuperstepWindow{w.from, w.count};
  };
  chip::BackendRequest request{name, {}, {}, fabric_of(options, name)};
  request.linked = place.chips > 1;
  if (!options.waves.empty() && options.wave_all_signals)
    request.signals = {options.waves, options.wave_window.tiles.of(machine.tiles(), place), window("wave-depth=all"),
                       "chip" + std::to_string(place.chip)};
  if (options.rtl_window) request.rtl_window = window("rtl-window=true");
  return request;
}

// `backend`: what the chip is, for who reads the error.
std::vector<Fault> faults_of(const Options& options, const spec::Machine& machine, const std::string& backend,
                             const spec::ChipPlace& place = {}) {
  std::vector<Fault> faults;
  if (!options.faults.empty()) faults = read_faults(options.faults, machine, place);
  for (const Fault& fault : faults)
    if (fault.flip.side != chip::FlipSide::kBoth && backend != "lockstep")
      throw BadFault(options.faults + ": fault '" + text(fault) + "' is of one side of backend lockstep, not of " +
                     backend);
  return faults;
}

std::unique_ptr<chip::Chip> with_faults(std::unique_ptr<chip::Chip> chip, const std::vector<Fault>& faults,
                                        FaultyChip::Tell tell) {
  return faults.empty() ? std::move(chip) : make_faulty_chip(std::move(chip), faults, std::move(tell));
}

void tell(const std::string& line) { std::cerr << "tessera: " + line + "\n" << std::flush; }

// What of the faults of a run in lockstep strikes its RTL, for that RTL alone.
std::vector<Fault> of_the_rtl(std::vector<Fault> faults) {
  std::erase_if(faults, [](const Fault& fault) { return fault.flip.side == chip::FlipSide::kSecond; });
  for (Fault& fault : faults) fault.flip.side = chip::FlipSide::kBoth;
  return faults;
}

}  // namespace

std::map<uint32_t, link::LinkFaults> link_faults(const std::string& text, const spec::System& system) {
  const Options options = parse_options(of_process(text, ::getpid()));
  return options.faults.empty() ? std::map<uint32_t, link::LinkFaults>() : read_link_faults(options.faults, system);
}

std::string link_trace(const std::string& text, const spec::System& system) {
  const std::string path = parse_options(of_process(text, ::getpid())).link_trace;
  if (!path.empty() && system.links.empty() && system.gateways.empty())
    throw BadOption("inspection option 'link-trace' is for systems of several chips or with a gateway; " + system.name +
                    " has neither");
  return path;
}

std::unique_ptr<RecordedRun> make_run(const chip::MakeBackend& make_backend, const std::string& backend,
                                      const spec::Machine& machine, const std::string& text,
                                      const spec::ChipPlace& place, gdb::SystemDebugger* debugger) {
  const std::string wanted = of_chip(of_process(text, ::getpid()), place);
  const Options options = parse_options(wanted);
  if (!options.waves.empty() && options.wave_all_signals && backend != "rtl")
    throw BadOption("inspection option 'wave-depth=all' shows the RTL, not backend " + backend);
  if (options.rtl_window && backend != "rtl")
    throw BadOption("inspection option 'rtl-window=true' is for backend rtl, not " + backend);
  const std::vector<Fault> faults = faults_of(options, machine, backend, place);
  MakeWaveChip make_wave_chip;
  if (backend == "lockstep")
    make_wave_chip = [make_backend, machine, faults = of_the_rtl(faults), fabric = fabric_of(options, backend), place](
                         const std::string& path, unsigned tile, uint64_t superstep) {
      const chip::BackendRequest::Signals signals{path, {tile}, {superstep, 1}, "chip" + std::to_string(place.chip)};
      return with_faults(make_backend({"rtl", signals, {}, fabric, place.chips > 1}, machine), faults, {});
    };
  const chip::BackendRequest request = backend_request(backend, options, machine, place);
  return std::make_unique<RecordedRun>(with_faults(make_backend(request, machine), faults, tell), wanted,
                                       part_maker(machine, place, debugger), std::move(make_wave_chip), place);
}

std::unique_ptr<RecordedRun> make_run(std::unique_ptr<chip::Chip> chip, const std::string& text) {
  const std::string wanted = of_process(text, ::getpid());
  const Options options = parse_options(wanted);
  const auto refuse = [](const std::string& option) {
    throw BadOption("inspection option '" + option +
                    "' needs a chip that is made for it, not one that the program made itself");
  };
  if (!options.waves.empty() && options.wave_all_signals) refuse("wave-depth=all");
  if (options.rtl_window) refuse("rtl-window=true");
  if (!options.fabric.empty()) refuse("fabric=" + options.fabric);
  const spec::Machine machine = chip->machine();
  const std::vector<Fault> faults = faults_of(options, machine, "a chip of the program's own");
  return std::make_unique<RecordedRun>(with_faults(std::move(chip), faults, tell), wanted, part_maker(machine));
}

}  // namespace tessera::inspect
