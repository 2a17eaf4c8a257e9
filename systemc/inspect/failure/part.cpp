#include "inspect/failure/part.h"

#include "inspect/failure/case.h"
#include "inspect/failure/failure_files.h"

namespace tessera::inspect::failure {
namespace {

std::string explain(Case& c) {
  switch (c.stop.reason) {
    case chip::StopReason::kException:
      return explain_exception(c);
    case chip::StopReason::kDeadlock:
      return explain_deadlock(c);
    case chip::StopReason::kBudget:
      return explain_budget(c);
    case chip::StopReason::kHalted:
      return explain_halt(c);
    case chip::StopReason::kHostSync:
    case chip::StopReason::kLimit:
    case chip::StopReason::kSuperstep:
      break;
  }
  return "";
}

class FailurePart : public Part {
 public:
  FailurePart(const Options& options, const spec::Machine& machine) : options_(options), machine_(machine) {}

  Needs needs() const override { return {false, 0, 0}; }

  std::string explain_failure(Run& run, const chip::Stop& stop) override {
    const Words words(run.program(), machine_);
    Case c{run, words, stop};
    std::string text = explain(c);
    if (!text.empty() && !options_.on_failure.empty()) text += leave_files(run, options_, machine_, c.involved, text);
    return text;
  }

 private:
  const Options options_;
  const spec::Machine machine_;
};

}  // namespace

std::unique_ptr<Part> make_part(const Options& options, const spec::Machine& machine) {
  if (!options.snapshots) return nullptr;
  return std::make_unique<FailurePart>(options, machine);
}

}  // namespace tessera::inspect::failure
