#include "inspect/gdb/protocol.h"

#include <algorithm>

#include "inspect/gdb/registers.h"
#include "inspect/gdb/rsp.h"
#include "rtl/spec/machine.h"

namespace tessera::inspect::gdb {
namespace {

constexpr const char* kBadRequest = "E01";
// gdb takes a second or so for the symbols of as many tiles.
constexpr size_t kShownAtOnce = 16;

std::string error(const std::exception& e) { return std::string("E.") + e.what(); }

}  // namespace

Protocol::Protocol(Navigator& navigator, std::vector<unsigned> tiles, bool chosen, unsigned tiles_in_all,
                   unsigned chips)
    : navigator_(navigator),
      tiles_(std::move(tiles)),
      shown_first_(chosen || tiles_.size() <= kShownAtOnce ? tiles_.size() : 1),
      files_(tiles_in_all, chips) {
  begin({});
}

void Protocol::begin(const Found& stop) {
  last_stop_ = stop;
  const auto shown = tiles_.begin() + static_cast<std::ptrdiff_t>(shown_first_);
  attached_ = {tiles_.begin(), shown};
  hidden_ = {shown, tiles_.end()};
  navigator_.follow(hidden_);
  general_ = focus_ = {tiles_.empty() ? 0 : tiles_.front(), 0};
  moved_.reset();
  acknowledges_ = true;
  processes_ = false;
}

void Protocol::show(unsigned tile) {
  attached_.insert(tile);
  if (hidden_.erase(tile) != 0) navigator_.follow(hidden_);
}

std::optional<Thread> Protocol::named(std::string_view text) const {
  const auto id = parse_thread(text, processes_);
  if (!id || attached_.empty()) return std::nullopt;
  const unsigned tile = id->tile.value_or(attached_.contains(focus_.tile) ? focus_.tile : *attached_.begin());
  const unsigned context = id->context.value_or(tile == focus_.tile ? focus_.context : 0);
  if (!attached_.contains(tile)) return std::nullopt;
  return Thread{tile, context};
}

Order Protocol::handle(std::string_view payload, Target& target) {
  if (payload.empty()) return answer("");
  const std::string_view rest = payload.substr(1);
  switch (payload.front()) {
    case '?': {
      std::string text;
      return answer(attached_.empty() ? "W00" : told(target, last_stop_, text));
    }
    case '!':
      return answer("OK");
    case 'q':
      return query(rest, target);
    case 'Q':
      return set(rest);
    case 'v':
      return verbose(rest, target);
    case 'H': {
      if (rest.empty()) return answer(kBadRequest);
      const auto thread = named(rest.substr(1));
      if (!thread) return answer(kBadRequest);
      const auto id = parse_thread(rest.substr(1), processes_);
      if (rest.front() == 'g') general_ = *thread;
      if (rest.front() == 'c') moved_ = id->context ? thread : std::nullopt;
      return answer("OK");
    }
    case 'T':
      return answer(named(rest) ? "OK" : kBadRequest);
    case 'g':
      return answer(all_registers(target));
    case 'G':
      return answer(write_all_registers(rest, target));
    case 'p':
      return answer(one_register(rest, target));
    case 'P':
      return answer(write_one_register(rest, target));
    case 'm':
      return answer(read_memory(rest, target));
    case 'M':
    case 'X':
      return answer(write_memory(rest, target, payload.front() == 'X'));
    case 'Z':
    case 'z':
      return breakpoint(payload, target);
    case 'c':
    case 'C':
    case 's':
    case 'S':
      return old_resume(payload.front());
    case 'b':
      // gdb names no thread when it lets all of them go, and has asked others since: the one it was told of is meant.
      if (navigator_.hardware()) return answer("E.stops of the hardware: time goes forward only");
      if (rest == "s") return {Order::Kind::kReverseStep, "", {}, moved_.value_or(focus_)};
      if (rest == "c") return {Order::Kind::kReverseContinue, "", {}, {}};
      return answer("");
    case 'D':
      return detach(rest);
    case 'k':
      return {Order::Kind::kKill, "", {}, {}};
    default:
      return answer("");
  }
}

Order Protocol::old_resume(char action) {
  Order order{Order::Kind::kResume, "", {}, {}};
  if (action == 's' || action == 'S') order.resume.steps = {{moved_.value_or(general_)}};
  return order;
}

// vCont's actions: the first that names a thread holds for it. Threads without one are kept from stopping the run, but
// time passes for all.
Order Protocol::resume(std::string_view actions) {
  Order order{Order::Kind::kResume, "", {}, {}};
  bool all = actions.empty();
  while (!actions.empty()) {
    std::string_view action = cut(actions, ';');
    std::string_view verb = cut(action, ':');
    ThreadId id;
    if (!action.empty()) {
      const auto parsed = parse_thread(action, processes_);
      if (!parsed) return answer(kBadRequest);
      id = *parsed;
    }
    if (verb.empty()) return answer(kBadRequest);
    const bool one = id.tile && id.context;
    const Thread thread = one ? Thread{*id.tile, *id.context} : general_;
    if (!attached_.contains(thread.tile)) return answer(kBadRequest);
    const char kind = verb.front();
    if (kind == 'c' || kind == 'C') {
      if (one)
        order.resume.only.insert(thread);
      else
        all = true;
      continue;
    }
    StepWish wish{thread};
    if (kind == 'r') {
      verb.remove_prefix(1);
      const auto begin = hex_number(cut(verb, ',')), end = hex_number(verb);
      if (!begin || !end) return answer(kBadRequest);
      wish.begin = static_cast<uint32_t>(*begin);
      wish.end = static_cast<uint32_t>(*end);
      wish.range = wish.begin != wish.end;
    } else if (kind != 's' && kind != 'S') {
      return answer(kBadRequest);
    }
    if (!order.resume.only.insert(thread).second) continue;
    order.resume.steps.push_back(wish);
  }
  if (all) order.resume.only.clear();
  return order;
}

namespace {

// "X<bytes>,<code>" one behind the other; nullopt: damaged.
std::optional<Conditions> conditions_of(std::string_view text) {
  Conditions all;
  while (!text.empty()) {
    if (text.front() == ';') {
      text.remove_prefix(1);
      continue;
    }
    if (text.front() != 'X') return std::nullopt;
    text.remove_prefix(1);
    const auto bytes = hex_number(cut(text, ','));
    if (!bytes || *bytes > text.size() / 2) return std::nullopt;
    const auto code = from_hex(text.substr(0, 2 * *bytes));
    if (!code) return std::nullopt;
    all.push_back(*code);
    text.remove_prefix(2 * *bytes);
  }
  return all;
}

// Code lies in region 0. gdb has a function that it calls return to a breakpoint on the stack: calls end here, since
// they would change the program's run (docs/reference/gdb.md).
bool may_hold_code(Target& target, unsigned tile, uint32_t address) {
  const Target::OnChip at = target.of(tile);
  const auto& machine = at.run.chip().machine();
  if (address < machine.memory_base || address >= machine.region1_base) return false;
  return std::ranges::none_of(at.run.program().stacks, [&](const names::Stack& stack) {
    return (stack.tile == at.tile || stack.tile == names::Stack::kEveryTile) && address >= stack.address &&
           address - stack.address < stack.bytes;
  });
}

}  // namespace

Order Protocol::breakpoint(std::string_view payload, Target& target) {
  const bool insert = payload.front() == 'Z';
  payload.remove_prefix(1);
  const std::string_view type = cut(payload, ',');
  const auto address = hex_number(cut(payload, ','));
  const auto length = hex_number(cut(payload, ';'));
  const auto conditions = conditions_of(payload);
  if (!address || *address > 0xffffffff || !length || !conditions) return answer(kBadRequest);
  if (type.size() != 1 || type.front() < '0' || type.front() > '4') return answer("");
  Stops& all = navigator_.stops();
  TileStops& stops = all[general_.tile];
  const auto at = static_cast<uint32_t>(*address);
  if (type == "0" || type == "1") {
    if (insert && !may_hold_code(target, general_.tile, at)) return answer(kBadRequest);
    auto& breaks = type == "0" ? stops.breaks : stops.hardware_breaks;
    if (insert)
      breaks.insert_or_assign(at, *conditions);
    else
      breaks.erase(at);
  } else {
    const Watch watch{at, static_cast<uint32_t>(*length), type != "2", type != "3"};
    if (insert)
      stops.watches.insert(watch);
    else
      stops.watches.erase(watch);
  }
  const std::string refusal = insert && navigator_.hardware() ? Hardware::refusal(stops) : "";
  if (!refusal.empty()) {
    if (type == "0" || type == "1")
      (type == "0" ? stops.breaks : stops.hardware_breaks).erase(at);
    else
      stops.watches.erase({at, static_cast<uint32_t>(*length), type != "2", type != "3"});
  }
  if (stops.empty()) all.erase(general_.tile);
  return answer(refusal.empty() ? "OK" : "E." + refusal);
}

Order Protocol::detach(std::string_view payload) {
  if (payload.empty()) {
    attached_.clear();
  } else {
    const auto process = hex_number(payload.substr(1));
    if (!process || !attached_.contains(static_cast<unsigned>(*process) - 1)) return answer(kBadRequest);
    attached_.erase(static_cast<unsigned>(*process) - 1);
    navigator_.stops().erase(static_cast<unsigned>(*process) - 1);
  }
  return {attached_.empty() ? Order::Kind::kDetach : Order::Kind::kAnswer, "OK", {}, {}};
}

std::string Protocol::register_text(Target& target, unsigned number) {
  const Register& r = registers()[number];
  const auto value = navigator_.register_of(target, general_, r);
  return value ? to_hex(*value, r.bytes) : std::string(2 * r.bytes, 'x');
}

std::string Protocol::all_registers(Target& target) {
  std::string text;
  for (unsigned n = 0; n < kInGeneral; ++n) text += register_text(target, n);
  return text;
}

std::string Protocol::one_register(std::string_view payload, Target& target) {
  const auto number = hex_number(payload);
  return number && *number < registers().size() ? register_text(target, static_cast<unsigned>(*number)) : kBadRequest;
}

namespace {

std::optional<uint64_t> value_of(std::string_view hex, unsigned bytes) {
  const auto raw = from_hex(hex);
  if (!raw || raw->size() != bytes) return std::nullopt;
  uint64_t value = 0;
  for (unsigned i = 0; i < bytes; ++i) value |= uint64_t{static_cast<uint8_t>((*raw)[i])} << (8 * i);
  return value;
}

}  // namespace

std::string Protocol::write_one_register(std::string_view payload, Target& target) {
  const auto number = hex_number(cut(payload, '='));
  if (!number || *number >= registers().size()) return kBadRequest;
  const Register& r = registers()[*number];
  const auto value = value_of(payload, r.bytes);
  if (!value) return kBadRequest;
  const auto writes = write_register(r, general_, *value);
  if (writes.empty()) return kBadRequest;
  try {
    navigator_.write(target, general_.tile, writes);
  } catch (const std::runtime_error& e) {
    return error(e);
  }
  return "OK";
}

// Writes those whose value differs.
std::string Protocol::write_all_registers(std::string_view payload, Target& target) {
  std::vector<TileWrite> writes;
  for (unsigned n = 0; n < kInGeneral && !payload.empty(); ++n) {
    const Register& r = registers()[n];
    const std::string_view text = payload.substr(0, 2 * r.bytes);
    payload.remove_prefix(text.size());
    const auto value = value_of(text, r.bytes);
    if (!value || *value == navigator_.register_of(target, general_, r)) continue;
    const auto more = write_register(r, general_, *value);
    writes.insert(writes.end(), more.begin(), more.end());
  }
  try {
    if (!writes.empty()) navigator_.write(target, general_.tile, writes);
  } catch (const std::runtime_error& e) {
    return error(e);
  }
  return "OK";
}

std::string Protocol::read_memory(std::string_view payload, Target& target) {
  const auto address = hex_number(cut(payload, ',')), length = hex_number(payload);
  const auto& machine = target.machine(general_.tile);
  if (!address || !length || *address < machine.memory_base || *address >= machine.memory_end()) return kBadRequest;
  std::vector<uint8_t> bytes(std::min<uint64_t>({*length, kPacketBytes / 2 - 8, machine.memory_end() - *address}));
  navigator_.read_memory(target, general_.tile, static_cast<uint32_t>(*address), bytes);
  return to_hex(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

// The unused part of the thread's own stack. gdb begins a call of a function by writing there what it is to return to,
// which ends the call before anything else has changed.
bool Protocol::is_below_stack(Target& target, uint32_t begin, uint32_t end) {
  const Target::OnChip at = target.of(general_.tile);
  const names::Stack* stack = at.run.program().stack_of(at.tile, static_cast<uint8_t>(general_.context));
  if (stack == nullptr || begin < stack->address || begin - stack->address >= stack->bytes) return false;
  return end <= navigator_.register_of(target, general_, registers()[kStackRegister]).value_or(0);
}

std::string Protocol::write_memory(std::string_view payload, Target& target, bool binary) {
  const auto address = hex_number(cut(payload, ',')), length = hex_number(cut(payload, ':'));
  const auto data = binary ? std::optional(std::string(payload)) : from_hex(payload);
  const auto& machine = target.machine(general_.tile);
  if (!address || !length || !data || data->size() != *length) return kBadRequest;
  if (*length == 0) return "OK";
  if (*address < machine.memory_base || *address + *length > machine.memory_end()) return kBadRequest;
  std::vector<TileWrite> writes;
  const auto begin = static_cast<uint32_t>(*address), end = begin + static_cast<uint32_t>(*length);
  if (is_below_stack(target, begin, end)) return kBadRequest;
  for (uint32_t at = begin & ~3u; at < end; at += 4) {
    uint32_t word = at >= begin && at + 4 <= end ? 0 : navigator_.view(target).word(general_.tile, at);
    for (uint32_t byte = std::max(at, begin); byte < std::min(at + 4, end); ++byte) {
      const unsigned shift = 8 * (byte & 3);
      word = (word & ~(0xffu << shift)) | uint32_t{static_cast<uint8_t>((*data)[byte - begin])} << shift;
    }
    writes.push_back({chip::DebugSpace::kMemory, 0, at, word});
  }
  try {
    navigator_.write(target, general_.tile, writes);
  } catch (const std::runtime_error& e) {
    return error(e);
  }
  return "OK";
}

}  // namespace tessera::inspect::gdb
