// Systems of several equal chips that no file need describe: a machine's name, an x and how many (`mk2-16x4`).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rtl/spec/system.h"

namespace tessera::spec {

// None if the name is none of such a system. Throws MachineError for what is wrong in the machine.
//
// 2 chips are a pair, 4 and 8 ladders of two columns, 16 and more tori; of 4 on there is a gateway for every four, and
// several stand in a ring.
// Chips side by side have three links where they are a pair or a ladder's rung, else two.
std::optional<System> standard_system(const std::string& name);
// How many chips there may be, as text: "2, 4, ... or 64".
std::string standard_sizes();

}  // namespace tessera::spec
