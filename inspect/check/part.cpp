#include "inspect/check/part.h"

#include <fmt/format.h>

#include <algorithm>

#include "inspect/check/memory_watch.h"
#include "inspect/failure/case.h"
#include "inspect/failure/failure_files.h"
#include "inspect/failure/instruction_text.h"
#include "inspect/failure/operands.h"
#include "inspect/failure/provenance.h"

namespace tessera::inspect::check {
namespace {

constexpr uint64_t kCycles = 65536;   // from a finding to the end of the run, at most
constexpr uint64_t kRecordDelay = 8;  // a record comes within so many cycles

class CheckPart : public Part {
 public:
  CheckPart(const Options& options, const spec::Machine& machine, const spec::ChipPlace& place)
      : options_(options), machine_(machine), place_(place), watch_(machine_) {}

  chip::Observer* observer() override { return &watch_; }
  Needs needs() const override { return {false, kCycles, 0}; }
  void program_changed(const names::ProgramInfo& program) override {
    program_ = program;
    watch_.begin(program_);
  }

  std::optional<unsigned> objects_to() const override {
    return watch_.first() ? std::optional(watch_.first()->tile) : std::nullopt;
  }

  std::string explain_failure(Run& run, const chip::Stop&) override {
    if (!watch_.first()) return "";
    const Finding& finding = *watch_.first();
    const failure::Words words(program_, machine_, place_);
    const std::string text = tell(run, words, finding);
    if (options_.on_failure.empty()) return text;
    return text + failure::leave_files(run, options_, machine_, place_, {finding.tile}, text);
  }

 private:
  std::string tell(Run& run, const failure::Words& words, const Finding& f) const {
    const chip::Retire& r = f.record;
    const std::string place = words.address(f.tile, f.address, f.vertex);
    std::string text =
        fmt::format("{}, {}: failed check: {} of {} {} {:#x}{}{}", failure::capital(words.tile(f.tile)),
                    failure::context_name(r.context), f.store ? "store" : "load", failure::counted(f.bytes, "byte"),
                    f.store ? "to" : "from", f.address, place.empty() ? "" : ", " + place,
                    f.what == Finding::What::kUnwritten ? ", which nobody has written" : ", which is not the vertex's");
    text += failure::row("in", words.vertex(*f.vertex));
    text += failure::row("at", words.place(r.pc));
    const Run::Boundary superstep = run.boundary_before(r.cycle);
    std::string when =
        fmt::format("cycle {}, {} cycles into superstep {}", r.cycle, r.cycle - superstep.cycle, superstep.superstep);
    if (!options_.snapshots) return text + failure::row("when", when);

    failure::History history(program_, machine_.tiles(), {f.tile});
    history.begin(run, failure::begin_of_replay(run, r.cycle));
    run.replay(std::min(run.frontier(), r.cycle + kRecordDelay), &history);
    if (const std::string step = history.step(f.tile); !step.empty()) when += ", step " + step;
    text += failure::row("when", when);
    failure::History::Context context = history.tile(f.tile).contexts[r.context];
    while (!context.last.empty() && context.last.back().cycle > r.cycle) context.last.pop_back();
    const std::string last = failure::listing(words, context);
    if (!last.empty()) text += "\n  last instructions of " + failure::the_context(r.context) + ":" + last;
    const failure::Access access = failure::access_of(r.instruction);
    if (access.bytes == 0) return text;
    failure::Provenance provenance(run, words, std::min(run.frontier(), r.cycle + 1),
                                   {.depth = 5, .lines = 12, .cycles = 100'000});
    return text + "\n  where the address comes from:\n" +
           failure::tree(provenance.of_register(f.tile, r.context, {false, access.base}, f.vertex), 4);
  }

  const Options options_;
  const spec::Machine machine_;
  const spec::ChipPlace place_;
  names::ProgramInfo program_;  // findings refer to it
  MemoryWatch watch_;
};

}  // namespace

std::unique_ptr<Part> make_part(const Options& options, const spec::Machine& machine, const spec::ChipPlace& place) {
  if (!options.check) return nullptr;
  return std::make_unique<CheckPart>(options, machine, place);
}

}  // namespace tessera::inspect::check
