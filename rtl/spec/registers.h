// Byte offsets of the host port's registers (PCIe BAR 0, 32 bits each): kRegIdentity, kRegStatus, ... (registers.def).
// What stands in DEBUG_SELECT and STATUS: words.h.
#pragma once

#include <cstdint>

namespace tessera::spec {

enum HostRegister : uint32_t {
#define REGISTER(id, offset, access, text) kReg##id = offset,
#include "rtl/spec/registers.def"
#undef REGISTER
};
constexpr uint32_t kRegMachineFirst = 0x004;  // one register a line of the machine description, in table order

}  // namespace tessera::spec
