// Reads the layout table that a compiled codelet file carries (sw/device/include/tessera/vertex_abi.h writes it).
#pragma once

#include <vector>

#include "compiler/codelet/discover.h"
#include "compiler/graph/codelet_info.h"
#include "formats/elf.h"

namespace tessera::compiler {

// Joins the names that discovery found with the facts of the object; the order of both is the same.
// Throws CodeletError (kCompilation): "Field 'V.f' has unsupported field type 'T'".
std::vector<graph::CodeletInfo> read_layout_table(const formats::ElfFile& object,
                                                  const std::vector<FoundVertex>& vertices);

}  // namespace tessera::compiler
