#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/ir/text.h"
#include "compiler/ir/words.h"

namespace tessera::ir {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20)
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      result += c;
  }
  return result + "\"";
}

class Printer {
 public:
  explicit Printer(const Program& program) : program_(program) {}

  std::string run() {
    std::string device;
    if (program_.chips > 1) device += fmt::format(" chips {}", program_.chips);
    if (program_.replicas > 1) device += fmt::format(" replicas {}", program_.replicas);
    if (program_.replica_syncs) device += " syncs";
    if (program_.replica_hosts) device += " hosts";
    line("tiles {}{}\nhost event {} bytes {}", program_.tiles, device, program_.host.event_offset, program_.host.bytes);
    for (BlockId id = 0; id < program_.blocks.size(); ++id) block(id);
    for (const Content& content : program_.contents)
      line("content {} {:02x}", place(content.at), fmt::join(content.bytes, ""));
    for (const ReplicaContent& content : program_.replica_contents) {
      std::string values;
      for (const std::vector<std::uint8_t>& bytes : content.bytes)
        values += fmt::format(" {:02x}", fmt::join(bytes, ""));
      line("differs {}{}", place(content.at), values);
    }
    for (std::size_t i = 0; i < program_.exchanges.size(); ++i) exchange(i);
    for (std::size_t i = 0; i < program_.computes.size(); ++i) compute(i);
    for (std::size_t i = 0; i < program_.regions.size(); ++i) region(i);
    for (std::size_t i = 0; i < program_.remote_buffers.size(); ++i) remote(i);
    for (std::size_t i = 0; i < program_.host.streams.size(); ++i) stream(i);
    for (std::size_t i = 0; i < program_.bodies.size(); ++i) {
      line("body {}", i);
      for (const Step& step : program_.bodies[i]) this->step(step);
    }
    for (std::size_t i = 0; i < program_.functions.size(); ++i)
      if (program_.functions[i] == kNone)
        line("function {} unused", i);
      else
        line("function {} body {}", i, program_.functions[i]);
    for (const Entry& entry : program_.entries)
      line("entry {}body {} {}", entry.internal ? "internal " : "", entry.body, quoted(entry.name));
    return std::move(text_);
  }

