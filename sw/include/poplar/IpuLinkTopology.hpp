// How the IPUs of a device are joined by links. One IPU has none: Mesh.
#pragma once

#include <ostream>

namespace poplar {

enum class IpuLinkTopology { Mesh, Torus, Line };

std::ostream& operator<<(std::ostream& os, IpuLinkTopology topology);

}  // namespace poplar
