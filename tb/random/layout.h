// Where a random program keeps things. Everything that is fetched, and everything that the exchange and the packet port
// touch, has memory elements of its own where a tile has so many, so that nothing clashes unless the program means to.
#pragma once

#include <cstdint>

#include "rtl/spec/machine.h"

namespace tessera::test {

namespace layout {

constexpr uint32_t kTableSlack = 0x180;  // weights may be loaded from so much later than the tables begin
constexpr uint32_t kTriples = 0x400;     // offset of the triples in them
constexpr uint32_t kStreamBytes = 512;   // with data, around each stream
constexpr uint32_t kDataBytes = 512;     // of each data area, around its base

// Registers with a fixed use; random instructions read them and never write them.
constexpr unsigned kFirstFixed = 16;
constexpr unsigned kBase0 = 16, kBase1 = 17;  // data0, data1
constexpr unsigned kCounter = 18;             // of a loop
constexpr unsigned kPointer = 19;             // operand of a system instruction, entry, event list
constexpr unsigned kOperand = 20;
constexpr unsigned kLink = 21;  // of auipc for an indirect jump
// Addresses that accesses of up to 64 bits, of 128 bits, and of any size in region 0 update.
constexpr unsigned kStep64 = 22, kStep128 = 23, kStepRegion0 = 24;
constexpr unsigned kTables = 25;           // stream_tables
constexpr unsigned kFirstFixedFloat = 28;  // float registers from here on are address triples

}  // namespace layout

// Without a machine: on mk2's tile.
struct Layout {
  uint32_t base = 0x4C000, region1 = 0x80000, end = 0xE8000, element = 0x4000;
  bool pairs = true;                                 // of tiles
  uint32_t supervisor_code = base;                   // element 0
  uint32_t worker_code = supervisor_code + element;  // 1
  uint32_t patched_code = worker_code + element;     // 2: worker code written by the supervisor
  uint32_t events = patched_code + element;          // 3
  uint32_t send_data = events + element;             // 4
  uint32_t receive_data = send_data + element;       // 5
  uint32_t packet_out = receive_data + element;      // 6
  uint32_t packet_in = packet_out + element;         // 7
  uint32_t data0 = packet_in + element;              // 8: data in region 0
  uint32_t data1 = 0x90000;                          // data in region 1, interleaved
  uint32_t send_data1 = 0xA0000;                     // exchange data in region 1, elements of its own
  uint32_t receive_data1 = 0xB0000;
  // Streams: what loads and stores with address update run over; they drift, so each has room to both sides.
  uint32_t stream_tables = 0x84000;                                     // weights, then address triples
  uint32_t stream0 = 0x78000;                                           // in region 0
  uint32_t stream_a = 0x8C000, stream_b = 0x94000, stream_c = 0x9C000;  // in region 1, a pair of elements each

  constexpr Layout() = default;
  explicit Layout(const spec::Machine&);

  // In the element of the workers' fetches.
  constexpr uint32_t behind_code() const { return worker_code + element - 0x100; }
};

}  // namespace tessera::test
