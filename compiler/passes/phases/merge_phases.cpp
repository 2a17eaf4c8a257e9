#include "compiler/passes/phases/merge_phases.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "compiler/ir/accesses.h"
#include "compiler/passes/phases/buffer_memory.h"
#include "compiler/passes/phases/dead_moves.h"
#include "compiler/passes/phases/dependences.h"
#include "compiler/passes/phases/forward_copies.h"
#include "compiler/passes/phases/phase_order.h"

namespace tessera::compiler {
namespace {

using ir::StepKind;

// Names of parts that the name of a merged step tells; of others their number.
constexpr std::size_t kNamesTold = 3;
// Exchanges made from one of which a step's is looked for before another is made: bounds the time.
constexpr std::size_t kVariantsCompared = 8;

bool is_copy(const ir::Step& step) { return step.kind == StepKind::kCopy; }
bool enters_bodies(const ir::Step& step) { return !step.bodies.empty() || step.kind == StepKind::kCall; }
bool enters_any(const ir::Program& program) {
  return std::any_of(program.bodies.begin(), program.bodies.end(),
                     [](const ir::Body& body) { return std::any_of(body.begin(), body.end(), enters_bodies); });
}

class PhaseMerging {
 public:
  explicit PhaseMerging(ir::Program program)
      : program_(std::move(program)),
        bodies_(enters_any(program_) ? ir::accesses_of_bodies(program_) : std::vector<ir::Accesses>()),
        buffers_(program_),
        moved_(program_.blocks.size()) {}

  ir::Program run() {
    for (ir::Body& body : program_.bodies) {
      ir::Body old = std::move(body);
      body.clear();
      for (std::size_t i = 0; i < old.size();) {
        std::size_t end = i;
        while (end < old.size() && !is_fence(old[end])) ++end;
        std::vector<ir::Step> row(std::make_move_iterator(old.begin() + static_cast<std::ptrdiff_t>(i)),
                                  std::make_move_iterator(old.begin() + static_cast<std::ptrdiff_t>(end)));
        if (std::count_if(row.begin(), row.end(), is_copy) > 1) row = merged(std::move(row));
        std::move(row.begin(), row.end(), std::back_inserter(body));
        if (end < old.size()) body.push_back(std::move(old[end++]));
        i = end;
      }
    }
    drop_unused_exchanges();
    return std::move(program_);
  }

 private:
  using Groups = std::vector<std::vector<std::uint32_t>>;

  // What is known of an exchange or a compute.
  struct Known {
    ir::Accesses accesses;
    std::vector<ir::BlockId> buffers;  // ascending
    bool reads_buffers = false, has_traffic = false;
  };

  bool is_fence(const ir::Step& step) const {
    if (step.kind == StepKind::kHost || step.kind == StepKind::kSync) return true;
    const std::uint32_t called = step.kind == StepKind::kCall ? program_.functions[step.index] : ir::kNone;
    if (called != ir::kNone && bodies_[called].fence) return true;
    return std::any_of(step.bodies.begin(), step.bodies.end(), [&](std::uint32_t b) { return bodies_[b].fence; });
  }
  Known know(ir::Accesses accesses) const {
    Known known{std::move(accesses), {}, false, false};
    const auto look = [&](const std::vector<ir::Span>& spans) {
      bool any = false;
      for (const ir::Span& span : spans) {
        if (program_.blocks[span.at.block].use != ir::BlockUse::kBuffer) continue;
        any = true;
        if (known.buffers.empty() || known.buffers.back() != span.at.block) known.buffers.push_back(span.at.block);
      }
      return any;
    };
    known.reads_buffers = look(known.accesses.reads);
    look(known.accesses.writes);
    look(known.accesses.may_write);
    std::sort(known.buffers.begin(), known.buffers.end());
    known.buffers.erase(std::unique(known.buffers.begin(), known.buffers.end()), known.buffers.end());
    return known;
  }
  const Known& known_of_exchange(std::uint32_t index) {
    const auto [at, fresh] = exchanges_.try_emplace(index);
    if (fresh) {
      at->second = know(ir::accesses(program_.exchanges[index]));
      for (const ir::Move& m : program_.exchanges[index].moves)
        at->second.has_traffic |= program_.blocks[m.source.block].tile != program_.blocks[m.target.block].tile;
    }
    return at->second;
  }
  const Known& known_of_compute(std::uint32_t index) {
    const auto [at, fresh] = computes_.try_emplace(index);
    if (fresh) at->second = know(ir::accesses(program_, program_.computes[index]));
    return at->second;
  }
  const Known* known_of(const ir::Step& step) {
    if (is_copy(step)) return &known_of_exchange(step.index);
    return step.kind == StepKind::kCompute ? &known_of_compute(step.index) : nullptr;
  }
  // visit(accesses) of all that the step does.
  template <class Visit>
  void with_accesses(const ir::Step& step, const Visit& visit) {
    const Known* known = known_of(step);
    if (known == nullptr) return visit(ir::accesses(program_, step, bodies_));
    if (!step.has_flag) return visit(known->accesses);
    ir::Accesses all = known->accesses;
    all.writes.push_back({step.flag, static_cast<std::uint32_t>(graph::size_of(step.flag_type))});
    visit(all);
  }

