// The digits demo in small on one chip, without a host process: compiled here, one batch an epoch.
#pragma once

#include <cstring>
#include <poplar/Target.hpp>
#include <string>
#include <vector>

#include "card.h"
#include "compiler/passes/compile.h"
#include "sw/poplar/impl.h"
#include "tests/programs/digits/data_set.h"
#include "tests/programs/digits/network.h"

namespace tessera::test {

inline image::Executable compile_digits(const spec::Machine& machine, unsigned batches = 1) {
  poplar::Graph graph(poplar::Target::createIPUTarget(1, machine.tiles(), "ipu2"));
  const Network network = build_network(graph, std::string(DIGITS_FOLDER) + "/codelets.cpp", batches, 1.0f);
  std::vector<graph::ProgramRef> programs;
  for (const auto& program : network.programs) programs.push_back(poplar::detail::Access::program(program));
  const poplar::Graph& read = graph;
  return compiler::compile(poplar::detail::Access::graph(read), programs, machine);
}

template <class T>
std::vector<uint32_t> words(const std::vector<T>& values, size_t count) {
  std::vector<uint32_t> copy(count);
  std::memcpy(copy.data(), values.data(), 4 * count);
  return copy;
}

inline StreamData digits_streams(const DataSet& digits, unsigned batches = 1) {
  return {{"images", words(digits.train_images, batches * Network::kBatch * Network::kPixels)},
          {"labels", words(digits.train_labels, batches * Network::kBatch)}};
}

}  // namespace tessera::test
