#include "inspect/bench/inspected_chip.h"

#include <iostream>
#include <sstream>
#include <utility>

#include "inspect/bench/interruption.h"
#include "inspect/make_run.h"
#include "inspect/options.h"
#include "inspect/program_end.h"
#include "inspect/variables.h"
#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"

namespace tessera::inspect {
namespace {

void tell(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) std::cerr << "tessera: " + line + "\n" << std::flush;
}

// Refuses what a bench cannot have. False: nothing is asked.
bool asked(const std::string& text) {
  const Options options = parse_options(text);
  if (options.check)
    throw BadOption(
        "inspection option 'check=true' is for Poplar programs: a bench has no vertices whose memory could "
        "be watched");
  return options != Options();
}

}  // namespace

InspectedChip::InspectedChip(std::unique_ptr<chip::Chip> chip, const std::string& options)
    : ClaimedFiles(options),
      ForwardingChip(asked(options) ? make_run(std::move(chip), options) : std::move(chip)),
      run_(dynamic_cast<RecordedRun*>(chip_.get())) {
  begin();
}

InspectedChip::InspectedChip(const chip::MakeBackend& make_backend, const std::string& backend,
                             const spec::Machine& machine, const std::string& options)
    : ClaimedFiles(options),
      ForwardingChip(asked(options) ? make_run(make_backend, backend, machine, options)
                                    : make_backend({backend, {}, {}}, machine)),
      run_(dynamic_cast<RecordedRun*>(chip_.get())) {
  begin();
}

void InspectedChip::begin() {
  if (run_ == nullptr) return;
  run_->abandon_with(interruption());
  spec::decode(0);  // makes its table now: what is made before this handler is there when it closes files
  close_at_end(this, [this] { close(); });
  if (!quiet_variable()) tell(run_->notice());
}

InspectedChip::~InspectedChip() {
  if (run_ == nullptr) return;
  forget_at_end(this);
  close();
  end_if_interrupted();
}

chip::Stop InspectedChip::run(uint64_t limit, uint64_t budget) {
  if (run_ == nullptr) return chip_->run(limit, budget);
  end_if_interrupted();
  try {
    return run_->run(limit, budget);
  } catch (const Abandoned&) {
    end_if_interrupted();
    throw;
  }
}

std::string InspectedChip::explain_failure() { return run_ != nullptr ? run_->explain_failure() : ""; }

void InspectedChip::finish() {
  if (run_ != nullptr) run_->finish_all();
}

// Where nothing can be thrown, and where what the program observes with may be gone.
void InspectedChip::close() {
  try {
    run_->observe(nullptr);
    finish();
  } catch (const std::exception& error) {
    tell(error.what());
    end_with_files_missing();
  }
}

}  // namespace tessera::inspect