  // --- a row of steps between two fences

  std::vector<ir::Step> merged(std::vector<ir::Step> steps) {
    find_read();
    forward(steps);
    mark_moved(steps);
    drop_dead_moves(steps);
    Groups groups = order(steps);
    // Copies that have come to stand side by side may read each other's sources, too.
    std::vector<ir::Step> moved = in_order(steps, groups);
    if (forward(moved)) {
      steps = std::move(moved);
      drop_dead_moves(steps);
      groups = order(steps);
    }
    for (const ir::BlockId block : marked_) moved_[block] = false;
    marked_.clear();
    std::vector<ir::Step> merged;
    for (const std::vector<std::uint32_t>& group : groups) {
      std::vector<ir::Step> parts;
      for (const std::uint32_t node : group)
        if (step_of_[node] != ir::kNone) parts.push_back(std::move(steps[step_of_[node]]));
      if (parts.empty()) continue;  // a wall
      merged.push_back(parts.size() == 1 ? std::move(parts[0]) : join(parts));
    }
    return merged;
  }

  // Whether that has changed anything.
  bool forward(std::vector<ir::Step>& steps) {
    bool changed = false;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      std::size_t end = i;
      while (end < steps.size() && is_copy(steps[end])) ++end;
      if (end - i > 1)
        for (NewMoves& made : forward_copies(program_, {steps.data() + i, end - i})) {
          replace_moves(steps[i + made.step], std::move(made.moves));
          changed = true;
        }
      i = end;
    }
    return changed;
  }

  std::vector<ir::Step> in_order(const std::vector<ir::Step>& steps, const Groups& groups) const {
    std::vector<ir::Step> result;
    for (const std::vector<std::uint32_t>& group : groups)
      for (const std::uint32_t node : group)
        if (step_of_[node] != ir::kNone) result.push_back(steps[step_of_[node]]);
    return result;
  }

  // Before the first row is merged: many programs have none.
  void find_read() {
    if (!read_.empty()) return;
    read_.resize(program_.blocks.size());
    for (const ir::Exchange& exchange : program_.exchanges)
      for (const ir::Move& m : exchange.moves) read_[m.source.block] = true;
    for (const ir::Region& region : program_.regions) read_[region.at.block] = true;
    for (const ir::HostTransfer& transfer : program_.host_transfers) {
      for (const ir::HostRun& run : transfer.runs) read_[run.at.block] = true;
      for (const ir::Span& numbers : transfer.remote.numbers) read_[numbers.at.block] = true;
      for (const ir::Move& m : transfer.after) read_[m.source.block] = true;
    }
  }

  void drop_dead_moves(std::vector<ir::Step>& steps) {
    const auto relevant = [&](ir::BlockId block) { return moved_[block]; };
    const auto unread = [&](ir::BlockId block) {
      return program_.blocks[block].use == ir::BlockUse::kBuffer && !read_[block];
    };
    DeadMoves later;
    for (std::size_t i = steps.size(); i-- > 0;) {
      if (is_copy(steps[i])) {
        const std::vector<ir::Move>& moves = program_.exchanges[steps[i].index].moves;
        const std::vector<bool> dead = later.dead(moves, unread);
        if (std::find(dead.begin(), dead.end(), true) != dead.end()) {
          std::vector<ir::Move> kept;
          for (std::size_t m = 0; m < moves.size(); ++m)
            if (!dead[m]) kept.push_back(moves[m]);
          replace_moves(steps[i], std::move(kept));
        }
      }
      with_accesses(steps[i], [&](const ir::Accesses& accesses) { later.before(accesses, relevant); });
    }
    std::erase_if(steps, [&](const ir::Step& s) { return is_copy(s) && program_.exchanges[s.index].moves.empty(); });
  }

  void mark_moved(const std::vector<ir::Step>& steps) {
    for (const ir::Step& step : steps) {
      if (!is_copy(step)) continue;
      for (const ir::Move& m : program_.exchanges[step.index].moves)
        for (const ir::BlockId block : {m.source.block, m.target.block})
          if (!moved_[block]) moved_[block] = true, marked_.push_back(block);
    }
  }

