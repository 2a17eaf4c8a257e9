#include "tests/compiler/random_lives.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "compiler/passes/memory/allocate.h"
#include "compiler/passes/memory/find_lives.h"
#include "compiler/passes/phases/merge_host_phases.h"
#include "tb/random/random.h"

namespace tessera::test {
namespace {

using namespace tessera::compiler;
using Point = std::array<std::uint32_t, 3>;  // body, step, part

constexpr std::uint32_t kTiles = 4, kVariables = 40, kRuns = 40;

class Generator {
 public:
  Generator(std::uint64_t seed, Copies copies) : random_(seed), near_(copies == Copies::kNear) {
    program_.tiles = kTiles;
    for (std::uint32_t v = 0; v < kVariables; ++v) {
      const std::uint32_t bytes =
          near_ ? 8 * random_.pick({2u, 2u, 2u, 2u, 2u, 4u}) : 4 * (1 + random_.below(random_.one_in(4) ? 1000 : 100));
      for (std::uint32_t tile = 0; tile < kTiles; ++tile)
        blocks_of_.push_back(ir::add_block(program_.blocks, {.tile = tile, .bytes = bytes, .variable = v}));
      if (random_.one_in(10))
        for (std::uint32_t tile = 0; tile < kTiles; ++tile)
          program_.contents.push_back(
              {{block(v, tile), 0}, std::vector<std::uint8_t>(near_ ? bytes : 4, static_cast<std::uint8_t>(1 + v))});
      if (near_ && !program_.contents.empty() && program_.contents.back().at.block == blocks_of_.back())
        loaded_.insert(v);
    }
  }

  ir::Program run() {
    for (int i = 0; i < 2; ++i) {
      const std::uint32_t made = body(1, loaded_);
      program_.functions.push_back(made);
    }
    for (std::uint32_t i = 0; i < 1 + random_.below(2); ++i) {
      const std::uint32_t made = body(0, loaded_);
      program_.entries.push_back({"", false, made});
    }
    for (std::uint32_t i = 0; i < program_.functions.size(); ++i)
      if (!called_.contains(i)) clear(program_.functions[i]);
    return merge_host_phases(std::move(program_));
  }

 private:
  using Known = std::set<std::uint32_t>;  // variables that have been written before

  ir::BlockId block(std::uint32_t variable, std::uint32_t tile) const { return blocks_of_[kTiles * variable + tile]; }

  std::uint32_t source(const Known& known) {
    if (known.empty() || random_.one_in(40)) return random_.below(kVariables);
    return *std::next(known.begin(), random_.below(static_cast<std::uint32_t>(known.size())));
  }

  // What no program comes to has nothing that could be measured.
  void clear(std::uint32_t body) {
    for (const ir::Step& step : program_.bodies[body])
      for (const std::uint32_t inside : step.bodies) clear(inside);
    program_.bodies[body].clear();
  }

  std::uint32_t body(unsigned depth, Known known) {
    ir::Body steps;
    for (std::uint32_t v = 0; near_ && depth == 0 && v < kVariables / 2; v += 1 + random_.below(3)) {
      transfer(steps, v, true);
      known.insert(v);
    }
    for (std::uint32_t n = 2 + random_.below(depth == 0 ? 24 : 8); n > 0; --n) step(steps, depth, known);
    program_.bodies.push_back(std::move(steps));
    return static_cast<std::uint32_t>(program_.bodies.size() - 1);
  }

  // Variables of the upper half get values from vertices alone.
  void step(ir::Body& steps, unsigned depth, Known& known) {
    if (near_ && random_.one_in(3)) return copy_near(steps, known);
    switch (random_.below(depth < 3 ? 16 : 12)) {
      default: {
        const std::uint32_t to = random_.below(kVariables / 2) + (random_.one_in(4) ? 0 : kVariables / 2);
        compute(steps, {source(known), source(known)}, to);
        known.insert(to);
        return;
      }
      case 5:
      case 6:
      case 7: {
        const std::uint32_t to = random_.below(kVariables / 2);
        copy(steps, source(known), to);
        known.insert(to);
        return;
      }
      case 8: {
        const std::uint32_t to = random_.below(kVariables / 2);
        if (random_.one_in(2)) transfer(steps, source(known), false);
        transfer(steps, to, true);
        known.insert(to);
        return;
      }
      case 9:
        return transfer(steps, source(known), false);
      case 10: {
        ir::Step undef{.kind = ir::StepKind::kUndef, .name = "undef"};
        const std::uint32_t variable = source(known);
        for (std::uint32_t tile = 0; tile < kTiles; ++tile)
          undef.undefined.push_back({{block(variable, tile), 0}, program_.blocks[block(variable, tile)].bytes});
        known.erase(variable);
        return steps.push_back(std::move(undef));
      }
      case 11:
        if (depth != 0 || program_.functions.empty()) return;
        steps.push_back({.kind = ir::StepKind::kCall, .name = "call", .index = random_.below(2)});
        called_.insert(steps.back().index);
        return;
      case 12:
        return control(steps, ir::StepKind::kRepeat, 1, depth, known);
      case 13:
        return control(steps, ir::StepKind::kWhile, 2, depth, known);
      case 14:
      case 15:
        return control(steps, ir::StepKind::kIf, 2, depth, known);
    }
  }

