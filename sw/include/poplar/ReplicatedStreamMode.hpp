// Whether each replica has transfers of its own, or all get the same one.
#pragma once

namespace poplar {

enum class ReplicatedStreamMode { REPLICATE, BROADCAST };

}  // namespace poplar