  // Groups of nodes; step_of_ says what they are.
  Groups order(const std::vector<ir::Step>& steps) {
    std::vector<OrderedStep> nodes;
    std::vector<std::uint32_t> users;  // of buffers, since the last wall
    std::uint32_t wall = ir::kNone;    // nothing that uses buffers moves over it
    step_of_.clear();
    const auto put_wall = [&](std::uint32_t node) {
      nodes[node].after.insert(nodes[node].after.end(), users.begin(), users.end());
      users.clear();
      wall = node;
    };
    Dependences dependences;
    std::vector<std::uint32_t> node_of;
    const auto relevant = [&](ir::BlockId block) { return moved_[block]; };
    buffers_.begin_row();
    for (std::uint32_t s = 0; s < steps.size(); ++s) {
      const Known* known = known_of(steps[s]);
      if (known != nullptr && !buffers_.fits(known->buffers)) {
        step_of_.push_back(ir::kNone);
        nodes.emplace_back();
        put_wall(static_cast<std::uint32_t>(nodes.size() - 1));
      }
      const auto node = static_cast<std::uint32_t>(nodes.size());
      node_of.push_back(node);
      step_of_.push_back(s);
      nodes.emplace_back();
      if (is_copy(steps[s])) {
        nodes[node].kind = known->has_traffic ? OrderedStep::Kind::kTraffic : OrderedStep::Kind::kLocal;
        nodes[node].reads_buffers = known->reads_buffers;
      }
      with_accesses(steps[s], [&](const ir::Accesses& accesses) {
        for (const std::uint32_t before : dependences.add(accesses, relevant))
          if (is_copy(steps[before]) || is_copy(steps[s])) nodes[node].after.push_back(node_of[before]);
      });
      if (enters_bodies(steps[s])) {
        put_wall(node);  // other steps' buffers are in use while it runs
      } else if (is_copy(steps[s]) && !known->buffers.empty()) {
        users.push_back(node);
        if (wall != ir::kNone) nodes[node].after.push_back(wall);
      }
    }
    for (OrderedStep& node : nodes) {
      std::sort(node.after.begin(), node.after.end());
      node.after.erase(std::unique(node.after.begin(), node.after.end()), node.after.end());
    }
    return order_phases(nodes);
  }

  // --- exchanges

  ir::Step join(const std::vector<ir::Step>& parts) {
    ir::Step step;
    std::vector<std::uint32_t> exchanges;
    std::set<std::string> names;
    for (const ir::Step& part : parts) {
      exchanges.push_back(part.index);
      if (names.insert(part.name).second && names.size() <= kNamesTold)
        step.name += (step.name.empty() ? "" : " + ") + part.name;
    }
    if (names.size() > kNamesTold) step.name += " + " + std::to_string(names.size() - kNamesTold) + " more";
    const auto [known, fresh] = joined_.try_emplace(std::pair(exchanges, step.name), 0);
    if (fresh) {
      ir::Exchange exchange{.name = step.name, .moves = {}, .parts = 0};
      for (const std::uint32_t part : exchanges) {
        const std::vector<ir::Move>& moves = program_.exchanges[part].moves;
        exchange.moves.insert(exchange.moves.end(), moves.begin(), moves.end());
        exchange.parts += program_.exchanges[part].parts;
      }
      known->second = add_exchange(std::move(exchange));
    }
    step.index = known->second;
    return step;
  }

  void replace_moves(ir::Step& step, std::vector<ir::Move> moves) {
    std::vector<std::uint32_t>& made = replaced_[step.index];
    const auto first = made.end() - static_cast<std::ptrdiff_t>(std::min(made.size(), kVariantsCompared));
    const auto same =
        std::find_if(first, made.end(), [&](std::uint32_t e) { return program_.exchanges[e].moves == moves; });
    if (same == made.end()) {
      const ir::Exchange& old = program_.exchanges[step.index];
      made.push_back(add_exchange({.name = old.name, .moves = std::move(moves), .parts = old.parts}));
      step.index = made.back();
    } else {
      step.index = *same;
    }
  }

  std::uint32_t add_exchange(ir::Exchange exchange) {
    program_.exchanges.push_back(std::move(exchange));
    return static_cast<std::uint32_t>(program_.exchanges.size() - 1);
  }

  void drop_unused_exchanges() {
    std::vector<std::uint32_t> index(program_.exchanges.size(), ir::kNone);
    const auto for_each_user = [&](const auto& visit) {
      for (ir::Body& body : program_.bodies)
        for (ir::Step& step : body)
          if (is_copy(step) || step.kind == StepKind::kSwitch || step.kind == StepKind::kPackets) visit(step);
    };
    for_each_user([&](ir::Step& step) { index[step.index] = 0; });
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < index.size(); ++i) {
      if (index[i] == ir::kNone) continue;
      index[i] = kept;
      if (i != kept) program_.exchanges[kept] = std::move(program_.exchanges[i]);
      ++kept;
    }
    program_.exchanges.resize(kept);
    for_each_user([&](ir::Step& step) { step.index = index[step.index]; });
  }

  ir::Program program_;
  std::vector<ir::Accesses> bodies_;
  BufferMemory buffers_;
  std::vector<bool> moved_;  // blocks that copies of the row at hand read or write
  std::vector<ir::BlockId> marked_;
  std::vector<bool> read_;              // blocks that some step reads
  std::vector<std::uint32_t> step_of_;  // by node of the row at hand; kNone: a wall
  std::map<std::uint32_t, Known> exchanges_, computes_;
  std::map<std::pair<std::vector<std::uint32_t>, std::string>, std::uint32_t> joined_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> replaced_;  // exchange -> those made from it
};

}  // namespace

ir::Program merge_phases(ir::Program program) { return PhaseMerging(std::move(program)).run(); }

}  // namespace tessera::compiler
