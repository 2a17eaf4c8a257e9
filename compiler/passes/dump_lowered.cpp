// Lowered programs as text.
#include <fmt/format.h>

#include "compiler/passes/lowered.h"

namespace tessera::compiler {
namespace {

class Dump {
 public:
  explicit Dump(const Lowered& lowered) : lowered_(lowered) {}

  std::string place(const Place& p) const {
    return std::to_string(lowered_.blocks[p.block].tile) + ":" + std::to_string(p.block) + "+" +
           std::to_string(static_cast<std::int32_t>(p.offset));
  }

  void body(std::uint32_t index, const std::string& indent) {
    for (const Step& step : lowered_.bodies[index]) this->step(step, indent);
  }

  void step(const Step& s, const std::string& indent) {
    text.append(indent);
    switch (s.kind) {
      case StepKind::kCompute:
        text += "compute " + std::to_string(s.index);
        break;
      case StepKind::kCopy:
        text += "exchange " + std::to_string(s.index);
        break;
      case StepKind::kHost:
        text += "host transfer " + std::to_string(s.index);
        break;
      case StepKind::kRepeat:
        text += "repeat " + std::to_string(s.count);
        break;
      case StepKind::kWhile:
        text += s.sense ? "while true" : "while false";
        break;
      case StepKind::kIf:
        text += "if";
        break;
      case StepKind::kSwitch:
        text += "switch after exchange " + std::to_string(s.index);
        break;
      case StepKind::kCall:
        text += "call body " + std::to_string(lowered_.functions[s.index]);
        break;
      case StepKind::kSync:
        text += "sync " + std::to_string(s.index);
        break;
    }
    if (s.has_flag) text += " flag " + place(s.flag);
    text += "  # " + s.name + "\n";
    for (std::size_t i = 0; i < s.bodies.size(); ++i) {
      if (s.kind == StepKind::kSwitch)
        text += indent + (i < s.cases.size() ? "case " + std::to_string(s.cases[i]) : std::string("otherwise")) + "\n";
      else if (s.bodies.size() > 1)
        text += indent + (i == 0 ? "first" : "second") + "\n";
      body(s.bodies[i], indent + "  ");
    }
  }

  void copies(const char* title, const LocalCopies& list) {
    for (const LocalCopy& c : list.copies) {
      text += std::string("  ") + title + " " + place(c.source) + " -> " + place(c.target) + " x " +
              std::to_string(c.bytes);
      if (c.count > 1)
        text += ", " + std::to_string(c.count) + " times by " + std::to_string(c.source_step) + " -> " +
                std::to_string(c.target_step);
      text += "\n";
    }
  }

  std::string text;

