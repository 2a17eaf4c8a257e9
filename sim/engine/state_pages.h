// The state of something as pages in memory, which images of it share as far as they are equal.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tessera::chip {

constexpr std::size_t kPageBytes = 4096;
using Page = std::array<uint8_t, kPageBytes>;
using Pages = std::vector<std::shared_ptr<const Page>>;

}  // namespace tessera::chip
