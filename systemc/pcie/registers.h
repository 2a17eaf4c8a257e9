// Byte offsets of the host port's registers (PCIe BAR 0, 32 bits each): docs/reference/edge.md.
#pragma once

#include <cstdint>

namespace tessera::pcie {

constexpr uint32_t kMagic = 0x54535241;

enum Register : uint32_t {
  kIdentity = 0x000,
  kMachineFirst = 0x004,  // one register per line of the machine description, in table order
  kStatus = 0x100,
  kMark = 0x104,
  kCycleLow = 0x108,
  kCycleHigh = 0x10c,
  kMailbox = 0x110,  // four
  kDebugSelect = 0x120,
  kDebugAddress = 0x124,
  kDebugData = 0x128,
  kExceptionTile = 0x12c,
};

// Bits of kStatus.
constexpr uint32_t kStatusRunning = 1, kStatusHostSync = 2, kStatusException = 4;

// Registers of the control debug space.
enum DebugControl : uint32_t {
  kControlStart,
  kControlHalt,
  kControlResume,
  kControlStep,
  kControlPc,
  kControlStatus,
  kControlActive = 10,
};

// DEBUG_SELECT: [10:0] tile or 0x7ff = all, [18:16] space, [22:20] context.
constexpr uint32_t debug_select(uint32_t tile, uint32_t space, uint32_t context) {
  return tile | space << 16 | context << 20;
}

}  // namespace tessera::pcie
