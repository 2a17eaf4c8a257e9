// Byte offsets of the host port's registers (PCIe BAR 0, 32 bits each): docs/reference/edge.md.
#pragma once

#include <cstdint>

namespace tessera::pcie {

constexpr uint32_t kMagic = 0x54535241;

// kIdentity, kStatus, ...: rtl/spec/registers.def.
enum Register : uint32_t {
#define REGISTER(id, offset, access, text) k##id = offset,
#include "rtl/spec/registers.def"
#undef REGISTER
};
constexpr uint32_t kMachineFirst = 0x004;  // one register a line of the machine description, in table order

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
