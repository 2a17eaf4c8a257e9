#include "inspect/failure/provenance.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "formats/half.h"
#include "inspect/failure/event_list.h"
#include "inspect/failure/instruction_text.h"
#include "inspect/frozen_view.h"
#include "inspect/pipeline.h"
#include "program/followed_steps.h"
#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"

namespace tessera::inspect::failure {
namespace {

constexpr uint64_t kMostTurns = 1'000'000;

bool writes(const chip::Retire& r, Source s) {
  return (r.reg_write && r.reg_float == s.is_float && r.reg == s.number) ||
         (r.pair_write && s.is_float && r.reg + 1u == s.number) ||
         (r.base_write && r.base_float == s.is_float && r.base == s.number);
}

bool stores_to(const chip::Retire& r, uint32_t address, uint32_t bytes) {
  if (!r.mem_write) return false;
  for (unsigned lane = 0; lane < 8; ++lane)
    if ((r.mem_strobe >> lane & 1) != 0 && r.mem_address + lane - address < bytes) return true;
  return false;
}

bool reads_memory(const Deed& deed) { return deed.reads[0].bytes != 0 || deed.reads[1].bytes != 0; }

// No number, or infinite.
bool is_bad(Source s, uint64_t value) {
  if (!s.is_float) return false;
  if (value >> 16 == 0xffffffffffffu) return !std::isfinite(formats::half_to_float(static_cast<uint16_t>(value)));
  return value >> 32 == 0xffffffffu && !std::isfinite(std::bit_cast<float>(static_cast<uint32_t>(value)));
}

void add_lines(const Origin& origin, unsigned indent, std::string& text) {
  if (!text.empty()) text += '\n';
  text.append(indent, ' ').append(origin.text);
  for (const Origin& from : origin.from) add_lines(from, indent + 2, text);
}

}  // namespace

std::string tree(const Origin& origin, unsigned indent) {
  std::string text;
  add_lines(origin, indent, text);
  return text;
}

Provenance::Provenance(Run& run, const Words& words, uint64_t cycle, const Limits& limits)
    : run_(run), words_(words), end_(cycle), limits_(limits) {}

Origin Provenance::of_register(unsigned tile, unsigned context, Source s, const names::Vertex* known) {
  return of_register({tile, context}, s, end_, {}, known);
}

Origin Provenance::of_memory(unsigned tile, uint32_t address, uint32_t bytes) {
  return of_memory(tile, address, bytes, end_, {}, nullptr);
}

// First what little is near the end, since that is where most is found.
const TileStory& Provenance::story(unsigned tile) {
  auto& known = stories_[tile];
  if (known == nullptr) {
    const uint64_t near = std::min<uint64_t>(limits_.cycles, 20'000);
    known = std::make_unique<TileStory>(run_, tile, std::max(run_.oldest(), end_ > near ? end_ - near : 0), end_);
  }
  return *known;
}

bool Provenance::look_further(unsigned tile) {
  auto& known = stories_.at(tile);
  const uint64_t least = std::max(run_.oldest(), end_ > limits_.cycles ? end_ - limits_.cycles : 0);
  if (known->from() <= least) return false;
  const uint64_t length = 4 * (end_ - known->from());
  known = nullptr;
  known = std::make_unique<TileStory>(run_, tile, std::max(least, end_ > length ? end_ - length : 0), end_);
  return true;
}

const Deed* Provenance::writer(Thread who, Source s, uint64_t before) {
  do {
    const auto& deeds = story(who.tile).deeds();
    for (auto deed = deeds.rbegin(); deed != deeds.rend(); ++deed)
      if (deed->record.cycle < before && deed->record.context == who.context && writes(deed->record, s)) return &*deed;
  } while (look_further(who.tile));
  return nullptr;
}

Origin Provenance::of_register(Thread who, Source s, uint64_t before, Way way, const names::Vertex* known) {
  ++lines_;
  const Deed* found = writer(who, s, before);
  if (found == nullptr)
    return {fmt::format("{}, which {} has not written since cycle {}", register_name(s), the_context(who.context),
                        story(who.tile).from())};
  const Deed deed = *found;  // further looks move it
  const chip::Retire& r = deed.record;
  // A value that goes round through memory is told turn by turn.
  if (!reads_memory(deed) && std::any_of(way.begin(), way.end(), [&](const Step& step) {
        return step.pc == r.pc && step.thread.tile == who.tile && step.thread.context == who.context;
      }))
    return turns(who, deed, s, way, known);
  Origin origin{std::string(register_name(s)) + " = " + register_value(s, written_value(s, r)) +
                failure::origin(words_, r)};
  if (deed.vertex != nullptr && deed.vertex != known) origin.text += ", " + words_.vertex(*deed.vertex);
  way.push_back({who, r.pc});
  origin.from = inputs(who, deed, s, way);
  return origin;
}

// The registers that are looked into: of a bad value the bad ones, if there are some.
std::vector<Source> Provenance::followed(Thread who, const Deed& deed, Source s) {
  std::vector<Source> all = sources_of(deed.record.instruction), bad;
  if (!is_bad(s, written_value(s, deed.record))) return all;
  for (const Source& source : all)
    if (const Deed* from = writer(who, source, deed.record.cycle);
        from != nullptr && is_bad(source, written_value(source, from->record)))
      bad.push_back(source);
  return bad.empty() ? all : bad;
}

// A bad value of good ones.
bool Provenance::makes_bad(Thread who, const Deed& deed, Source s) {
  const std::vector<Source> all = followed(who, deed, s);
  return is_bad(s, written_value(s, deed.record)) && std::none_of(all.begin(), all.end(), [&](const Source& source) {
           const Deed* from = writer(who, source, deed.record.cycle);
           return from != nullptr && is_bad(source, written_value(source, from->record));
         });
}

std::vector<Origin> Provenance::inputs(Thread who, const Deed& deed, Source s, const Way& way) {
  std::vector<Origin> all;
  const chip::Retire& r = deed.record;
  const bool is_base = r.base_write && r.base == s.number && r.base_float == s.is_float;
  if (!is_base && reads_memory(deed)) {
    for (const Deed::Read& read : deed.reads)
      if (read.bytes != 0 && !is_over(way))
        all.push_back(of_memory(who.tile, read.address, read.bytes, r.cycle, way, deed.vertex));
    return all;
  }
  for (const Source& source : followed(who, deed, s)) {
    if (is_over(way)) break;
    all.push_back(of_register(who, source, r.cycle, way, deed.vertex));
  }
  return all;
}

// An instruction that is on the way already: goes back to its first turn.
Origin Provenance::turns(Thread who, const Deed& last, Source s, const Way& way, const names::Vertex* known) {
  const auto on_way = [&](const Deed& deed) {
    return !reads_memory(deed) &&
           std::any_of(way.begin(), way.end(), [&](const Step& step) { return step.pc == deed.record.pc; });
  };
  Deed first = last;
  uint64_t count = 1;
  std::set<uint32_t> beside;  // what each turn takes from outside the loop's own chain
  bool is_origin = makes_bad(who, first, s);
  for (bool goes_on = true; goes_on && !is_origin && count < kMostTurns; ++count) {
    goes_on = false;
    std::set<uint32_t> now;
    for (const Source& source : followed(who, first, s)) {
      const Deed* from = writer(who, source, first.record.cycle);
      if (from == nullptr) continue;
      if (!on_way(*from)) {
        now.insert(from->record.pc);
        continue;
      }
      s = source;
      const Deed next = *from;
      first = next;
      is_origin = makes_bad(who, first, s);
      goes_on = true;
      break;
    }
    if (!goes_on) break;
    beside.insert(now.begin(), now.end());
  }
  const chip::Retire& r = first.record;
  Origin origin{fmt::format("{} = {}: {} of `{}` since cycle {}", register_name(s),
                            register_value(s, written_value(s, r)), counted(count, "earlier turn"),
                            spec::disassemble(r.instruction, r.pc), r.cycle)};
  for (const Source& source : followed(who, first, s)) {
    const Deed* from = writer(who, source, r.cycle);
    if (!is_origin && from != nullptr && (on_way(*from) || beside.count(from->record.pc) != 0)) continue;
    if (is_over(way)) break;
    Way further = way;
    further.push_back({who, r.pc});
    origin.from.push_back(of_register(who, source, r.cycle, further, known));
  }
  return origin;
}

Origin Provenance::of_memory(unsigned tile, uint32_t address, uint32_t bytes, uint64_t before, const Way& way,
                             const names::Vertex*) {
  ++lines_;
  const std::string name = words_.address(tile, address, nullptr);
  const std::string place = fmt::format("{:#x} of {}{}", address, words_.tile(tile), name.empty() ? "" : ", " + name);
  do {
    const TileStory& all = story(tile);
    const Deed* store = nullptr;
    for (auto deed = all.deeds().rbegin(); deed != all.deeds().rend() && store == nullptr; ++deed)
      if (deed->record.cycle < before && stores_to(deed->record, address, bytes)) store = &*deed;
    const Arrival* arrival = nullptr;
    for (auto a = all.arrivals().rbegin(); a != all.arrivals().rend() && arrival == nullptr; ++a)
      if (a->cycle < before + kToMemory && a->address < address + bytes && address < a->address + 4) arrival = &*a;
    if (arrival != nullptr && (store == nullptr || arrival->cycle > store->record.cycle + kToMemory))
      return sent(tile, place, Arrival(*arrival), way);
    if (store != nullptr) return stored(tile, address, place, Deed(*store), way);
  } while (look_further(tile));
  const uint64_t from = story(tile).from();
  return {place + (run_.boundary_before(from).superstep == 0 && from <= run_.oldest()
                       ? ": as it was when the program was loaded"
                       : fmt::format(": nobody has written it since cycle {}", from))};
}

Origin Provenance::stored(unsigned tile, uint32_t address, const std::string& place, const Deed& deed, const Way& way) {
  const chip::Retire& r = deed.record;
  Origin origin{fmt::format("{}: written in cycle {} by {}: `{}`", place, r.cycle, the_context(r.context),
                            spec::disassemble(r.instruction, r.pc))};
  if (const std::string line = words_.line(r.pc); !line.empty()) origin.text += " at " + line;
  if (deed.vertex != nullptr) {
    origin.text += ", " + words_.vertex(*deed.vertex);
    if (const std::string seen = words_.seen_by(*deed.vertex, address); !seen.empty())
      origin.text += ", for which it was " + seen;
  }
  // The datum: the address is what the line is for.
  const uint8_t base = static_cast<uint8_t>(spec::rs1_of(r.instruction));
  for (const Source& source : sources_of(r.instruction)) {
    if ((!source.is_float && source.number == base) || is_over(way)) continue;
    origin.from.push_back(of_register({tile, r.context}, source, r.cycle, way, deed.vertex));
  }
  return origin;
}

Origin Provenance::sent(unsigned tile, const std::string& place, const Arrival& a, const Way& way) {
  const std::string in = step(tile, a.cycle);
  const std::string during = in.empty() ? "" : ", " + in;
  if (a.packet) return {fmt::format("{}: came by packet in cycle {}{}", place, a.cycle, during)};
  Origin origin{
      fmt::format("{}: came by exchange in cycle {} from {}{}", place, a.cycle, words_.tile(a.source), during)};
  const spec::Machine& machine = words_.machine();
  if (a.source >= machine.tiles() || is_over(way)) return origin;
  uint64_t left = a.received - machine.latency(a.source, tile);
  if (a.half) {  // a word of a paired transfer, on this tile's port or on that of its pair
    const unsigned on = spec::Machine::pair_port(tile, a.source);
    left = a.cycle - machine.is_early(a.source, on) - machine.latency(a.source, on);
  }
  if (!add_sent(a.source, a.source, left, way, origin) && machine.pairs())
    add_sent(spec::Machine::pair_of(a.source), a.source, left, way, origin);
  return origin;
}

// What left by a port in a cycle, if that tile sent it.
bool Provenance::add_sent(unsigned sender, unsigned port, uint64_t left, const Way& way, Origin& origin) {
  for (const Sending& phase : story(sender).sendings()) {
    if (left < phase.begin || left > phase.end + kToPort || phase.list == 0) continue;
    unsigned word = 0;
    std::vector<Event> events;
    {
      FrozenView view(run_, end_);
      events = read_events([&](uint32_t at) { return view.word(sender, at); }, words_.machine(), sender, phase.list,
                           phase.begin);
    }
    const Event* event = sending(events, left, word);
    if (event == nullptr || (event->pair == 0 && sender != port)) continue;
    const uint32_t address =
        event->address + (event->pair == 0 ? 4 * word : 8 * word + (port & spec::kUpperOfPair ? 4 : 0));
    origin.from.push_back(of_memory(sender, address, 4, left - kToPort - kToMemory + 1, way, nullptr));
    return true;
  }
  return false;
}

// That the supervisor was in.
std::string Provenance::step(unsigned tile, uint64_t cycle) {
  const names::ProgramInfo& program = words_.program();
  const TileStory& told = story(tile);
  names::FollowedSteps steps(program);
  if (!program.calls.empty()) {
    FrozenView view(run_, told.from());
    steps.stands(tile, view.x(tile, 0, names::kTableRegister));
  }
  std::string last;
  for (const Deed& deed : told.deeds()) {
    const chip::Retire& r = deed.record;
    if (r.cycle > cycle || r.context != 0) continue;
    const std::string& step =
        steps.retire(tile, r.pc, r.reg_write && !r.reg_float ? r.reg : 0, static_cast<uint32_t>(r.reg_data));
    if (!step.empty()) last = step;
  }
  return last;
}

}  // namespace tessera::inspect::failure
