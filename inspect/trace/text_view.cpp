#include "inspect/trace/text_view.h"

#include <fmt/format.h>

#include <bit>

#include "rtl/spec/causes.h"
#include "rtl/spec/instructions.h"
#include "rtl/spec/numbers.h"

namespace tessera::inspect::trace {
namespace {

std::string hex_bytes(uint64_t value, unsigned bytes) { return fmt::format("{:0{}x}", value, 2 * bytes); }

// A float store's value as a number beside its bits.
std::string number_of(uint32_t instruction, uint64_t value) {
  const spec::Opcode opcode = spec::decode(instruction);
  if (opcode == spec::Opcode::Fsw) return fmt::format(" ({:g})", std::bit_cast<float>(static_cast<uint32_t>(value)));
  return "";
}

std::string store(const Event& e, const Names& names) {
  const chip::Retire& r = e.retire;
  const auto first = static_cast<unsigned>(std::countr_zero(r.mem_strobe));
  const auto bytes = static_cast<unsigned>(std::bit_width(static_cast<unsigned>(r.mem_strobe) >> first));
  const uint64_t value = r.mem_data >> 8 * first;
  const uint32_t address = r.mem_address + first;
  const std::string name = names.data(e.tile, address);
  return fmt::format("[{:x}{}{}] = {}{}", address, name.empty() ? "" : " ", name, hex_bytes(value, bytes),
                     number_of(r.instruction, value));
}

std::string registers(const chip::Retire& r) {
  std::string text;
  const auto add = [&text](bool is_float, unsigned number, uint64_t value) {
    if (!text.empty()) text += ", ";
    if (is_float && value >> 32 != 0xffffffff)
      text += fmt::format("f{} = {:016x}", number, value);
    else
      text += fmt::format("{}{} = {:08x}", is_float ? 'f' : 'x', number, static_cast<uint32_t>(value));
  };
  if (r.reg_write) add(r.reg_float, r.reg, r.reg_data);
  if (r.pair_write) add(true, r.reg + 1u, r.pair_data);
  if (r.base_write) add(r.base_float, r.base, r.base_data);
  return text;
}

std::string retire_line(const Event& e, Names& names) {
  const chip::Retire& r = e.retire;
  std::string wrote = registers(r);
  if (r.mem_write) wrote += (wrote.empty() ? "" : ", ") + store(e, names);
  if (r.exception != 0) wrote += fmt::format("exception {}", spec::cause_name(r.exception));
  return fmt::format("{:>10} {:>4} {:<3} {:>6x}  {:<34} {:<34} {}", e.cycle, names.number(e.tile),
                     context_name(r.context), r.pc, spec::disassemble(r.instruction, r.pc), wrote,
                     names.place(e.tile, r.context, r.pc));
}

std::string what(const Event& e, Names& names) {
  const auto at = [&](const char* verb) {
    const std::string name = names.data(e.tile, e.address);
    return fmt::format("{} [{:x}{}{}] = {:08x}", verb, e.address, name.empty() ? "" : " ", name, e.value);
  };
  switch (e.kind) {
    case EventKind::kRetire:
      return "";
    case EventKind::kSent:
      return fmt::format("sends {:08x}", e.value);
    case EventKind::kReceived:
      return fmt::format("gets {:08x} from {}", e.value, names.tile(e.address));
    case EventKind::kExchangeWrite:
      return at("exchange writes");
    case EventKind::kPacketOut:
      return fmt::format("packet out {:08x}{}", e.value, e.flag ? ", last word" : "");
    case EventKind::kPacketIn:
      return fmt::format("packet in {:08x}{}", e.value, e.flag ? ", first word" : "");
    case EventKind::kPacketWrite:
      return at("packet writes");
    case EventKind::kDebugWritten:
      return e.space == chip::DebugSpace::kMemory
                 ? at("host writes")
                 : fmt::format("host writes debug space {}, context {}, register {} = {:08x}",
                               static_cast<unsigned>(e.space), e.context, e.address, e.value);
    case EventKind::kSelected:
      return e.address == chip::kNoTile ? "listens to no tile" : "listens to " + names.tile(e.address);
    case EventKind::kExchanging:
      return e.flag ? "exchange begins" : "exchange done";
    case EventKind::kSyncRequest:
      return fmt::format("requests {} sync, contributes {}", spec::zone_name(e.address), e.flag ? 1 : 0);
    case EventKind::kPacketRequest:
      return "asks to send a packet";
    case EventKind::kEntered:
      return "enters " + names.vertex(e);
    case EventKind::kLeft:
      return "leaves " + names.vertex(e);
    case EventKind::kExcepted:
      return fmt::format("exception {} at pc {:x}, value {:#x}  {}", spec::cause_name(static_cast<uint8_t>(e.address)),
                         e.from, e.value, names.place(e.tile, e.context, static_cast<uint32_t>(e.from)));
    case EventKind::kSuperstep:
      return fmt::format("superstep {} ends", e.from);
    case EventKind::kSyncAcknowledge:
      return fmt::format("{} sync acknowledged, consensus {}{}", spec::zone_name(e.address), e.flag ? 1 : 0,
                         e.value != 0 ? fmt::format(", mark {}", e.value) : "");
    case EventKind::kHostSync:
      return "host is notified";
    case EventKind::kDebugTime:
      return fmt::format("debug accesses up to cycle {}", e.to);
  }
  return "";
}

bool has_context(EventKind kind) {
  return kind == EventKind::kEntered || kind == EventKind::kLeft || kind == EventKind::kExcepted;
}

bool is_load(const Event& e) { return e.kind == EventKind::kDebugWritten && e.space == chip::DebugSpace::kMemory; }

}  // namespace

std::string line_heading() {
  return fmt::format("{:>10} {:>4} {:<3} {:>6}  {:<34} {:<34} {}", "cycle", "tile", "ctx", "pc", "instruction or event",
                     "wrote", "where");
}

std::string line(const Event& e, Names& names) {
  if (e.kind == EventKind::kRetire) return retire_line(e, names);
  const std::string tile =
      e.tile == chip::kNoTile ? (e.kind == EventKind::kDebugWritten ? "all" : "chip") : names.number(e.tile);
  return fmt::format("{:>10} {:>4} {:<3} {:>6}  {}", e.cycle, tile, has_context(e.kind) ? context_name(e.context) : "",
                     "", what(e, names));
}

bool TextLines::continues_load(const Event& e) const {
  return loaded_ && is_load(e) && e.tile == loaded_->tile && e.address == loaded_->address + 4 * loaded_words_ &&
         e.cycle == loaded_->cycle + loaded_words_;
}

void TextLines::add(const Event& e) {
  if (continues_load(e)) {
    ++loaded_words_;
    return;
  }
  if (loaded_ && e.kind == EventKind::kDebugTime) {
    meanwhile_.push_back(e);
    return;
  }
  if (taken_ && e.tile == taken_->tile && e.cycle == taken_->cycle && e.value == taken_->value &&
      (e.kind == EventKind::kExchangeWrite || e.kind == EventKind::kPacketWrite)) {
    const std::string name = names_.data(e.tile, e.address);
    print_(fmt::format("{} to [{:x}{}{}]", line(*taken_, names_), e.address, name.empty() ? "" : " ", name));
    taken_.reset();
    return;
  }
  end();
  if (e.kind == EventKind::kReceived || e.kind == EventKind::kPacketIn)
    taken_ = e;
  else if (is_load(e))
    loaded_ = e, loaded_words_ = 1;
  else
    print_(line(e, names_));
}

void TextLines::end() {
  if (taken_) print_(line(*taken_, names_));
  taken_.reset();
  if (!loaded_) return;
  std::string text = line(*loaded_, names_);
  if (loaded_words_ > 1)
    text += fmt::format(" and on, {} words up to [{:x}], one a cycle", loaded_words_,
                        loaded_->address + 4 * (loaded_words_ - 1));
  print_(text);
  loaded_.reset();
  for (const Event& e : meanwhile_) print_(line(e, names_));
  meanwhile_.clear();
}

const std::vector<EventGroup>& event_groups() {
  static const std::vector<EventGroup> groups = {
      {"instructions", "every instruction", [](const Event& e) { return e.kind == EventKind::kRetire; }},
      {"stores", "instructions that wrote memory",
       [](const Event& e) { return e.kind == EventKind::kRetire && e.retire.mem_write; }},
      {"exchange", "words sent, received and written, and who listens to whom",
       [](const Event& e) {
         return e.kind == EventKind::kSent || e.kind == EventKind::kReceived || e.kind == EventKind::kExchangeWrite ||
                e.kind == EventKind::kSelected || e.kind == EventKind::kExchanging;
       }},
      {"sync", "requests, acknowledgements, supersteps",
       [](const Event& e) {
         return e.kind == EventKind::kSyncRequest || e.kind == EventKind::kSyncAcknowledge ||
                e.kind == EventKind::kSuperstep;
       }},
      {"host", "packets, host syncs, debug accesses",
       [](const Event& e) {
         return e.kind == EventKind::kPacketRequest || e.kind == EventKind::kPacketOut ||
                e.kind == EventKind::kPacketIn || e.kind == EventKind::kPacketWrite || e.kind == EventKind::kHostSync ||
                e.kind == EventKind::kDebugTime || e.kind == EventKind::kDebugWritten;
       }},
      {"vertices", "vertices entered and left",
       [](const Event& e) { return e.kind == EventKind::kEntered || e.kind == EventKind::kLeft; }},
      {"exceptions", "exceptions",
       [](const Event& e) {
         return e.kind == EventKind::kExcepted || (e.kind == EventKind::kRetire && e.retire.exception != 0);
       }},
  };
  return groups;
}

}  // namespace tessera::inspect::trace
