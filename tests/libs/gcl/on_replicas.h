// Graphs of replicas with four tiles each on the model; values go in and come out by handles, all replicas' together.
#pragma once

#include <catch2/catch.hpp>
#include <map>
#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>
#include <poputil/TileMapping.hpp>
#include <string>
#include <vector>

namespace gcl_test {

using namespace poplar;
using namespace poplar::program;

inline Device device_of(unsigned ipus) {
  IPUModel model;
  model.numIPUs = ipus;
  model.tilesPerIPU = 4;
  return model.createDevice();
}

template <class T>
class OnReplicas {
 public:
  explicit OnReplicas(unsigned replicas, unsigned ipus_of_replica = 1)
      : device_(device_of(replicas * ipus_of_replica)), graph(device_, replication_factor(replicas)) {}

  // Values of all replicas, one after the other.
  Tensor input(const std::vector<std::size_t>& shape, const std::vector<T>& values) {
    const Tensor t = graph.addVariable(equivalent_device_type<T>().value, shape, "input");
    poputil::mapTensorLinearly(graph, t);
    graph.createHostWrite("input", t);
    values_ = values;
    return t;
  }
  // What t holds at the end, of all replicas.
  std::vector<T> result(const Tensor& t, const Sequence& prog) {
    graph.createHostRead("result", t);
    Engine engine(graph, prog);
    engine.load(device_);
    engine.writeTensor("input", values_.data(), values_.data() + values_.size());
    engine.run();
    std::vector<T> out(graph.getReplicationFactor() * t.numElements());
    engine.readTensor("result", out.data(), out.data() + out.size());
    return out;
  }

 private:
  Device device_;
  std::vector<T> values_;

 public:
  Graph graph;
};

}  // namespace gcl_test
