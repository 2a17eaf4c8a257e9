#include "inspect/trace/event_words.h"

#include <fmt/format.h>

#include <bit>

#include "rtl/spec/causes.h"
#include "rtl/spec/instructions.h"
#include "rtl/spec/numbers.h"
#include "rtl/spec/register_names.h"

namespace tessera::inspect::trace {
namespace {

std::string hex_bytes(uint64_t value, unsigned bytes) { return fmt::format("{:0{}x}", value, 2 * bytes); }

// A float store's value as a number beside its bits.
std::string number_of(uint32_t instruction, uint64_t value) {
  const spec::Opcode opcode = spec::decode(instruction);
  if (opcode == spec::Opcode::Fsw) return fmt::format(" ({:g})", std::bit_cast<float>(static_cast<uint32_t>(value)));
  return "";
}

// What the host's debug port writes that is no memory.
std::string debug_place(const Event& e) {
  const std::string of = " of " + context_name(e.context);
  switch (e.space) {
    case chip::DebugSpace::kInteger:
      return spec::register_name({false, static_cast<uint8_t>(e.address & 31)}) + of;
    case chip::DebugSpace::kFloat:
      return fmt::format("the {} half of {}{}", e.address & 1 ? "high" : "low",
                         spec::register_name({true, static_cast<uint8_t>(e.address >> 1 & 31)}), of);
    case chip::DebugSpace::kCsr: {
      const spec::CsrInfo* csr = spec::csr_info(static_cast<uint16_t>(e.address & 0xfff));
      return csr != nullptr ? std::string(csr->name) + of : fmt::format("CSR {:#x}{}", e.address & 0xfff, of);
    }
    default:
      return fmt::format("debug space {}, context {}, register {}", static_cast<unsigned>(e.space), e.context,
                         e.address);
  }
}

}  // namespace

const char* name_of(EventKind kind) {
  switch (kind) {
    case EventKind::kRetire:
      return "instruction";
    case EventKind::kSent:
      return "sent";
    case EventKind::kReceived:
      return "received";
    case EventKind::kExchangeWrite:
      return "exchange write";
    case EventKind::kPacketOut:
      return "packet out";
    case EventKind::kPacketIn:
      return "packet in";
    case EventKind::kPacketWrite:
      return "packet write";
    case EventKind::kDebugWritten:
      return "host write";
    case EventKind::kSelected:
      return "selected";
    case EventKind::kExchanging:
      return "exchanging";
    case EventKind::kSyncRequest:
      return "sync request";
    case EventKind::kPacketRequest:
      return "packet request";
    case EventKind::kEntered:
      return "vertex entered";
    case EventKind::kLeft:
      return "vertex left";
    case EventKind::kExcepted:
      return "exception";
    case EventKind::kSuperstep:
      return "superstep end";
    case EventKind::kSyncAcknowledge:
      return "sync acknowledged";
    case EventKind::kHostSync:
      return "host notified";
    case EventKind::kDebugTime:
      return "debug time";
  }
  return "";
}

std::vector<RegisterWrite> registers_written(const chip::Retire& r) {
  std::vector<RegisterWrite> all;
  const auto add = [&all](bool is_float, unsigned number, uint64_t value) {
    const bool whole = is_float && value >> 32 != 0xffffffff;
    all.push_back({spec::register_name({is_float, static_cast<uint8_t>(number)}),
                   hex_bytes(whole ? value : static_cast<uint32_t>(value), whole ? 8 : 4)});
  };
  if (r.reg_write) add(r.reg_float, r.reg, r.reg_data);
  if (r.pair_write) add(true, r.reg + 1u, r.pair_data);
  if (r.base_write) add(r.base_float, r.base, r.base_data);
  return all;
}

std::string bracketed(const Event& e, uint32_t address, const Names& names) {
  const std::string name = names.data(e, address);
  return fmt::format("[{:x}{}{}]", address, name.empty() ? "" : " ", name);
}

std::string reads_text(const Event& e, const Names& names) {
  std::string text;
  for (unsigned n = 0; n < e.reads.address.size(); ++n)
    if (e.reads.known >> n & 1) text += (text.empty() ? "from " : ", ") + bracketed(e, e.reads.address[n], names);
  return text;
}

std::string store_text(const Event& e, const Names& names) {
  const chip::Retire& r = e.retire;
  if (!r.mem_write || r.mem_strobe == 0) return "";
  const auto first = static_cast<unsigned>(std::countr_zero(r.mem_strobe));
  const auto bytes = static_cast<unsigned>(std::bit_width(static_cast<unsigned>(r.mem_strobe) >> first));
  const uint64_t value = r.mem_data >> 8 * first;
  return fmt::format("{} = {}{}", bracketed(e, r.mem_address + first, names), hex_bytes(value, bytes),
                     number_of(r.instruction, value));
}

std::string what(const Event& e, Names& names) {
  const auto at = [&](const char* verb) {
    return fmt::format("{} {} = {:08x}", verb, bracketed(e, e.address, names), e.value);
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
      return e.space == chip::DebugSpace::kMemory ? at("host writes")
                                                  : fmt::format("host writes {} = {:08x}", debug_place(e), e.value);
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

}  // namespace tessera::inspect::trace
