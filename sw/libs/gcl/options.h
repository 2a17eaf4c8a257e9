// Options of collectives.
#pragma once

#include <cstddef>
#include <poplar/OptionFlags.hpp>
#include <string>
#include <vector>

#include "sw/libs/gcl/turns.h"

namespace gcl {

// In parts fewer words go, in more phases: for no more than this the phases cost more.
constexpr std::size_t kSmallBytes = 4096;

enum class Method { kAuto, kBroadcast, kClockwiseRing, kAnticlockwiseRing, kRingPair, kHalving };

// Throws poplar::invalid_option for an option or value that there is not.
Method method_of(const poplar::OptionFlags& options);
// Of a collective that has no turns to choose. Throws poplar::invalid_option where a method asks for some.
void check_no_turns(const poplar::OptionFlags& options, const std::string& collective);
// How parts of data of so many bytes in each of n ranks go; none: all is sent at once. Throws poputil::poplibs_error
// where there is no such way between n.
std::vector<Turns> ways_of(Method method, std::size_t bytes, unsigned n);

}  // namespace gcl