  void control(ir::Body& steps, ir::StepKind kind, unsigned bodies, unsigned depth, const Known& known) {
    ir::Step step{.kind = kind, .name = "control", .count = 2};
    step.has_flag = kind != ir::StepKind::kRepeat;
    step.flag = {block(source(known), 0), 0};
    for (; bodies > 0; --bodies) step.bodies.push_back(body(depth + 1, known));
    steps.push_back(std::move(step));
  }

  // To one that is read next, as a rule.
  void copy_near(ir::Body& steps, Known& known) {
    const std::uint32_t to = random_.below(kVariables / 2), last = kVariables / 2 + random_.below(kVariables / 2);
    copy(steps, source(known), to);
    known.insert(to);
    if (random_.one_in(4)) return;
    compute(steps, {to, source(known)}, last);
    known.insert(last);
  }

  // As much as both have.
  void copy(ir::Body& steps, std::uint32_t from, std::uint32_t to) {
    ir::Exchange exchange{.name = "copy", .moves = {}};
    for (std::uint32_t tile = 0; tile < kTiles && from != to; ++tile) {
      const bool here = near_ && !random_.one_in(8);
      const ir::BlockId a = block(from, here ? tile : (tile + 1) % kTiles), b = block(to, tile);
      const std::uint32_t has = program_.blocks[a].bytes, takes = program_.blocks[b].bytes;
      const std::uint32_t bytes = std::min(has, takes);
      const std::uint32_t odd = random_.one_in(near_ ? 12 : 4) && bytes > 4 ? 1 : 0;  // by a staging buffer
      const auto part_of = [&](std::uint32_t whole) { return near_ ? 8 * random_.below((whole - bytes) / 8 + 1) : 0; };
      exchange.moves.push_back({{a, odd + part_of(has)}, {b, part_of(takes)}, bytes - odd});
      program_.blocks[b].copied = true;
    }
    program_.exchanges.push_back(std::move(exchange));
    steps.push_back({.kind = ir::StepKind::kCopy,
                     .name = "copy",
                     .index = static_cast<std::uint32_t>(program_.exchanges.size() - 1)});
  }

  void compute(ir::Body& steps, const std::vector<std::uint32_t>& from, std::uint32_t to) {
    ir::Compute compute{.id = 0, .name = "compute"};
    for (std::uint32_t tile = 0; tile < kTiles; ++tile) {
      ir::Vertex vertex{.tile = tile, .first_region = static_cast<std::uint32_t>(program_.regions.size())};
      for (const std::uint32_t variable : from) region(block(variable, tile), graph::FieldKind::kInput);
      region(block(to, tile), random_.one_in(6) ? graph::FieldKind::kInOut : graph::FieldKind::kOutput);
      vertex.regions = static_cast<std::uint32_t>(program_.regions.size()) - vertex.first_region;
      compute.vertices.push_back(vertex);
    }
    program_.computes.push_back(std::move(compute));
    steps.push_back({.kind = ir::StepKind::kCompute,
                     .name = "compute",
                     .index = static_cast<std::uint32_t>(program_.computes.size() - 1)});
  }

  void region(ir::BlockId block, graph::FieldKind access) {
    program_.regions.push_back(
        {.at = {block, 0}, .elements = program_.blocks[block].bytes / 4, .element_bytes = 4, .access = access});
  }

  void transfer(ir::Body& steps, std::uint32_t variable, bool to_device) {
    ir::HostTransfer transfer;
    for (std::uint32_t tile = 0; tile < kTiles; ++tile) {
      const ir::BlockId at = block(variable, tile);
      transfer.runs.push_back({{at, 0}, 0, program_.blocks[at].bytes / 4});
    }
    program_.host_transfers.push_back(std::move(transfer));
    program_.host.streams.push_back({.handle = "s" + std::to_string(program_.host.streams.size()),
                                     .use = to_device ? ir::StreamUse::kToDevice : ir::StreamUse::kFromDevice});
    steps.push_back({.kind = ir::StepKind::kHost,
                     .name = "transfer",
                     .transfers = {static_cast<std::uint32_t>(program_.host.streams.size() - 1)}});
  }

