// What a sync spans: the tiles of a chip, the chips of a device, everything.
#pragma once

namespace poplar {

enum class SyncType { INTERNAL, EXTERNAL, GLOBAL };

}  // namespace poplar
