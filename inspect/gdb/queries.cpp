// Protocol: questions about the target (q, Q, v packets).
#include "inspect/gdb/monitor.h"

#include <algorithm>
#include <charconv>

#include "inspect/function_name.h"
#include "inspect/gdb/protocol.h"
#include "inspect/gdb/registers.h"
#include "inspect/gdb/rsp.h"
#include "inspect/options.h"
#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"

namespace tessera::inspect::gdb {
namespace {

bool starts(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string memory_map(const spec::Machine& machine) {
  return "<?xml version=\"1.0\"?>\n<memory-map>\n<memory type=\"ram\" start=\"0x" + hex_text(machine.memory_base) +
         "\" length=\"0x" + hex_text(machine.memory_bytes) + "\"/>\n</memory-map>\n";
}

std::string tiles_text(const std::vector<unsigned>& tiles, const Target& target) {
  TileSet set{false, {}};
  for (const unsigned tile : tiles) set.tiles.push_back({target.of(tile).place.chip, target.of(tile).tile});
  return text(set);
}

std::optional<unsigned> decimal(std::string_view text) {
  unsigned value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && rest == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// OFFSET,LENGTH of an object.
std::string part_of(const std::string& object, std::string_view range) {
  const auto offset = hex_number(cut(range, ',')), length = hex_number(range);
  if (!offset || !length) return "E01";
  if (*offset >= object.size()) return "l";
  const size_t most = std::min<uint64_t>(*length, kPacketBytes / 2);
  return (*offset + most < object.size() ? "m" : "l") + escaped(std::string_view(object).substr(*offset, most));
}

}  // namespace

std::string name_of(const Target& target, Thread thread) {
  const Target::OnChip at = target.of(thread.tile);
  return thread_name(at.place.tile(at.tile), thread.context);
}

std::string Protocol::thread_state(Target& target, Thread thread) {
  View& view = navigator_.view(target);
  const Target::OnChip at = target.of(thread.tile);
  const auto& program = at.run.program();
  if (const auto e = view.exception(thread.tile); e.cause != 0 && e.context == thread.context) return "excepted";
  if (thread.context != 0) {
    if (!(view.active(thread.tile) >> (thread.context - 1) & 1)) return "inactive";
    const names::Symbol* symbol = program.symbol_at(at.tile, view.pc(thread.tile, thread.context));
    return symbol ? "in " + function_name(program, *symbol) : "active";
  }
  const names::Step* step = program.step_at(at.tile, view.pc(thread.tile, 0));
  return view.wait(thread.tile).state +
         (step ? ", in " + program.step_text(step, view.x(thread.tile, 0, names::kTableRegister)) : "");
}

std::string Protocol::thread_list(Target& target) {
  std::string xml = "<?xml version=\"1.0\"?>\n<threads>\n";
  for (const unsigned tile : attached_)
    for (unsigned context = 0; context < kContextsOfTile; ++context) {
      const Thread thread{tile, context};
      xml += "<thread id=\"" + thread_text(thread, processes_) + "\" name=\"" + name_of(target, thread) + "\">" +
             xml_text(thread_state(target, thread)) + "</thread>\n";
    }
  return xml + "</threads>\n";
}

Order Protocol::transfer(std::string_view request, Target& target) {
  const std::string_view object = cut(request, ':'), verb = cut(request, ':'), annex = cut(request, ':');
  if (verb != "read") return answer("");
  if (object == "features") return answer(annex == "target.xml" ? part_of(target_description(), request) : "E00");
  if (object == "threads") return answer(part_of(thread_list(target), request));
  if (object == "memory-map") return answer(part_of(memory_map(target.machine(general_.tile)), request));
  if (object == "exec-file") {
    const auto process = annex.empty() ? std::optional<uint64_t>(general_.tile + 1) : hex_number(annex);
    if (!process || !attached_.contains(static_cast<unsigned>(*process) - 1)) return answer("E01");
    return answer(part_of(files_.path(static_cast<unsigned>(*process) - 1), request));
  }
  return answer("");
}

Order Protocol::query(std::string_view payload, Target& target) {
  if (starts(payload, "Supported")) {
    processes_ = payload.find("multiprocess+") != std::string_view::npos;
    return answer("PacketSize=" + hex_text(kPacketBytes) +
                  ";QStartNoAckMode+;multiprocess+;vContSupported+;swbreak+;hwbreak+;ConditionalBreakpoints+;"
                  "ReverseStep+;ReverseContinue+"
                  ";qXfer:features:read+;qXfer:threads:read+;qXfer:memory-map:read+;qXfer:exec-file:read+");
  }
  if (starts(payload, "Xfer:")) return transfer(payload.substr(5), target);
  if (starts(payload, "Rcmd,")) {
    const auto command = from_hex(payload.substr(5));
    if (!command) return answer("E01");
    const std::string text = monitor(*command, target, navigator_, general_);
    return answer(text.empty() ? "OK" : to_hex(text));
  }
  if (starts(payload, "Tessera.Tiles")) return answer(to_hex(tiles_text(tiles_, target)));
  if (starts(payload, "Tessera.Process:")) {
    // A tile as people name it.
    std::string_view rest = payload.substr(16);
    const auto chip = decimal(cut(rest, ':')), tile = decimal(rest);
    if (!chip || !tile || *chip >= target.chips() || *tile >= target.tiles_of_chip()) return answer("E01");
    const unsigned number = target.first_tile(*chip) + *tile;
    return answer(std::ranges::find(tiles_, number) == tiles_.end() ? "E01" : to_hex(std::to_string(number + 1)));
  }
  if (starts(payload, "Tessera.Selected:")) {
    const auto thread = named(payload.substr(17));
    if (thread) focus_ = *thread;
    return answer(thread ? "OK" : "E01");
  }
  if (starts(payload, "Tessera.Instruction:")) {
    std::string_view rest = payload.substr(20);
    const auto pc = hex_number(cut(rest, ',')), word = hex_number(rest);
    if (!pc || !word) return answer("E01");
    return answer(to_hex(spec::disassemble(static_cast<uint32_t>(*word), static_cast<uint32_t>(*pc))));
  }
  if (payload == "C") return answer("QC" + thread_text(focus_, processes_));
  if (starts(payload, "Attached")) return answer("1");
  if (starts(payload, "Symbol")) return answer("OK");
  if (payload == "fThreadInfo") {
    std::string text;
    for (const unsigned tile : attached_)
      for (unsigned context = 0; context < kContextsOfTile; ++context)
        text += (text.empty() ? "m" : ",") + thread_text({tile, context}, processes_);
    return answer(text.empty() ? "l" : text);
  }
  if (payload == "sThreadInfo") return answer("l");
  if (starts(payload, "ThreadExtraInfo,")) {
    const auto thread = named(payload.substr(16));
    return answer(thread ? to_hex(name_of(target, *thread) + ": " + thread_state(target, *thread)) : "E01");
  }
  return answer("");
}

Order Protocol::set(std::string_view payload) {
  if (payload == "StartNoAckMode") {
    acknowledges_ = false;
    return answer("OK");
  }
  return answer("");
}

// The first tile stops the run; a further one is shown where the run stands.
Order Protocol::attach(std::string_view number, Target& target) {
  const auto process = hex_number(number);
  const unsigned tile = process ? static_cast<unsigned>(*process) - 1 : 0;
  if (!process || std::find(tiles_.begin(), tiles_.end(), tile) == tiles_.end()) return answer("E01");
  const bool first = attached_.empty();
  show(tile);
  focus_ = general_ = {tile, 0};
  if (first) return {Order::Kind::kAttach, "", {}, {}};
  std::string text;
  return answer(told(target, {StopKind::kAttached, {}, focus_}, text));
}

Order Protocol::verbose(std::string_view payload, Target& target) {
  if (payload == "Cont?") return answer("vCont;c;C;s;S;r");
  if (starts(payload, "Cont;")) return resume(payload.substr(5));
  if (starts(payload, "Kill")) return {Order::Kind::kKill, "OK", {}, {}};
  if (starts(payload, "Attach;")) return attach(payload.substr(7), target);
  if (starts(payload, "File:")) return answer(files_.answer(payload.substr(5), target).value_or(""));
  return answer("");
}

}  // namespace tessera::inspect::gdb
