// Options of collectives.
#pragma once

#include <cstddef>
#include <poplar/OptionFlags.hpp>

namespace gcl {

enum class Method { kAuto, kBroadcast, kRing };

// Throws poplar::invalid_option for an option or value that there is not.
Method method_of(const poplar::OptionFlags& options);
// Whether parts go round, for data of so many bytes in each of n replicas.
bool by_ring(Method method, std::size_t bytes, unsigned n);

}  // namespace gcl
