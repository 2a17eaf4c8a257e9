#include "inspect/trace/csv.h"

#include <fmt/format.h>

#include "inspect/trace/event_words.h"
#include "inspect/trace/touches.h"
#include "rtl/spec/causes.h"
#include "rtl/spec/instructions.h"

namespace tessera::inspect::trace {
namespace {

void join(std::string& list, const std::string& part) {
  if (!part.empty()) list += (list.empty() ? "" : " ") + part;
}

}  // namespace

std::string csv_line(const std::vector<std::string>& fields) {
  std::string out;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) out += ',';
    if (fields[i].find_first_of(",\"\r\n") == std::string::npos) {
      out += fields[i];
      continue;
    }
    out += '"';
    for (const char c : fields[i]) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    out += '"';
  }
  return out + '\n';
}

std::string csv_heading() {
  return csv_line({"cycle", "tile", "context", "event", "pc", "instruction", "registers", "read", "read_names",
                   "written", "written_name", "value", "where", "text"});
}

std::string csv(const Event& e, Names& names) {
  std::string context, pc, instruction, registers, read, read_names, written, written_name, value, where, text;
  for (const Touch& t : touches(e)) {
    join(t.write ? written : read, fmt::format("{:x}", t.address));
    join(t.write ? written_name : read_names, e.tile == chip::kNoTile ? "" : names.data(e, t.address));
    if (t.write) value = fmt::format("{:0{}x}", t.value, 2 * t.bytes);
  }
  if (e.kind == EventKind::kRetire) {
    context = context_name(e.context);
    pc = fmt::format("{:x}", e.retire.pc);
    instruction = spec::disassemble(e.retire.instruction, e.retire.pc);
    for (const RegisterWrite& w : registers_written(e.retire)) join(registers, w.name + "=" + w.value);
    where = names.place(e);
    if (e.retire.exception != 0) text = "exception " + std::string(spec::cause_name(e.retire.exception));
  } else {
    const bool of_context =
        e.kind == EventKind::kEntered || e.kind == EventKind::kLeft || e.kind == EventKind::kExcepted;
    if (of_context) context = context_name(e.context);
    if (value.empty() && (is_words(e.lane) || e.kind == EventKind::kExcepted)) value = fmt::format("{:08x}", e.value);
    if (e.kind == EventKind::kExcepted) pc = fmt::format("{:x}", e.from);
    text = what(e, names);
  }
  const std::string tile =
      e.tile == chip::kNoTile ? (e.kind == EventKind::kDebugWritten ? "all" : "") : names.number(e.tile);
  return csv_line({std::to_string(e.cycle), tile, context, name_of(e.kind), pc, instruction, registers, read,
                   read_names, written, written_name, value, where, text});
}

std::string csv(const SuperstepTable& table) {
  std::string out = csv_line({"superstep", "from_cycle", "cycles", "compute", "sync", "exchange", "transfer", "host",
                              "retired", "slowest", "steps"});
  const auto text = [](uint64_t n) { return std::to_string(n); };
  for (const SuperstepRow& row : table.rows) {
    const SuperstepTimes& t = row.times;
    out += csv_line({text(t.index), text(t.begin), text(t.end - t.begin), text(t.cycles.compute), text(t.cycles.sync),
                     text(t.cycles.exchange), text(t.cycles.transfer), text(t.cycles.host), text(t.retired),
                     t.slowest == chip::kNoTile ? "" : text(t.slowest), row.steps});
  }
  return out;
}

std::string csv(const VertexTable& table) {
  std::string out = csv_line(
      {"tile", "context", "codelet", "compute_set", "vertex", "state", "times", "cycles", "shortest", "longest"});
  for (const VertexRow& row : table.vertices)
    out += csv_line({std::to_string(row.tile), context_name(row.context), row.codelet, row.compute_set,
                     row.id >= 0 ? std::to_string(row.id) : "", fmt::format("{:x}", row.state),
                     std::to_string(row.cycles.times), std::to_string(row.cycles.cycles),
                     std::to_string(row.cycles.shortest), std::to_string(row.cycles.longest)});
  return out;
}

}  // namespace tessera::inspect::trace
