// Text of a tensor's values as PrintTensor writes it: "title: value", rows in brackets on lines of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "compiler/graph/program.h"
#include "compiler/graph/types.h"

namespace tessera::runtime {

// `data`: the elements in row-major order, as on the tile. An empty shape is a single value.
void print_tensor(std::ostream& os, const std::string& title, graph::ElementType type,
                  const std::vector<uint64_t>& shape, const std::byte* data, const graph::PrintFormat& format);

}  // namespace tessera::runtime
