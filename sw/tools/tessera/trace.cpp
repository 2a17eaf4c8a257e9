// tessera trace: reads a trace file as text, tables or a Perfetto trace.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <set>

#include "inspect/trace/csv.h"
#include "inspect/trace/filter.h"
#include "inspect/trace/perfetto.h"
#include "inspect/trace/tables.h"
#include "inspect/trace/text_view.h"
#include "sw/tools/tessera/arguments.h"
#include "sw/tools/tessera/commands.h"

namespace tessera::tool {
namespace {

using namespace tessera::inspect;

struct TraceArguments {
  std::string file, view, tiles, contexts, from, to, kinds, out, format = "text";
  trace::FilterWishes wishes;
  size_t run = 0;  // from 1; 0: all
  std::optional<uint64_t> chip;
};

// A cycle, or superstep:N: its first cycle (of --to: the cycle behind it).
uint64_t cycle_of(trace::TraceReader& reader, size_t run, const std::string& text, bool behind) {
  const char* option = behind ? "--to" : "--from";
  const std::string prefix = "superstep:";
  const bool superstep = text.starts_with(prefix);
  const std::string digits = superstep ? text.substr(prefix.size()) : text;
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos || digits.size() > 18)
    throw CommandError(fmt::format("{}: '{}' is neither a cycle nor superstep:NUMBER", option, text), kExitUsage);
  const uint64_t number = std::stoull(digits);
  if (!superstep) return number;
  if (behind && number == reader.runs()[run].blocks.back().info.last_superstep) return ~0ull;
  return reader.begin_of_superstep(run, behind ? number + 1 : number);
}

trace::Selection selection_of(trace::TraceReader& reader, size_t run, const TraceArguments& a) {
  trace::Selection selection;
  if (!a.tiles.empty()) {
    const std::vector<unsigned> tiles = tiles_of(a.tiles, "--tiles", reader.machine().tiles(), reader.place());
    const std::set<uint32_t> held(reader.chip().tiles.begin(), reader.chip().tiles.end());
    for (const unsigned tile : tiles) {
      if (!held.contains(tile))
        throw CommandError(fmt::format("{} does not hold {}", a.file, reader.place().tile(tile)));
      selection.tiles.insert(tile);
    }
  }
  if (!a.contexts.empty()) {
    selection.lanes &= ~0x7fu;
    for (const std::string& name : trace::items(a.contexts)) {
      unsigned context = 0;
      while (context < trace::kContexts && trace::context_name(context) != name) ++context;
      if (context == trace::kContexts)
        throw CommandError("there is no context '" + name + "': sup, w0 to w5", kExitUsage);
      selection.lanes |= 1u << context;
    }
  }
  if (!a.from.empty()) selection.from = cycle_of(reader, run, a.from, false);
  if (!a.to.empty()) selection.to = cycle_of(reader, run, a.to, true);
  return selection;
}

std::vector<const trace::EventGroup*> groups_of(const std::string& kinds) {
  std::vector<const trace::EventGroup*> chosen;
  if (kinds.empty()) return chosen;
  for (const std::string& name : trace::items(kinds)) {
    const trace::EventGroup* found = nullptr;
    std::string known;
    for (const trace::EventGroup& group : trace::event_groups()) {
      if (name == group.name) found = &group;
      known += (known.empty() ? "" : ", ") + std::string(group.name);
    }
    if (found == nullptr) throw CommandError("there is no kind '" + name + "': " + known, kExitUsage);
    chosen.push_back(found);
  }
  return chosen;
}

using EventSink = std::function<void(const trace::Event&)>;

trace::Filter filter_of(trace::TraceReader& reader, size_t run, const TraceArguments& a) try {
  return trace::Filter(a.wishes, reader.runs()[run].program);
} catch (const trace::TraceError& e) {
  throw CommandError(e.what(), kExitUsage);
}

// Before anything is printed.
void check_arguments(trace::TraceReader& reader, size_t run, const TraceArguments& a) {
  groups_of(a.kinds);
  selection_of(reader, run, a);
  filter_of(reader, run, a);
}

// The events of a run that the arguments ask for.
void read_events(trace::TraceReader& reader, size_t run, const TraceArguments& a, trace::Names& names,
                 const EventSink& to) {
  const auto groups = groups_of(a.kinds);
  const auto pass = [&](const trace::Event& e) {
    bool wanted = groups.empty();
    for (const trace::EventGroup* group : groups) wanted |= group->holds(e);
    if (wanted) to(e);
  };
  const trace::Selection selection = selection_of(reader, run, a);
  trace::Filter filter = filter_of(reader, run, a);
  if (selection.from != 0) {  // who is in which vertex then
    trace::Selection before = selection;
    before.lanes = 1u << trace::kLaneVertices;
    before.from = 0, before.to = selection.from;
    reader.read(run, before, [&](const trace::Event& e) {
      filter.follow(e);
      names.follow(e);
    });
  }
  reader.read(run, selection, [&](const trace::Event& e) {
    names.follow(e);
    filter.add(e, pass);
  });
  filter.end(pass);
}

void print_text(trace::TraceReader& reader, size_t run, const TraceArguments& a) {
  check_arguments(reader, run, a);
  trace::Names names(reader.runs()[run].program, reader.place());
  if (a.format == "csv") {
    fmt::print("{}", trace::csv_heading());
    return read_events(reader, run, a, names, [&](const trace::Event& e) { fmt::print("{}", csv(e, names)); });
  }
  std::puts(trace::line_heading().c_str());
  trace::TextLines lines(names, [](const std::string& line) { std::puts(line.c_str()); });
  read_events(reader, run, a, names, [&](const trace::Event& e) { lines.add(e); });
  lines.end();
}

const std::vector<std::string> kViews = {"text", "supersteps", "vertices", "summary", "perfetto"};

// FILE VIEW or VIEW FILE, FILE alone: text.
void take_file_and_view(TraceArguments& a) {
  const auto is_view = [](const std::string& word) {
    return std::find(kViews.begin(), kViews.end(), word) != kViews.end();
  };
  if (!is_view(a.view) && is_view(a.file)) std::swap(a.file, a.view);
  if (a.view.empty()) a.view = "text";
  if (a.file.empty())
    throw CommandError("trace " + a.view + " needs the trace: tessera trace FILE " + a.view, kExitUsage);
  if (is_view(a.view)) return;
  std::string known;
  for (const std::string& view : kViews) known += (known.empty() ? "" : ", ") + view;
  throw CommandError("there is no view '" + a.view + "': " + known, kExitUsage);
}

void print_summary(trace::TraceReader& reader) {
  const trace::ChipHeader& h = reader.chip();
  uint64_t retired = 0, blocks = 0;
  for (const trace::RunOfFile& run : reader.runs())
    for (const trace::IndexEntry& block : run.blocks) retired += block.info.retired, ++blocks;
  fmt::print("{}: {} bytes, {} blocks, {} instructions, {:.3f} bytes an instruction\n", reader.path(), reader.bytes(),
             blocks, retired, retired == 0 ? 0.0 : static_cast<double>(reader.bytes()) / static_cast<double>(retired));
  const std::string chip = reader.place().chips > 1 ? fmt::format("chip {}, ", h.chip) : "";
  fmt::print("{}machine {}, {} of {} tiles{}\n", chip, h.machine, h.tiles.size(), reader.machine().tiles(),
             reader.header().registers ? ", with register values" : "");
  for (size_t run = 0; run < reader.runs().size(); ++run) {
    const auto& of = reader.runs()[run];
    const auto &first = of.blocks.front().info, &last = of.blocks.back().info;
    fmt::print("run {}: {}, supersteps {} to {}, cycles {} to {}\n", run + 1,
               of.program.title.empty() ? "program not named" : of.program.title, first.first_superstep,
               last.last_superstep, std::max(first.first_cycle, first.keep_from), trace::end_of(reader, run));
  }
}

// Each view takes what it can heed.
void refuse_unread(const CLI::App& command, const std::string& view) {
  struct Reader {
    const char* option;
    std::set<std::string> views;
  };
  const std::set<std::string> events = {"text", "vertices", "perfetto"};
  for (const Reader& reader :
       {Reader{"--tiles", events}, Reader{"--contexts", {"text"}}, Reader{"--from", events}, Reader{"--to", events},
        Reader{"--kind", {"text"}}, Reader{"-o", {"perfetto"}}, Reader{"--address", {"text"}},
        Reader{"--vertex", {"text"}}, Reader{"--tensor", {"text"}}, Reader{"--register", {"text"}},
        Reader{"--format", {"text", "supersteps", "vertices"}},
        Reader{"--run", {"text", "vertices", "perfetto", "supersteps"}}}) {
    if (command.count(reader.option) == 0 || reader.views.count(view) != 0) continue;
    std::string views;
    for (const std::string& name : reader.views) views += (views.empty() ? "" : ", ") + name;
    throw CommandError(fmt::format("{} is not for the view {}; it is for: {}", reader.option, view, views), kExitUsage);
  }
}

void show(TraceArguments a, const CLI::App& command) {
  take_file_and_view(a);
  refuse_unread(command, a.view);
  if (a.chip && *a.chip > std::numeric_limits<uint32_t>::max())
    throw CommandError(fmt::format("{} holds no chip {}", a.file, *a.chip));
  require_data(a.file, "a trace");
  trace::TraceReader reader(a.file, a.chip);
  if (!a.chip && reader.header().chips.size() > 1) {
    std::string held;
    for (const trace::ChipHeader& chip : reader.header().chips) held += fmt::format(" {}", chip.chip);
    throw CommandError(a.file + " holds chips" + held + "; --chip says which is meant", kExitUsage);
  }
  if (!reader.cut_off().empty()) std::fprintf(stderr, "tessera: %s\n", reader.cut_off().c_str());
  if (a.view == "summary") return print_summary(reader);
  if (a.run > reader.runs().size())
    throw CommandError(fmt::format("{} has {} run{}, no run {}", a.file, reader.runs().size(),
                                   reader.runs().size() == 1 ? "" : "s", a.run));
  if (a.view == "perfetto") {
    if (a.out.empty()) throw CommandError("perfetto needs a file to write: -o out.json or -o out.json.gz", kExitUsage);
    if (reader.runs().empty()) throw CommandError(a.file + " holds nothing");
    require_place(a.out, "-o");
    const size_t run = a.run == 0 ? reader.runs().size() - 1 : a.run - 1;
    write_perfetto(reader, run, selection_of(reader, run, a), a.out);
    return;
  }
  if (a.format == "csv" && a.run == 0 && reader.runs().size() > 1)
    throw CommandError(fmt::format("{} holds {} runs; --run says which is meant", a.file, reader.runs().size()),
                       kExitUsage);
  for (size_t run = 0; run < reader.runs().size(); ++run) {
    if (a.run != 0 && a.run != run + 1) continue;
    if (a.run == 0 && reader.runs().size() > 1)
      fmt::print("{}run {}: {}\n", run > 0 ? "\n" : "", run + 1, reader.runs()[run].program.title);
    const auto table = [&](const auto& rows) { fmt::print("{}", a.format == "csv" ? csv(rows) : text(rows)); };
    if (a.view == "text") print_text(reader, run, a);
    if (a.view == "supersteps") table(trace::superstep_table(reader, run));
    if (a.view == "vertices") table(trace::vertex_table(reader, run, selection_of(reader, run, a)));
  }
}

}  // namespace

