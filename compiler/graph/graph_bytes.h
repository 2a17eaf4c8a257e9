// A graph and its programs as bytes: the same for equal ones, others for any that a compiler could tell apart. For
// keys; nothing reads them back.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "compiler/graph/graph.h"

namespace tessera::graph {

// Piece after piece, each of some MiB at most; of codelets what is known of them, not the libraries they are in.
void for_each_piece(const Graph& graph, const std::vector<ProgramRef>& programs,
                    const std::function<void(std::span<const std::uint8_t>)>& take);

}  // namespace tessera::graph