  Random random_;
  bool near_;
  ir::Program program_;
  std::vector<ir::BlockId> blocks_of_;  // by variable and tile
  std::set<std::uint32_t> called_;      // functions
  Known loaded_;                        // of near copies
};

struct Access {
  bool reads = false;
  std::uint64_t written = 0;  // bytes
  bool forgotten = false;
};
// One thing that happens in a run, and the blocks of it.
struct Event {
  Point point;
  std::map<ir::BlockId, Access> accesses;
};

class Runs {
 public:
  Runs(const ir::Program& program, const Plans& plans, const ir::Blocks& blocks, std::uint64_t seed)
      : program_(program), plans_(plans), blocks_(blocks), random_(seed) {
    Event load{{ir::kNone, 0, 0}, {}};
    for (const ir::Content& content : program.contents) {
      given_.insert(content.at.block);
      load.accesses[content.at.block].written = blocks[content.at.block].bytes;
    }
    for (ir::BlockId block = 0; block < program.blocks.size(); ++block)
      if (program.blocks[block].copied) given_.insert(block);
    for (std::size_t i = 0; i < program.host_transfers.size(); ++i)
      for (const ir::HostRun& run : program.host_transfers[i].runs)
        if (ir::is_to_device(program.host.streams[i].use)) given_.insert(run.at.block);
    events_.push_back(load);
    for (std::uint32_t i = 0; i < kRuns; ++i) {
      run(program.entries[random_.below(static_cast<std::uint32_t>(program.entries.size()))].body);
      events_.push_back({{ir::kNone, 0, 0}, {}});
    }
  }

  // By point: what holds something that is wanted, or is touched.
  std::map<Point, std::set<ir::BlockId>> live() const {
    std::map<Point, std::set<ir::BlockId>> live;
    std::set<ir::BlockId> wanted;
    for (auto event = events_.rbegin(); event != events_.rend(); ++event) {
      std::set<ir::BlockId>& here = live[event->point];
      for (const auto& [block, access] : event->accesses) {
        if (access.written == blocks_[block].bytes || access.forgotten) wanted.erase(block);
        if (access.reads) wanted.insert(block);
        if (!access.forgotten) here.insert(block);
      }
      here.insert(wanted.begin(), wanted.end());
    }
    return live;
  }

 private:
  void run(std::uint32_t body) {
    for (std::uint32_t i = 0; i < program_.bodies[body].size(); ++i) run(program_.bodies[body][i], {body, i, 0});
  }

  void test(const ir::Step& step, const Point& point) {
    Event event{point, {}};
    event.accesses[step.flag.block].reads = true;
    events_.push_back(std::move(event));
  }

  void run(const ir::Step& step, const Point& point) {
    switch (step.kind) {
      case ir::StepKind::kRepeat:
        for (std::uint32_t turns = 1 + random_.below(3); turns > 0; --turns) run(step.bodies[0]);
        return;
      case ir::StepKind::kWhile:
        for (std::uint32_t turns = random_.below(3);; --turns) {
          run(step.bodies[0]);
          test(step, point);
          if (turns == 0) return;
          run(step.bodies[1]);
        }
      case ir::StepKind::kIf:
        test(step, point);
        return run(step.bodies[random_.below(2)]);
      case ir::StepKind::kCall:
        return run(program_.functions[step.index]);
      default:
        events_.push_back(event(step, point));
    }
  }

  Event event(const ir::Step& step, const Point& point) const {
    Event event{point, {}};
    if (step.kind == ir::StepKind::kCopy) {
      for (const ir::Move& move : program_.exchanges[step.index].moves) {
        event.accesses[move.source.block].reads = true;
        event.accesses[move.target.block].written += move.bytes;
      }
      const ExchangePlan& plan = plans_.exchanges[step.index];
      for (const Receiver& receiver : plan.traffic.receivers) staged(event, receiver.to.block);
      for (const LocalCopy& copy : plan.before.copies) staged(event, copy.target.block);
    } else if (step.kind == ir::StepKind::kCompute) {
      for (const ir::Vertex& vertex : program_.computes[step.index].vertices)
        for (std::uint32_t i = vertex.first_region; i < vertex.first_region + vertex.regions; ++i) {
          const ir::Region& region = program_.regions[i];
          Access& access = event.accesses[region.at.block];
          if (region.access != graph::FieldKind::kOutput || given_.contains(region.at.block)) access.reads = true;
          if (region.access != graph::FieldKind::kInput) access.written = blocks_[region.at.block].bytes;
        }
    } else if (step.kind == ir::StepKind::kHost) {
      for (const std::uint32_t transfer : step.transfers) {
        const bool to_device = ir::is_to_device(program_.host.streams[transfer].use);
        for (const ir::HostRun& run : program_.host_transfers[transfer].runs)
          if (to_device)
            event.accesses[run.at.block].written = blocks_[run.at.block].bytes;
          else
            event.accesses[run.at.block].reads = true;
      }
    } else {
      for (const ir::Span& span : step.undefined) event.accesses[span.at.block].forgotten = true;
    }
    return event;
  }

