#include "layout.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tessera::test {
namespace {

// Eight elements in each region: what reads and what writes for a port share elements, data of region 0 its last one.
void share_eight(Layout& at) {
  const uint32_t element = at.element, pair = 2 * element;
  at.packet_in = at.packet_out + element / 2;
  at.data0 = at.packet_out + element;
  at.stream0 = at.data0 + element / 2;
  at.stream_tables = at.region1 + element;
  at.stream_a = at.region1 + pair + element;
  at.data1 = at.region1 + 2 * pair;
  at.stream_b = at.data1 + element;
  at.stream_c = at.region1 + 3 * pair + element / 2;
  at.send_data1 = at.region1;
  at.receive_data1 = at.region1 + 3 * pair + element;
}

// Four in each: the first pair of region 1 holds data, the second what is exchanged and sent. The three streams of an
// address triple and that of region 0 lie apart, those of region 0 with events and data: no worker runs in an exchange.
void share_four(Layout& at) {
  const uint32_t element = at.element, ports = at.region1 + 2 * element;
  at.patched_code = at.worker_code + element / 2;
  at.events = at.worker_code + element;
  at.data0 = at.events + element;
  at.stream0 = at.events + element / 2;
  at.data1 = at.region1;
  at.stream_tables = at.region1 + element / 2;
  at.stream_b = at.data0 + element / 2;
  at.stream_c = at.region1 + element + element / 2;
  at.send_data = ports;
  at.send_data1 = ports + element / 4;
  at.receive_data = ports + element / 2;
  at.receive_data1 = at.receive_data + element / 4;
  at.packet_out = ports + element;
  at.stream_a = at.packet_out + 3 * element / 8;
  at.packet_in = at.packet_out + element / 2;
}

}  // namespace

Layout::Layout(const spec::Machine& machine) {
  pairs = machine.pairs();
  if (machine.geometry() == spec::TileGeometry{base, end - base, element, region1}) return;
  element = machine.element_bytes;
  base = machine.memory_base;
  region1 = machine.region1_base;
  end = machine.memory_end();
  supervisor_code = base;
  worker_code = supervisor_code + element;
  patched_code = worker_code + element;
  events = patched_code + element;
  send_data = events + element;
  receive_data = send_data + element;
  packet_out = receive_data + element;
  const uint32_t least = std::min(region1 - base, end - region1) / element;
  if (least >= 8)
    share_eight(*this);
  else if (least >= 4)
    share_four(*this);
  else
    throw std::invalid_argument("random programs need four elements in each region; machine " + machine.name + " has " +
                                std::to_string(least));
}

}  // namespace tessera::test
