#include "compiler/passes/compile.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <utility>

#include "compiler/graph/validate.h"
#include "compiler/ir/text.h"
#include "compiler/parallel/parallel.h"
#include "compiler/passes/build_image.h"
#include "compiler/passes/control/emit_control.h"
#include "compiler/passes/exchange/plan_exchange.h"
#include "compiler/passes/exchange/schedule_chips.h"
#include "compiler/passes/exchange/schedule_exchange.h"
#include "compiler/passes/lower/lower_programs.h"
#include "compiler/passes/memory/allocate.h"
#include "compiler/passes/memory/find_lives.h"
#include "compiler/passes/memory/out_of_tile_memory.h"
#include "compiler/passes/memory/share_constants.h"
#include "compiler/passes/memory/views.h"
#include "compiler/passes/phases/merge_host_phases.h"
#include "compiler/passes/phases/merge_phases.h"
#include "compiler/passes/phases/split_chips.h"
#include "compiler/passes/remote/overlap_remote.h"
#include "compiler/passes/remote/row_owners.h"
#include "compiler/passes/text/link_text.h"
#include "compiler/passes/text/tile_text.h"
#include "compiler/passes/vertices/assign_workers.h"
#include "compiler/passes/vertices/emit_state.h"
#include "compiler/passes/vertices/vertex_costs.h"
#include "formats/whole_file.h"

namespace tessera::compiler {
namespace {

constexpr unsigned kPasses = 14;

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

  // The passes after the first `done` are run again.
  void back_to(unsigned done) { done_ = done; }
  unsigned done() const { return done_; }

  template <class Result>
  void end(const Result& result) {
    if (options_.finished) options_.finished(pass_, result());
  }
  // `text` is only made when dumps are wanted, `result` when somebody wants to know.
  template <class Text, class Result>
  void end(const Text& text, const Result& result) {
    dump(text);
    end(result);
  }

 private:
  template <class Text>
  void dump(const Text& text) {
    if (options_.dump_directory.empty()) return;
    char number[8];
    std::snprintf(number, sizeof number, "%02u-", done_);
    formats::write_whole_file(std::filesystem::path(options_.dump_directory) / (number + pass_ + ".txt"), text());
  }

