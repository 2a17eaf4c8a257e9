// A graph on 16 tiles with the sample codelets, without a device and without compiling anything.
#pragma once

#include <poplar/Graph.hpp>

#include "sw/poplar/impl.h"
#include "tests/poplar/sample_graph.h"

struct GraphFixture {
  poplar::Graph graph{poplar::Target::createIPUTarget(1, 16, "ipu2")};
  poplar::ComputeSet cs;

  GraphFixture() : cs(graph.addComputeSet("cs")) { sample::add_codelets(plain()); }

  tessera::graph::Graph& plain() { return poplar::detail::Access::graph(graph); }
  const tessera::graph::TensorView& view(const poplar::Tensor& t) { return poplar::detail::Access::ref(t).view; }
};
