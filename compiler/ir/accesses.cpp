#include "compiler/ir/accesses.h"

#include <algorithm>
#include <tuple>

namespace tessera::ir {
namespace {

void tidy(std::vector<Span>& spans) {
  std::erase_if(spans, [](const Span& s) { return s.bytes == 0; });
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
    return std::tie(a.at.block, a.at.offset) < std::tie(b.at.block, b.at.offset);
  });
  std::size_t kept = 0;
  for (const Span& s : spans) {
    Span* last = kept == 0 ? nullptr : &spans[kept - 1];
    if (last != nullptr && last->at.block == s.at.block && s.at.offset <= last->at.offset + last->bytes)
      last->bytes = std::max(last->bytes, s.at.offset + s.bytes - last->at.offset);
    else
      spans[kept++] = s;
  }
  spans.resize(kept);
}

Accesses tidied(Accesses all) {
  for (std::vector<Span>* spans : {&all.reads, &all.writes, &all.may_write}) tidy(*spans);
  return all;
}

void append(std::vector<Span>& to, const std::vector<Span>& from) { to.insert(to.end(), from.begin(), from.end()); }

// What is done in a body may be done.
void add_perhaps(Accesses& all, const Accesses& some) {
  append(all.reads, some.reads);
  append(all.may_write, some.writes);
  append(all.may_write, some.may_write);
  all.fence |= some.fence;
}

// The bodies that a step enters.
template <class Visit>
void for_each_body(const Program& program, const Step& step, const Visit& visit) {
  for (const std::uint32_t body : step.bodies) visit(body);
  if (step.kind == StepKind::kCall && program.functions[step.index] != kNone) visit(program.functions[step.index]);
}

class Bodies {
 public:
  explicit Bodies(const Program& program)
      : program_(program), all_(program.bodies.size()), known_(program.bodies.size()) {}

  std::vector<Accesses> run() {
    for (std::uint32_t body = 0; body < all_.size(); ++body) find(body);
    return std::move(all_);
  }

 private:
  void find(std::uint32_t body) {
    if (known_[body]) return;
    known_[body] = true;
    Accesses all;
    for (const Step& step : program_.bodies[body]) {
      add_perhaps(all, own_accesses(program_, step));
      for_each_body(program_, step, [&](std::uint32_t entered) {
        find(entered);
        add_perhaps(all, all_[entered]);
      });
    }
    all_[body] = tidied(std::move(all));
  }

  const Program& program_;
  std::vector<Accesses> all_;
  std::vector<bool> known_;
};

void add(Accesses& all, const HostTransfer& transfer, bool to_device) {
  for (const HostRun& run : transfer.runs) (to_device ? all.writes : all.reads).push_back({run.at, 4 * run.words});
  for (const Span& numbers : transfer.remote.numbers) all.reads.push_back(numbers);
  for (const Move& move : transfer.after) {
    all.reads.push_back({move.source, move.bytes});
    all.writes.push_back({move.target, move.bytes});
  }
}

}  // namespace

Accesses accesses(const Exchange& exchange) {
  Accesses all;
  for (const Move& move : exchange.moves) {
    all.reads.push_back(read_by(exchange, move));
    (keeps_some(exchange, move) ? all.may_write : all.writes).push_back(written_by(exchange, move));
  }
  return tidied(std::move(all));
}

Accesses accesses(const Program& program, const Compute& compute) {
  Accesses all;
  for (const Vertex& vertex : compute.vertices) {
    for (std::uint32_t r = vertex.first_region; r < vertex.first_region + vertex.regions; ++r) {
      const Region& region = program.regions[r];
      const Span span{region.at, region.elements * region.element_bytes};
      if (region.access != graph::FieldKind::kOutput) all.reads.push_back(span);
      if (region.access != graph::FieldKind::kInput) all.may_write.push_back(span);
    }
  }
  return tidied(std::move(all));
}

Accesses own_accesses(const Program& program, const Step& step) {
  Accesses all;
  switch (step.kind) {
    case StepKind::kCompute:
      all = accesses(program, program.computes[step.index]);
      break;
    case StepKind::kCopy:
    case StepKind::kSwitch:
    case StepKind::kPackets:
      all = accesses(program.exchanges[step.index]);
      break;
    case StepKind::kHost:
      for (const std::uint32_t t : step.transfers)
        add(all, program.host_transfers[t], is_to_device(program.host.streams[t].use));
      all.fence = true;
      break;
    case StepKind::kRemote:
      for (const std::uint32_t t : step.transfers)
        add(all, program.host_transfers[t], is_to_device(program.host.streams[t].use));
      break;
    case StepKind::kSync:
      all.fence = true;
      break;
    case StepKind::kUndef:  // what was there is gone: nothing moves from before to behind it, or back
      all.writes = step.undefined;
      break;
    default:
      break;
  }
  for (const BlockId block : step.selectors) all.reads.push_back({{block, 0}, 4});
  if (step.has_flag) {
    const Span flag{step.flag, static_cast<std::uint32_t>(graph::size_of(step.flag_type))};
    (step.kind == StepKind::kCompute ? all.writes : all.reads).push_back(flag);
  }
  return tidied(std::move(all));
}

std::vector<Accesses> accesses_of_bodies(const Program& program) { return Bodies(program).run(); }

Accesses accesses(const Program& program, const Step& step, const std::vector<Accesses>& bodies) {
  Accesses all = own_accesses(program, step);
  for_each_body(program, step, [&](std::uint32_t body) { add_perhaps(all, bodies[body]); });
  return tidied(std::move(all));
}

}  // namespace tessera::ir
