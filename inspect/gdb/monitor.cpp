#include "inspect/gdb/monitor.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <vector>

#include "inspect/failure/provenance.h"
#include "inspect/function_name.h"
#include "inspect/gdb/checkpoint_file.h"
#include "inspect/gdb/exchange_history.h"
#include "inspect/gdb/rsp.h"
#include "inspect/gdb/thread_ids.h"
#include "inspect/options.h"
#include "inspect/options_of_chip.h"
#include "program/place_names.h"
#include "rtl/spec/causes.h"
#include "rtl/spec/machine.h"
#include "rtl/spec/register_names.h"

namespace tessera::inspect::gdb {
namespace {

constexpr const char* kHelp =
    "superstep                 number, cycle and phase of where the run stands\n"
    "tiles                     what each tile does\n"
    "exchange                  what each tile has sent and received in this superstep, and from whom it receives\n"
    "sync                      who waits in which zone\n"
    "where ADDRESS             what lies there on this tile: vertex, field, variable, code\n"
    "why ADDRESS|REGISTER      where what is there comes from: through registers, stores, exchange and host\n"
    "run-to superstep|cycle N  continue or reverse-continue stops there next\n"
    "waves on FILE [TILES]     waves of the tiles (3,7-9; this tile) from here on; waves off closes the file\n"
    "trace on FILE [TILES]     the same for a trace; trace off\n"
    "hardware                  the tiles' own breakpoints and watchpoints stop the run from here on; forward only\n"
    "checkpoint FILE           the chip as this superstep began, or all chips at their last host sync, to go on from\n";

using Words = std::vector<std::string>;

std::optional<uint64_t> number(const std::string& text) {
  const bool hex = text.starts_with("0x");
  uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + (hex ? 2 : 0), end, value, hex ? 16 : 10);
  if (error != std::errc() || rest != end) return std::nullopt;
  return value;
}

const char* phase(const std::vector<chip::TileWait>& waits) {
  const auto any = [&](std::string_view state) {
    return std::any_of(waits.begin(), waits.end(), [&](const auto& w) { return w.state == state; });
  };
  if (any("exchanging")) return "exchange";
  if (any("computing")) return "compute";
  if (any("waits to send a packet")) return "host packets";
  if (any("waits at host sync")) return "waiting for the host";
  return any("halted") && !any("waits at internal sync") && !any("waits at external sync") &&
                 !any("waits at replica sync")
             ? "halted"
             : "sync";
}

std::vector<chip::TileWait> waits_of(Target& target, View& view) {
  std::vector<chip::TileWait> waits;
  for (unsigned tile = 0; tile < target.tiles(); ++tile) waits.push_back(view.wait(tile));
  return waits;
}

// A line for each chip.
std::string superstep(Target& target, Navigator& navigator) {
  const auto waits = waits_of(target, navigator.view(target));
  std::ostringstream out;
  for (unsigned chip = 0; chip < target.chips(); ++chip) {
    const Run& run = target.run(chip);
    const uint64_t here = Target::within(run, navigator.position());
    const auto boundary = run.boundary_before(here);
    const auto first = waits.begin() + target.first_tile(chip);
    if (target.chips() > 1) out << "chip " << chip << ": ";
    out << "superstep " << boundary.superstep << ", began at cycle " << boundary.cycle
        << (target.chips() > 1 ? ", phase " : "\n");
    if (target.chips() == 1)
      out << "cycle " << navigator.position() << " of " << target.oldest() << ".." << target.frontier() << ", phase ";
    out << phase({first, first + target.tiles_of_chip()});
    if (here < navigator.position()) out << ", since cycle " << here;
    out << "\n";
  }
  if (target.chips() > 1)
    out << "cycle " << navigator.position() << " of " << target.oldest() << ".." << target.frontier() << "\n";
  return out.str();
}

std::string tiles(Target& target, View& view) {
  std::ostringstream out;
  for (const auto& wait : waits_of(target, view)) {
    const Target::OnChip at = target.of(wait.tile);
    const auto& program = at.run.program();
    out << at.place.tile(at.tile) << ": ";
    if (const auto e = view.exception(wait.tile); e.cause != 0)
      out << "stopped by exception " << spec::cause_name(e.cause) << " of "
          << (e.context == 0 ? "the supervisor" : "worker " + std::to_string(e.context - 1));
    else
      out << wait.state;
    const uint32_t pc = view.pc(wait.tile, 0);
    out << ", supervisor at 0x" << hex_text(pc);
    if (const names::Step* step = program.step_at(at.tile, pc))
      out << " in " << program.step_text(step, view.x(wait.tile, 0, names::kTableRegister));
    for (unsigned worker = 0; worker < 6; ++worker)
      if (wait.active_workers >> worker & 1)
        out << (wait.active_workers & ((1u << worker) - 1) ? "," : ", workers ") << worker;
    out << "\n";
  }
  return out.str();
}

std::string sync(Target& target, View& view) {
  std::map<std::string, std::vector<spec::TileId>> by_state;
  for (const auto& wait : waits_of(target, view))
    by_state[wait.state].push_back({target.of(wait.tile).place.chip, target.of(wait.tile).tile});
  std::ostringstream out;
  for (const auto& [state, who] : by_state) out << state << ": tiles " << text(TileSet{false, who}) << "\n";
  return out.str();
}

std::string where(Target& target, View& view, Thread thread, uint32_t address) {
  const Target::OnChip at = target.of(thread.tile);
  const auto& program = at.run.program();
  std::ostringstream out;
  out << "0x" << hex_text(address) << " on " << at.place.tile(at.tile) << ":";
  const size_t nothing = out.str().size();
  if (const names::Vertex* vertex = program.vertex_at(at.tile, address))
    out << " state of vertex " << vertex->id << " (" << program.name(vertex->codelet) << " of "
        << program.name(vertex->compute_set) << ")";
  for (const names::Vertex& vertex : program.vertices) {
    if (vertex.tile != at.tile) continue;
    for (uint32_t n = vertex.first_field; n < vertex.first_field + vertex.fields; ++n) {
      const names::Field& field = program.fields[n];
      if (address < field.address || address - field.address >= field.bytes) continue;
      out << "\n  field " << names::element_name(program, field, address) << " of vertex " << vertex.id << " ("
          << program.name(vertex.codelet) << ")";
    }
  }
  std::optional<names::Step> now;
  if (const names::Step* step = program.step_at(at.tile, view.pc(thread.tile, 0)))
    now = program.run_by(*step, view.x(thread.tile, 0, names::kTableRegister));
  for (const names::Variable* variable : program.variables_at(at.tile, address)) {
    out << "\n  variable " << names::element_name(program, *variable, address);
    if (now && !program.lives_in(variable->life, *now))
      out << ", not live in " << program.name(now->what) << ": others use its memory";
  }
  if (const names::Symbol* symbol = program.symbol_at(at.tile, address))
    out << " " << function_name(program, *symbol) << " + " << address - symbol->address;
  if (const names::Step* step = program.step_at(at.tile, address))
    out << " step " << program.step_text(step, std::nullopt);
  if (out.str().size() == nothing) out << " nothing that the program names";
  out << "\n";
  return out.str();
}

std::optional<failure::Source> register_named(const std::string& name) {
  for (const bool is_float : {false, true})
    for (uint8_t n = 0; n < 32; ++n)
      if (name == (is_float ? spec::kFloatRegisters : spec::kIntegerRegisters)[n]) return failure::Source{is_float, n};
  return std::nullopt;
}

std::string why(Target& target, Navigator& navigator, Thread thread, const Words& words) {
  const auto source = words.size() == 2 ? register_named(words[1]) : std::nullopt;
  const auto address = words.size() == 2 && !source ? number(words[1]) : std::nullopt;
  if (!source && !address)
    return "why: give an address or a register (why 0x80000, why a3; of &x: eval \"monitor why %d\", &x)\n";
  if (thread.context == 0 && source && source->is_float) return "why: the supervisor has no float registers\n";
  const Target::OnChip at = target.of(thread.tile);
  const spec::Machine& machine = at.run.chip().machine();
  const uint64_t place = address.value_or(machine.memory_base);
  if (place < machine.memory_base || place >= machine.memory_end())
    return "why: " + words[1] + " is outside tile memory\n";
  navigator.leave_view();
  const failure::Words names(at.run.program(), machine, at.place);
  failure::Provenance provenance(at.run, names, Target::within(at.run, navigator.position()),
                                 {.depth = 12, .lines = 40, .cycles = 1'000'000});
  const failure::Origin origin = source ? provenance.of_register(at.tile, thread.context, *source)
                                        : provenance.of_memory(at.tile, static_cast<uint32_t>(place) & ~3u, 4);
  return failure::tree(origin, 0) + "\n";
}

std::string run_to(Target& target, Navigator& navigator, Thread thread, const Words& words) {
  const auto n = words.size() == 3 ? number(words[2]) : std::nullopt;
  if (!n || (words[1] != "superstep" && words[1] != "cycle")) return "run-to: give superstep N or cycle N\n";
  if (words[1] == "superstep")
    navigator.run_to_superstep(*n, target.of(thread.tile).place.chip);
  else
    navigator.run_to_cycle(*n);
  return "continue (or reverse-continue) stops at " + words[1] + " " + words[2] + "\n";
}

// Each chip gets of it what concerns its tiles.
void inspect_all(Target& target, const std::string& options) {
  std::vector<std::string> mine;
  for (unsigned chip = 0; chip < target.chips(); ++chip) mine.push_back(of_chip(options, {chip, target.chips()}));
  for (unsigned chip = 0; chip < target.chips(); ++chip) target.run(chip).inspect(mine[chip]);
}

std::string record(Target& target, Thread thread, const Words& words) {
  const std::string& what = words[0];
  const std::string of_tiles = what == "waves" ? "wave-tiles" : "trace-tiles";
  if (words.size() == 2 && words[1] == "off") {
    inspect_all(target, what + "=");
    return what + " are closed\n";
  }
  if (words.size() < 3 || words.size() > 4 || words[1] != "on") return what + ": give on FILE [TILES], or off\n";
  const Target::OnChip at = target.of(thread.tile);
  const std::string chosen = words.size() == 4 ? words[3] : at.place.number(at.tile);
  const TileSet set = parse_tiles(chosen);
  for (unsigned chip = 0; chip < target.chips(); ++chip) set.of(target.tiles_of_chip(), {chip, target.chips()});
  inspect_all(target, what + "=" + words[2] + ";" + of_tiles + "=" + chosen);
  return what + " of tiles " + chosen + " into " + words[2] + " from cycle " + std::to_string(target.frontier()) +
         " on\n";
}

std::string hardware(Target& target, Navigator& navigator, const Words& words) {
  if (words.size() != 1) return "hardware: takes no argument\n";
  navigator.leave_view();
  navigator.use_hardware(target);
  return "the tiles' own breakpoints and watchpoints stop the run from here on\n";
}

std::string checkpoint(Target& target, Navigator& navigator, const Words& words) {
  if (words.size() != 2) return "checkpoint: give a file\n";
  navigator.leave_view();
  return write_checkpoint(target, navigator.position(), words[1]);
}

}  // namespace