 private:
  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    text_ += '\n';
  }
  std::string place(const Place& p) const { return print(p, program_.blocks); }

  void block(BlockId id) {
    const Block& b = program_.blocks[id];
    std::string more;
    if (b.interleaved) more += " interleaved";
    if (b.copied) more += " copied";
    if (b.variable != kNone) more += fmt::format(" variable {}", b.variable);
    line("block {} tile {} {} {} align {}{}", id, b.tile, word_of(kUseWords, b.use), b.bytes, b.align, more);
  }

  void move(const char* indent, const Move& m) {
    const std::string lane = m.lane == kNone ? "" : fmt::format(" lane {}", m.lane);
    line("{}{} -> {} x {}{}", indent, place(m.source), place(m.target), m.bytes, lane);
  }

  static std::string shifts(const char* of, const std::vector<std::uint32_t>& shift) {
    return shift.empty() ? "" : fmt::format(" {} {}", of, fmt::join(shift, " "));
  }

  void exchange(std::size_t i) {
    const Exchange& e = program_.exchanges[i];
    const std::string parts = e.parts == 1 ? "" : fmt::format(" parts {}", e.parts);
    line("exchange {}{} {}", i, parts, quoted(e.name));
    for (const Lane& lane : e.lanes)
      line("  lane to {}{}{}", fmt::join(lane.to, " "), shifts("source", lane.source_shift),
           shifts("target", lane.target_shift));
    for (const Move& m : e.moves) move("  ", m);
  }

  void compute(std::size_t i) {
    const Compute& c = program_.computes[i];
    line("compute {} set {} {}", i, c.id, quoted(c.name));
    for (const Vertex& v : c.vertices) {
      const std::string worker = v.worker == kNone ? "" : fmt::format(" on {}", v.worker);
      line("  vertex {} tile {} codelet {} {} state {} cost {} regions {} {}{}", v.id, v.tile, v.codelet,
           word_of(kKindWords, v.kind), place(v.state), v.cost, v.first_region, v.regions, worker);
    }
  }

  void region(std::size_t i) {
    const Region& r = program_.regions[i];
    std::string origin = r.given ? " given" : "";
    if (r.variable != kNone) origin += fmt::format(" variable {}", r.variable);
    if (r.first_element != names::Field::kGathered) origin += fmt::format(" element {}", r.first_element);
    line("region {} field {} entry {} {} {} x {} of {}{}", i, r.field, r.index, word_of(kAccessWords, r.access),
         place(r.at), r.elements, r.element_bytes, origin);
  }

  void remote(std::size_t i) {
    const RemoteBuffer& b = program_.remote_buffers[i];
    line("remote {} row {} rows {} stride {} base {} {}", i, b.row_bytes, b.rows, b.stride, fmt::join(b.base, " "),
         quoted(b.handle));
  }

  void stream(std::size_t i) {
    const Stream& s = program_.host.streams[i];
    const HostTransfer& t = program_.host_transfers[i];
    line("stream {} {} {} elements {} bytes {} shape {} program {} host {} {} {}", i, word_of(kStreamWords, s.use),
         quoted(std::string(graph::name_of(s.type))), s.elements, s.bytes, fmt::join(s.shape, " "), s.program,
         s.host_offset, s.host_bytes, quoted(s.handle));
    if (s.use == StreamUse::kPrint)
      line("  format {} {} {} {} {} {} {} {}", s.print.summarise_threshold, s.print.edge_items, s.print.max_line_width,
           s.print.digits, word_of(kFloatWords, s.print.floats), static_cast<int>(s.print.separator),
           static_cast<int>(s.print.open), static_cast<int>(s.print.close));
    for (const HostPiece& p : s.pieces) line("  piece {} {} {}", p.stream_offset, p.host_offset, p.bytes);
    if (t.remote.in_gateway()) line("  rows of {}{}", t.remote.buffer, t.remote.confirmed ? " confirmed" : "");
    for (const Span& numbers : t.remote.numbers) line("  numbers {} x {}", place(numbers.at), numbers.bytes);
    for (const HostRun& r : t.runs)
      line("  run {} {} {}{}", place(r.at), r.host_offset, r.words,
           t.remote.in_gateway() ? fmt::format(" row {}", r.row) : "");
    for (const Move& m : t.after) move("  after ", m);
  }

  void step(const Step& s) {
    std::string text(word_of(kStepWords, s.kind));
    switch (s.kind) {
      case StepKind::kRepeat:
        text += fmt::format(" {}", s.count);
        break;
      case StepKind::kWhile:
        text += s.sense ? " true" : " false";
        break;
      case StepKind::kIf:
        break;
      case StepKind::kHost:
      case StepKind::kRemote:
        text += fmt::format(" {}", fmt::join(s.transfers, " "));
        break;
      case StepKind::kUndef:
        for (const Span& span : s.undefined) text += fmt::format(" {} x {}", place(span.at), span.bytes);
        break;
      default:
        text += fmt::format(" {}", s.index);
    }
    if (s.has_flag) text += fmt::format(" flag {} {}", place(s.flag), quoted(std::string(graph::name_of(s.flag_type))));
    if (!s.cases.empty()) text += fmt::format(" cases {}", fmt::join(s.cases, " "));
    if (!s.selectors.empty()) text += fmt::format(" selectors {}", fmt::join(s.selectors, " "));
    if (!s.bodies.empty()) text += fmt::format(" bodies {}", fmt::join(s.bodies, " "));
    line("  {} {}", text, quoted(s.name));
  }

  const Program& program_;
  std::string text_;
};

}  // namespace

std::string print(const Place& place, const Blocks& blocks) {
  return fmt::format("{}:{}+{}", blocks.at(place.block).tile, place.block, static_cast<std::int32_t>(place.offset));
}

std::string print(const Program& program) { return Printer(program).run(); }

}  // namespace tessera::ir