 private:
  const Lowered& lowered_;
};

}  // namespace

std::string dump(const Lowered& lowered, const graph::Graph& graph) {
  Dump d(lowered);
  for (std::size_t i = 0; i < lowered.programs.size(); ++i) {
    d.text += "program " + std::to_string(i) + " " + lowered.programs[i].name + "\n";
    d.body(lowered.program_bodies[i], "  ");
  }
  for (std::size_t i = 0; i < lowered.functions.size(); ++i) {
    if (lowered.functions[i] == kNone) continue;
    d.text += "function " + std::to_string(i) + ": body " + std::to_string(lowered.functions[i]) + "\n";
    d.body(lowered.functions[i], "  ");
  }
  for (std::size_t i = 0; i < lowered.exchanges.size(); ++i) {
    const Exchange& exchange = lowered.exchanges[i];
    d.text += "exchange " + std::to_string(i) + " " + exchange.name + "\n";
    for (const Move& move : exchange.moves)
      d.text += "  " + d.place(move.source) + " -> " + d.place(move.target) + " x " + std::to_string(move.bytes) + "\n";
  }
  for (std::size_t i = 0; i < lowered.computes.size(); ++i) {
    const Compute& compute = lowered.computes[i];
    d.text += "compute " + std::to_string(i) + " " + graph.compute_sets[compute.id].name;
    if (compute.gather != kNone) d.text += ", gather exchange " + std::to_string(compute.gather);
    if (compute.scatter != kNone) d.text += ", scatter exchange " + std::to_string(compute.scatter);
    d.text += "\n";
    for (const LoweredVertex& vertex : compute.vertices) {
      const graph::CodeletInfo& codelet = graph.codelets[graph.vertices[vertex.id].codelet].info;
      d.text += fmt::format("  vertex {} {} at {}\n", vertex.id, codelet.name, d.place(vertex.state));
      for (std::uint32_t r = vertex.first_region; r < vertex.first_region + vertex.regions; ++r) {
        const Region& region = lowered.regions[r];
        const graph::CodeletField& field = codelet.fields[region.field];
        const std::string entry = field.is_list() ? fmt::format("[{}]", region.index) : "";
        d.text += fmt::format("    {}{} {} x {}\n", field.name, entry, d.place(region.at), region.elements);
      }
    }
  }
  for (std::size_t i = 0; i < lowered.host_transfers.size(); ++i) {
    const image::Stream& stream = lowered.host.streams[i];
    d.text += "host transfer " + std::to_string(i) + (is_to_device(stream.use) ? " to device " : " from device ") +
              stream.handle + "\n";
    for (const HostRun& run : lowered.host_transfers[i].runs)
      d.text += "  " + d.place(run.at) + " host " + std::to_string(run.host_offset) + " x " +
                std::to_string(run.words) + " words\n";
    d.copies("after", lowered.host_transfers[i].after);
  }
  return std::move(d.text);
}

std::string dump_workers(const Lowered& lowered, const graph::Graph& graph) {
  std::string text;
  for (const Compute& compute : lowered.computes) {
    text += "compute set " + graph.compute_sets[compute.id].name + "\n";
    for (const LoweredVertex& vertex : compute.vertices) {
      text += "  tile " + std::to_string(graph.vertices[vertex.id].tile) + " vertex " + std::to_string(vertex.id);
      if (vertex.worker == kAllWorkers)
        text += " all workers";
      else if (vertex.worker == kSupervisorWorker)
        text += " supervisor";
      else
        text += " worker " + std::to_string(vertex.worker);
      text += ", cost " + std::to_string(vertex.cost) + "\n";
    }
  }
  return text;
}

std::string dump_plans(const Lowered& lowered) {
  Dump d(lowered);
  for (std::size_t i = 0; i < lowered.exchanges.size(); ++i) {
    const Exchange& exchange = lowered.exchanges[i];
    d.text += "exchange " + std::to_string(i) + " " + exchange.name + "\n";
    d.copies("before", exchange.before);
    for (const Transfer& transfer : exchange.traffic.transfers) {
      d.text += "  send " + d.place(transfer.from) + " x " + std::to_string(transfer.words) + " to";
      for (std::uint32_t r = transfer.first_receiver; r < transfer.first_receiver + transfer.receivers; ++r)
        d.text.append(" ").append(d.place(exchange.traffic.receivers[r].to));
      d.text += "\n";
    }
    d.copies("after", exchange.after);
  }
  return std::move(d.text);
}

std::string dump_contents(const Lowered& lowered) {
  static constexpr char kDigits[] = "0123456789abcdef";
  Dump d(lowered);
  for (const Content& content : lowered.contents) {
    d.text += d.place(content.at) + " =";
    for (std::size_t i = 0; i < content.bytes.size(); ++i) {
      if (i % 4 == 0) d.text += ' ';
      d.text += kDigits[content.bytes[i] >> 4];
      d.text += kDigits[content.bytes[i] & 15];
    }
    d.text += "\n";
  }
  for (const Pointer& pointer : lowered.pointers)
    d.text += d.place(pointer.at) + " = address of " + d.place(pointer.value) + "\n";
  return std::move(d.text);
}

}  // namespace tessera::compiler