std::string monitor(std::string_view command, Target& target, Navigator& navigator, Thread thread) {
  std::istringstream stream{std::string(command)};
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  const std::string first = words.empty() ? "help" : words[0];
  try {
    if (first == "help") return kHelp;
    if (first == "superstep") return superstep(target, navigator);
    if (first == "tiles") return tiles(target, navigator.view(target));
    if (first == "sync") return sync(target, navigator.view(target));
    if (first == "exchange") return exchange_history(target, navigator);
    if (first == "checkpoint") return checkpoint(target, navigator, words);
    if (first == "run-to" && navigator.hardware()) return "run-to: stops of the hardware know no time\n";
    if (first == "run-to") return run_to(target, navigator, thread, words);
    if (first == "hardware") return hardware(target, navigator, words);
    if (first == "waves" || first == "trace") return record(target, thread, words);
    if (first == "why") return why(target, navigator, thread, words);
    if (first == "where") {
      const auto address = words.size() == 2 ? number(words[1]) : std::nullopt;
      if (!address)
        return "where: give an address (monitor where 0x80000; an expression: eval \"monitor where %d\", &x)\n";
      return where(target, navigator.view(target), thread, static_cast<uint32_t>(*address));
    }
  } catch (const std::exception& e) {
    return first + ": " + e.what() + "\n";
  }
  return "no command '" + first + "'; monitor help lists them\n";
}

}  // namespace tessera::inspect::gdb
