#include "inspect/trace/event_lane.h"

#include <algorithm>

namespace tessera::inspect::trace {

void encode_events(const std::vector<Event>& events, Bytes& out) {
  uint64_t cycle = 0;
  for (const Event& e : events) {
    put_signed(out, static_cast<int64_t>(e.cycle - cycle));
    out.push_back(static_cast<uint8_t>(static_cast<unsigned>(e.kind) | (e.flag ? 0x80 : 0)));
    out.push_back(e.context);
    put_varint(out, e.value);
    put_varint(out, e.address);
    put_varint(out, e.from);
    put_varint(out, e.to);
    cycle = e.cycle;
  }
}

std::vector<Event> decode_events(ByteReader in, uint32_t tile, uint8_t lane) {
  std::vector<Event> events;
  uint64_t cycle = 0;
  while (!in.empty()) {
    Event e;
    cycle += static_cast<uint64_t>(in.signed_varint());
    e.cycle = cycle;
    e.tile = tile;
    e.lane = lane;
    const uint8_t kind = in.byte();
    if ((kind & 0x7f) >= kEventKinds) throw DamagedBytes("it holds an event of an unknown kind");
    e.kind = static_cast<EventKind>(kind & 0x7f);
    e.flag = (kind & 0x80) != 0;
    e.context = in.byte();
    e.value = static_cast<uint32_t>(in.varint());
    e.address = static_cast<uint32_t>(in.varint());
    e.from = in.varint();
    e.to = in.varint();
    events.push_back(e);
  }
  std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.cycle < b.cycle; });
  return events;
}

void tell(const Event& e, chip::Observer& to) {
  switch (e.kind) {
    case EventKind::kRetire:
      return to.retire(e.tile, e.retire);
    case EventKind::kSent:
      return to.sent(e.tile, e.cycle, e.value);
    case EventKind::kReceived:
      return to.received(e.tile, e.cycle, e.address, e.value);
    case EventKind::kExchangeWrite:
    case EventKind::kPacketWrite:
      return to.port_write(e.tile, {true, e.kind == EventKind::kPacketWrite, e.cycle, e.address, e.value});
    case EventKind::kPacketOut:
      return to.packet_out(e.tile, e.cycle, e.value, e.flag);
    case EventKind::kPacketIn:
      return to.packet_in(e.tile, e.cycle, e.value, e.flag);
    case EventKind::kDebugWritten:
      return to.debug_written(e.tile, e.cycle, e.space, e.context, e.address, e.value);
    case EventKind::kSelected:
      return to.selected(e.tile, e.cycle, e.address);
    case EventKind::kExchanging:
      return to.exchanging(e.tile, e.cycle, e.flag);
    case EventKind::kSyncRequest:
      return to.sync_request(e.tile, e.cycle, static_cast<uint8_t>(e.address), e.flag);
    case EventKind::kPacketRequest:
      return to.packet_request(e.tile, e.cycle);
    case EventKind::kEntered:
    case EventKind::kLeft:
      return;
    case EventKind::kExcepted:
      return to.excepted(e.tile,
                         {static_cast<uint8_t>(e.address), e.context, static_cast<uint32_t>(e.from), e.value, e.cycle});
    case EventKind::kSuperstep:
      return to.superstep(e.from, e.cycle);
    case EventKind::kSyncAcknowledge:
      return to.sync_acknowledge(e.cycle, static_cast<uint8_t>(e.address), e.flag, static_cast<uint16_t>(e.value),
                                 e.from, e.to);
    case EventKind::kHostSync:
      return to.host_sync(e.cycle);
    case EventKind::kDebugTime:
      return to.debug_time(e.cycle, e.to);
  }
}

}  // namespace tessera::inspect::trace
