#include "inspect/failure/part.h"

#include "inspect/failure/case.h"
#include "inspect/failure/failure_files.h"
#include "sim/port/lockstep_difference.h"

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
    case chip::StopReason::kRefused:
      return explain_refusal(c);
    case chip::StopReason::kHalted:
      return explain_halt(c);
    case chip::StopReason::kHostSync:
    case chip::StopReason::kLimit:
    case chip::StopReason::kGroupSync:  // others have what to explain
    case chip::StopReason::kSuperstep:
      break;
  }
  return "";
}

class FailurePart : public Part {
 public:
  FailurePart(const Options& options, const spec::Machine& machine, const spec::ChipPlace& place)
      : options_(options), machine_(machine), place_(place) {}

  Needs needs() const override { return {false, 0, 0}; }

  std::string explain_failure(Run& run, const chip::Stop& stop) override {
    const Words words(run.program(), machine_, place_);
    Case c{run, words, stop};
    return with_files(c, explain(c));
  }

  std::string explain_difference(Run& run, const chip::LockstepDifference& difference) override {
    const Words words(run.program(), machine_, place_);
    Case c{run, words, {}};
    const std::string text = failure::explain_difference(c, difference.where);
    if (options_.on_failure.empty()) return text;
    // The report holds both records, which the caller tells before this text.
    return text + leave_files(run, options_, machine_, place_, c.involved, difference.what() + ("\n" + text));
  }

  std::string explain_check(Run& run, const std::string& what, const std::vector<unsigned>& tiles) override {
    const Words words(run.program(), machine_, place_);
    Case c{run, words, {}};
    return with_files(c, failure::explain_check(c, what, tiles));
  }

 private:
  std::string with_files(Case& c, const std::string& text) const {
    if (text.empty() || options_.on_failure.empty()) return text;
    return text + leave_files(c.run, options_, machine_, place_, c.involved, text);
  }

  const Options options_;
  const spec::Machine machine_;
  const spec::ChipPlace place_;
};

}  // namespace

std::unique_ptr<Part> make_part(const Options& options, const spec::Machine& machine, const spec::ChipPlace& place) {
  if (!options.snapshots) return nullptr;
  return std::make_unique<FailurePart>(options, machine, place);
}

}  // namespace tessera::inspect::failure
