#include "compiler/passes/compile.h"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "compiler/graph/validate.h"
#include "compiler/passes/allocate.h"
#include "compiler/passes/assign_workers.h"
#include "compiler/passes/build_image.h"
#include "compiler/passes/emit_control.h"
#include "compiler/passes/emit_state.h"
#include "compiler/passes/link_text.h"
#include "compiler/passes/lower_programs.h"
#include "compiler/passes/plan_exchange.h"
#include "compiler/passes/schedule_exchange.h"

namespace tessera::compiler {
namespace {

constexpr unsigned kPasses = 10;

class PassRunner {
 public:
  explicit PassRunner(const GraphCompileOptions& options) : options_(options) {
    if (!options_.dump_directory.empty()) std::filesystem::create_directories(options_.dump_directory);
  }

  void begin(const std::string& pass) {
    if (options_.progress) options_.progress(done_, kPasses, pass);
    ++done_;
    pass_ = pass;
  }

  // `text` is only made when dumps are wanted.
  template <class Text>
  void dump(const Text& text) {
    if (options_.dump_directory.empty()) return;
    char number[8];
    std::snprintf(number, sizeof number, "%02u-", done_);
    std::ofstream(std::filesystem::path(options_.dump_directory) / (number + pass_ + ".txt")) << text();
  }

 private:
  const GraphCompileOptions& options_;
  unsigned done_ = 0;
  std::string pass_;
};

}  // namespace

image::Executable compile(const graph::Graph& graph, const std::vector<graph::ProgramRef>& programs,
                          const spec::Machine& machine, const GraphCompileOptions& options) {
  PassRunner passes(options);
  passes.begin("validate");
  graph::validate(graph, programs);

  passes.begin("lower_programs");
  Lowered lowered = lower_programs(graph, programs, machine.tiles());
  passes.dump([&] { return dump(lowered, graph); });

  passes.begin("assign_workers");
  for (Compute& compute : lowered.computes) assign_workers(graph, compute);
  passes.dump([&] { return dump_workers(lowered, graph); });

  passes.begin("plan_exchange");
  for (std::uint32_t i = 0; i < lowered.exchanges.size(); ++i) plan_exchange(lowered, i);
  passes.dump([&] { return dump_plans(lowered); });

  passes.begin("schedule_exchange");
  for (Exchange& exchange : lowered.exchanges) exchange.schedule = schedule_exchange(exchange.traffic, machine);
  passes.dump([&] {
    std::string text;
    for (const Exchange& exchange : lowered.exchanges) text += exchange.name + ": " + dump(exchange.schedule);
    return text;
  });

  passes.begin("link_text");
  const Text text = link_text(graph, lowered, machine);
  passes.dump([&] { return dump(text); });

  passes.begin("emit_state");
  emit_state(graph, text, lowered);
  passes.dump([&] { return dump_contents(lowered); });

  passes.begin("emit_control");
  ControlCode code = emit_control(graph, text, lowered);
  passes.dump([&] {
    std::string all;
    for (std::uint32_t tile = 0; tile < lowered.tiles; ++tile) all += dump(code, tile);
    return all;
  });

  passes.begin("allocate");
  std::vector<image::TileUsage> usage = allocate(graph, machine, text, lowered);
  passes.dump([&] { return dump_memory(lowered); });

  passes.begin("build_image");
  image::Executable executable = build_image(graph, machine, text, lowered, code, std::move(usage));
  passes.dump([&] { return image::dump(executable); });
  if (options.progress) options.progress(kPasses, kPasses, "done");
  return executable;
}

}  // namespace tessera::compiler
