// Where a random program keeps things. Everything that is fetched, and everything that the exchange and the packet port
// touch, has memory elements of its own, so that nothing clashes unless the program means to.
#pragma once

#include <cstdint>

namespace tessera::test::layout {

constexpr uint32_t kElement = 0x4000;
constexpr uint32_t kSupervisorCode = 0x4C000;                 // element 0
constexpr uint32_t kWorkerCode = kSupervisorCode + kElement;  // 1
constexpr uint32_t kPatchedCode = kWorkerCode + kElement;     // 2: worker code written by the supervisor
constexpr uint32_t kEvents = kPatchedCode + kElement;         // 3
constexpr uint32_t kSendData = kEvents + kElement;            // 4
constexpr uint32_t kReceiveData = kSendData + kElement;       // 5
constexpr uint32_t kPacketOut = kReceiveData + kElement;      // 6
constexpr uint32_t kPacketIn = kPacketOut + kElement;         // 7
constexpr uint32_t kData0 = kPacketIn + kElement;             // 8: data in region 0
constexpr uint32_t kData1 = 0x90000;                          // data in region 1, interleaved
constexpr uint32_t kSendData1 = 0xA0000;                      // exchange data in region 1, elements of its own
constexpr uint32_t kReceiveData1 = 0xB0000;
// Streams: what loads and stores with address update run over; they drift, so each has room to both sides.
constexpr uint32_t kStreamTables = 0x84000;  // weights, then address triples
constexpr uint32_t kTableSlack = 0x180;      // weights may be loaded from so much later
constexpr uint32_t kTriples = 0x400;         // offset of the triples in it
constexpr uint32_t kStream0 = 0x78000;       // in region 0
constexpr uint32_t kStreamA = 0x8C000, kStreamB = 0x94000, kStreamC = 0x9C000;  // in region 1, a pair of elements each
constexpr uint32_t kStreamBytes = 512;                                          // with data, around each
constexpr uint32_t kDataBytes = 512;                                            // of each data area, around its base

// Registers with a fixed use; random instructions read them and never write them.
constexpr unsigned kFirstFixed = 16;
constexpr unsigned kBase0 = 16, kBase1 = 17;  // kData0, kData1
constexpr unsigned kCounter = 18;             // of a loop
constexpr unsigned kPointer = 19;             // operand of a system instruction, entry, event list
constexpr unsigned kOperand = 20;
constexpr unsigned kLink = 21;  // of auipc for an indirect jump
// Addresses that accesses of up to 64 bits, of 128 bits, and of any size in region 0 update.
constexpr unsigned kStep64 = 22, kStep128 = 23, kStepRegion0 = 24;
constexpr unsigned kTables = 25;           // kStreamTables
constexpr unsigned kFirstFixedFloat = 28;  // float registers from here on are address triples

}  // namespace tessera::test::layout