  const GraphCompileOptions& options_;
  unsigned done_ = 0;
  std::string pass_;
};

// "3 vertices, 12 exchanges"
std::string counted(std::initializer_list<std::pair<std::size_t, const char*>> numbers) {
  std::string text;
  for (const auto& [number, what] : numbers) text += (text.empty() ? "" : ", ") + std::to_string(number) + " " + what;
  return text;
}

std::size_t number_of_steps(const std::vector<ir::Body>& bodies) {
  std::size_t steps = 0;
  for (const ir::Body& body : bodies) steps += body.size();
  return steps;
}

std::size_t number_of_host_phases(const std::vector<ir::Body>& bodies) {
  std::size_t phases = 0;
  for (const ir::Body& body : bodies)
    phases += std::count_if(body.begin(), body.end(), [](const auto& s) { return s.kind == ir::StepKind::kHost; });
  return phases;
}

// Of `given` only costs of vertices are changed.
image::Executable lay_out(const graph::Graph& graph, ir::Program& given, const spec::Machine& machine,
                          const GraphCompileOptions& options, PassRunner& passes) {
  passes.begin("find_views");
  Views views;
  if (options.optimise.view_copies && options.optimise.share_memory)
    views = find_views(given, find_kept_apart(graph, given), options.threads);
  std::optional<ir::Program> viewed;
  if (views.any()) use_views(views, viewed.emplace(given));
  ir::Program& program = viewed ? *viewed : given;
  passes.end([&] { return dump(views, program.blocks); },
             [&] {
               std::size_t number = 0;
               for (ir::BlockId id = 0; id < views.homes.size(); ++id) number += !has_own_memory(views.homes, id);
               return counted({{number, "views"}});
             });

  passes.begin("link_text");
  Text text = link_text(graph, program, machine, options.optimise.tile_text);
  if (options.worker_stack) set_worker_stack(text, *options.worker_stack);
  if (options.optimise.tile_text) text.tiles = tile_text(text, program, machine);
  passes.end([&] { return dump(text) + dump(text.tiles); },
             [&] {
               return counted({{text.text_end - machine.memory_base, "bytes of text"},
                               {text.worker_stack, "bytes of stack a worker"}});
             });

  passes.begin("assign_workers");
  estimate_costs(graph, text, program, options.threads, options.estimates);
  assign_workers(program, options.threads);
  passes.end([&] { return dump_workers(program); },
             [&] {
               std::size_t vertices = 0;
               for (const ir::Compute& compute : program.computes) vertices += compute.vertices.size();
               return counted({{vertices, "vertices on workers"}});
             });
  passes.begin("plan_exchange");
  ir::Blocks blocks = program.blocks;  // grows from here on
  Plans plans = plan_exchanges(program, blocks, options.threads, options.optimise.send_in_place);
  passes.end([&] { return dump(program, plans, blocks); },
             [&] {
               std::size_t copies = 0;
               for (const ExchangePlan& plan : plans.exchanges)
                 copies += plan.before.copies.size() + plan.after.copies.size();
               return counted({{copies, "copies inside tiles"}});
             });

  passes.begin("find_lives");
  Lives lives = find_lives(program, plans, blocks, options.optimise.share_memory, options.threads);
  add_lives(views, lives);
  passes.end([&] { return dump(lives, blocks); },
             [&] { return counted({{lives.points.points, "points"}, {lives.lives.size(), "different lives"}}); });

  Homes homes = views.any() ? views.homes : own_homes(program.blocks.size());
  if (options.optimise.share_constants) share_constants(program, lives, find_kept_apart(graph, program), blocks, homes);

  passes.begin("schedule_exchange");
  std::vector<Schedule> schedules(plans.exchanges.size());
  parallel(options.threads, schedules.size(), [&](std::size_t i) {
    schedules[i] =
        schedule_chips(plans.exchanges[i].traffic, program.chips, blocks, machine, options.optimise.pair_transfers);
    plans.exchanges[i].traffic = {};  // from here on the schedule tells what travels
  });
  passes.end(
      [&] {
        std::string text;
        for (std::size_t i = 0; i < schedules.size(); ++i)
          text += program.exchanges[i].name + ": " + dump(schedules[i]);
        return text;
      },
      [&] {
        std::size_t events = 0;
        for (const Schedule& schedule : schedules) events += schedule.events.size();
        return counted({{events, "events"}});
      });

  passes.begin("emit_state");
  const State state = emit_state(graph, text, program, plans, schedules, blocks, options.threads);
  passes.end([&] { return dump(state, blocks); }, [&] { return counted({{blocks.size(), "blocks"}}); });

  passes.begin("emit_control");
  const ControlInput input{program, plans, schedules, text, state};
  const ControlCode code = emit_control(input, options.optimise, blocks, options.threads);
  passes.end(
      [&] {
        std::string all;
        for (std::uint32_t tile = 0; tile < program.tiles; ++tile) all += dump(code, tile);
        return all;
      },
      [&] {
        std::size_t words = 0;
        for (const TileCode& tile : code.tiles) words += tile.words.size();
        return counted({{words, "instructions"}});
      });

  passes.begin("allocate");
  const Layout layout =
      allocate(graph, machine, text, program, lives, blocks, homes, options.guard, options.out_of_memory, plans.apart);
  passes.end([&] { return dump_memory(blocks, lives, layout); },
             [&] {
               std::size_t all = 0, most = 0;
               for (const image::TileUsage& tile : layout.usage) {
                 all += tile.total;
                 most = std::max<std::size_t>(most, tile.total);
               }
               return counted({{all, "bytes"}, {most, "on the fullest tile"}});
             });

  passes.begin("build_image");
  const bool fits = options.out_of_memory == nullptr || options.out_of_memory->empty();
  const LaidOut laid_out{input, code, blocks, lives, layout};
  image::Executable executable = fits ? build_image(graph, machine, laid_out, options.threads)
                                      : describe_only(graph, machine, laid_out, options.threads);
  passes.end([&] { return image::dump(executable); },
             [&] {
               std::size_t words = 0;
               for (const image::ChipImage& chip : executable.chips)
                 image::for_each_segment(
                     chip, [&](std::uint32_t, const image::Segment& segment) { words += segment.words.size(); });
               return counted({{words, "words to load"}});
             });
  if (options.progress) options.progress(kPasses, kPasses, "done");
  return executable;
}

// Whether a body has two phases that could become one.
bool may_merge(const ir::Program& program) {
  const auto several = [](const ir::Body& body) {
    const auto count = [&](ir::StepKind kind) {
      return std::count_if(body.begin(), body.end(), [&](const ir::Step& step) { return step.kind == kind; });
    };
    return count(ir::StepKind::kCopy) > 1 || count(ir::StepKind::kHost) > 1 || count(ir::StepKind::kRemote) > 0;
  };
  return std::any_of(program.bodies.begin(), program.bodies.end(), several);
}

bool sends_packets(const ir::Program& program) {
  const auto sends = [](const ir::Step& step) { return step.kind == ir::StepKind::kPackets; };
  return std::ranges::any_of(program.bodies, [&](const ir::Body& body) { return std::ranges::any_of(body, sends); });
}

void check_chips(const graph::Graph& graph, const spec::Machine& machine, std::uint32_t chips) {
  if (chips == 1 || graph.num_tiles == chips * machine.tiles()) return;
  throw graph::GraphError(graph::GraphErrorKind::kTileMapping,
                          "A graph of " + std::to_string(graph.num_tiles) + " tiles for " + std::to_string(chips) +
                              " chips of " + machine.name + ", which have " + std::to_string(chips * machine.tiles()));
}

// What merge_host_phases(), merge_phases() and overlap_remote() change of a program.
struct Phases {
  std::vector<ir::Exchange> exchanges;
  std::vector<ir::Body> bodies;
};

// Should tiles be too small, cycles are given up for memory: packets are made in buffers that need no elements of their
// own, then code is held once wherever that makes it smaller, then phases are left apart, whose buffers are not in use
// at one time.
image::Executable merge_and_lay_out(const graph::Graph& graph, ir::Program program, const spec::Machine& machine,
                                    const GraphCompileOptions& options, PassRunner& passes) {
  const bool merges = (options.optimise.merge_phases || options.optimise.merge_host_phases) && may_merge(program);
  Phases unmerged;
  if (merges) unmerged = {program.exchanges, program.bodies};

  passes.begin("merge_host_phases");
  if (options.optimise.merge_host_phases) program = merge_host_phases(std::move(program));
  passes.end([&] { return ir::print(program); },
             [&] { return counted({{number_of_host_phases(program.bodies), "host phases"}}); });

  passes.begin("merge_phases");
  if (options.optimise.merge_phases) program = overlap_remote(merge_phases(std::move(program)));
  bool merged = merges && program.bodies != unmerged.bodies;
  program = split_chips(std::move(program));
  passes.end(
      [&] { return ir::print(program); },
      [&] { return counted({{number_of_steps(program.bodies), "steps"}, {program.exchanges.size(), "exchanges"}}); });
  GraphCompileOptions attempt = options;
  bool in_place = options.optimise.send_in_place && sends_packets(program);
  bool larger_code = options.optimise.outline == Outlining::kFree;
  for (const unsigned done = passes.done();; passes.back_to(done)) {
    const bool last = !in_place && !larger_code && !merged;
    try {
      image::Executable executable = lay_out(graph, program, machine, attempt, passes);
      if (last || options.out_of_memory == nullptr || options.out_of_memory->empty()) return executable;
      options.out_of_memory->clear();
    } catch (const OutOfTileMemory&) {
      if (last) throw;
    }
    if (std::exchange(in_place, false)) {
      attempt.optimise.send_in_place = false;
      continue;
    }
    if (std::exchange(larger_code, false)) {
      attempt.optimise.outline = Outlining::kSmallest;
      continue;
    }
    merged = false;
    program.exchanges = std::move(unmerged.exchanges);
    program.bodies = std::move(unmerged.bodies);
    program = split_chips(std::move(program));
  }
}

}  // namespace