  void staged(Event& event, ir::BlockId block) const {
    if (block >= program_.blocks.size()) event.accesses[block].written = blocks_[block].bytes;
  }

  const ir::Program& program_;
  const Plans& plans_;
  const ir::Blocks& blocks_;
  Random random_;
  std::set<ir::BlockId> given_;  // a value by other than vertices, which may read their outputs then
  std::vector<Event> events_;
};

std::string find_overlap(const ir::Blocks& blocks, const Layout& layout, const std::set<ir::BlockId>& live) {
  std::vector<std::tuple<std::uint32_t, std::uint32_t, ir::BlockId>> order;
  for (const ir::BlockId block : live) order.emplace_back(blocks[block].tile, layout.addresses[block], block);
  std::sort(order.begin(), order.end());
  for (std::size_t i = 1; i < order.size(); ++i) {
    const auto& [tile, address, block] = order[i - 1];
    if (std::get<0>(order[i]) == tile && std::get<1>(order[i]) < address + blocks[block].bytes)
      return fmt::format("blocks {} and {} on tile {}", block, std::get<2>(order[i]), tile);
  }
  return "";
}

}  // namespace

ir::Program random_program(std::uint64_t seed, Copies copies) { return Generator(seed, copies).run(); }

namespace {

// Bytes of each tile.
struct ProgramUse {
  std::vector<std::uint64_t> used, bound;
  std::uint64_t apart = 0;
  std::string overlap;
};

ProgramUse measure(const ir::Program& program, std::uint64_t seed) {
  const spec::Machine machine = spec::load_machine("mk2-4");
  Text text;
  text.text_end = machine.memory_base + 1000;
  text.data_base = machine.memory_end() - 16;
  ir::Blocks blocks = program.blocks;
  const Plans plans = plan_exchanges(program, blocks);
  const Lives lives = find_lives(program, plans, blocks, true);
  const Layout layout = allocate({}, machine, text, program, lives, blocks);

  ProgramUse use;
  use.used.assign(kTiles, 0);
  use.bound.assign(kTiles, 0);
  const std::uint64_t begin = machine.memory_base + machine.element_bytes + 8;
  for (ir::BlockId id = 0; id < blocks.size(); ++id) {
    use.apart += blocks[id].bytes;
    if (lives.of(id).empty()) continue;  // nothing touches it
    std::uint64_t& used = use.used[blocks[id].tile];
    used = std::max<std::uint64_t>(used, layout.addresses[id] + blocks[id].bytes - begin);
  }
  for (const auto& [point, live] : Runs(program, plans, blocks, seed).live()) {
    std::vector<std::uint64_t> bytes(kTiles);
    for (const ir::BlockId block : live) bytes[blocks[block].tile] += blocks[block].bytes;
    for (std::uint32_t tile = 0; tile < kTiles; ++tile) use.bound[tile] = std::max(use.bound[tile], bytes[tile]);
    if (use.overlap.empty()) use.overlap = find_overlap(blocks, layout, live);
  }
  return use;
}

}  // namespace

MemoryUse measure_memory(unsigned programs) {
  MemoryUse all;
  std::uint64_t used = 0, apart = 0;
  for (unsigned seed = 1; seed <= programs; ++seed) {
    const ProgramUse use = measure(random_program(seed), seed);
    if (!use.overlap.empty() && all.overlap.empty())
      all.overlap = fmt::format("program {}: {} were live together and overlap", seed, use.overlap);
    apart += use.apart;
    for (std::size_t tile = 0; tile < kTiles; ++tile) {
      if (use.bound[tile] == 0) continue;
      const double times = static_cast<double>(use.used[tile]) / static_cast<double>(use.bound[tile]);
      all.worst = std::max(all.worst, times);
      all.mean += times;
      ++all.tiles;
      used += use.used[tile];
    }
  }
  all.mean /= static_cast<double>(all.tiles);
  all.of_apart = static_cast<double>(used) / static_cast<double>(apart);
  return all;
}

}  // namespace tessera::test
