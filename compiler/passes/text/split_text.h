// How the text is loaded: to all tiles at once what no tile has data in place of, the rest to those that need it.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/image/executable.h"
#include "compiler/passes/memory/layout.h"
#include "compiler/passes/text/link_text.h"

namespace tessera::compiler {

struct SplitText {
  std::vector<image::Segment> shared;
  std::vector<image::SegmentGroup> groups;
  std::vector<std::uint32_t> group_of_set;  // of Text::tiles, as TileImage::group
};

SplitText split_text(const Text& text, const std::vector<TextRoom>& rooms);

}  // namespace tessera::compiler