void add_trace(CLI::App& app) {
  auto* command = app.add_subcommand("trace", "Reads a trace that a run has left (tessera run ... --trace FILE)");
  auto a = std::make_shared<TraceArguments>();
  command->add_option("FILE", a->file, "the trace")->required();
  command->add_option("VIEW", a->view,
                      "before or behind FILE. text (the usual one): one line an event; supersteps, vertices: tables of "
                      "cycles; summary; perfetto: a trace for ui.perfetto.dev");
  add_number(command, "--chip", "of a file with several: which chip", [a](uint64_t chip) { a->chip = chip; });
  command->add_option("--tiles", a->tiles, "only these: 3,7-9; of chip 1: 1:3");
  command->add_option("--contexts", a->contexts, "text: instructions of these only: sup,w0,w1,..w5");
  command->add_option("--from", a->from, "first cycle, or superstep:N");
  command->add_option("--to", a->to, "cycle behind the last, or superstep:N, which is shown whole");
  command->add_option("--kind", a->kinds,
                      "text: only these: instructions,stores,loads,exchange,sync,host,vertices,exceptions");
  command->add_option("--address", a->wishes.addresses,
                      "text: what reads or writes there: 5c004, or 5c004-5c0ff; hexadecimal");
  command->add_option("--vertex", a->wishes.vertices,
                      "text: what contexts do in these: the number of a vertex, or a codelet");
  command->add_option("--tensor", a->wishes.tensors,
                      "text: what reads or writes its elements: weights, weights[3], weights[3..9]");
  command->add_option("--register", a->wishes.registers, "text: instructions that read or write it: a3, fa5");
  command->add_option("--format", a->format, "text, or csv: comma-separated values")
      ->check(CLI::IsMember({"text", "csv"}))
      ->capture_default_str();
  add_number(
      command, "--run", "which of the runs in the file, from 1: a program that is loaded again begins one",
      [a](uint64_t run) { a->run = run; }, 1);
  command->add_option("-o", a->out, "perfetto: file to write, .json or .json.gz");
  command->callback([a, command] { show(*a, *command); });
}

}  // namespace tessera::tool
