#include "inspect/trace/touches.h"

#include <bit>

namespace tessera::inspect::trace {
namespace {

void add_instruction(const Event& e, std::vector<Touch>& all) {
  if (e.reads.known != 0) {
    const uint32_t bytes = read_plan(e.retire.instruction).bytes;
    for (unsigned n = 0; n < e.reads.address.size(); ++n)
      if (e.reads.known >> n & 1) all.push_back({e.reads.address[n], bytes, false, 0, 0});
  }
  const chip::Retire& r = e.retire;
  if (!r.mem_write || r.mem_strobe == 0) return;
  const auto first = static_cast<unsigned>(std::countr_zero(r.mem_strobe));
  const auto strobe = static_cast<uint8_t>(r.mem_strobe >> first);
  all.push_back(
      {r.mem_address + first, static_cast<uint32_t>(std::bit_width(strobe)), true, r.mem_data >> 8 * first, strobe});
}

}  // namespace

std::vector<Touch> touches(const Event& e) {
  std::vector<Touch> all;
  switch (e.kind) {
    case EventKind::kRetire:
      add_instruction(e, all);
      break;
    case EventKind::kDebugWritten:
      if (e.space != chip::DebugSpace::kMemory) break;
      [[fallthrough]];
    case EventKind::kExchangeWrite:
    case EventKind::kPacketWrite:
      all.push_back({e.address, 4, true, e.value, 0xf});
      break;
    default:
      break;
  }
  return all;
}

}  // namespace tessera::inspect::trace
