// How the links between IPUs are set up. One IPU has none: Default.
#pragma once

#include <ostream>

namespace poplar {

enum class IpuLinkConfiguration { Default, BarleyTwist, SlidingWindow };

std::ostream& operator<<(std::ostream& os, IpuLinkConfiguration configuration);

}  // namespace poplar