image::Executable compile(const graph::Graph& graph, const std::vector<graph::ProgramRef>& programs,
                          const spec::Machine& machine, const GraphCompileOptions& options) {
  PassRunner passes(options);
  passes.begin("validate");
  for (const graph::Variable& variable : graph.variables) variable.mapping.settle();  // threads read them
  check_chips(graph, machine, options.chips);
  graph::validate(graph, programs, options.threads, options.chips > 1 ? machine.tiles() : graph::kNoTile);
  passes.end([&] {
    return counted({{graph.variables.size(), "variables"},
                    {graph.vertices.size(), "vertices"},
                    {graph.compute_sets.size(), "compute sets"},
                    {programs.size(), "programs"}});
  });

  passes.begin("lower_programs");
  ir::Program program =
      lower_programs(graph, programs, options.chips * machine.tiles(), options.threads,
                     {options.chips, options.replica_syncs, options.replicas_independent}, options.gateways);
  confirm_writes(program, machine.block_tiles());
  passes.end([&] { return ir::print(program); },
             [&] {
               return counted({{number_of_steps(program.bodies), "steps"},
                               {program.computes.size(), "compute phases"},
                               {program.exchanges.size(), "exchanges"},
                               {program.host.streams.size(), "host transfers"}});
             });

  return merge_and_lay_out(graph, std::move(program), machine, options, passes);
}

image::Executable compile(const graph::Graph& graph, ir::Program program, const spec::Machine& machine,
                          const GraphCompileOptions& options) {
  PassRunner passes(options);
  return merge_and_lay_out(graph, std::move(program), machine, options, passes);
}

}  // namespace tessera::compiler
