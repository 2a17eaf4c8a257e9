// Copies between replicas as exchanges.
#pragma once

#include <cstdint>
#include <string>

#include "compiler/graph/graph.h"
#include "compiler/graph/program.h"
#include "compiler/ir/program.h"
#include "compiler/passes/lower/storage.h"

namespace tessera::compiler {

// Exchanges of the program; kNone: nothing of the kind. Those who get from themselves copy before others' packets come.
struct Crossing {
  std::uint32_t inside = ir::kNone, packets = ir::kNone;
};

// Throws graph::GraphError where the tensors of the replicas do not lie alike.
Crossing lower_crossing(const graph::CrossReplicaCopy& op, const std::string& name, Storage& storage,
                        ir::Program& program);

}  // namespace tessera::compiler
