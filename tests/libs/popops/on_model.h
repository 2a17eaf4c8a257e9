// Graphs of operations on four tiles of the model, with values that go in and come out by handles.
#pragma once

#include <catch2/catch.hpp>
#include <cstring>
#include <map>
#include <poplar/Engine.hpp>
#include <poplar/HalfFloat.hpp>
#include <poplar/IPUModel.hpp>
#include <random>
#include <string>
#include <vector>

#include "tb/tier.h"
#include "tests/libs/popops/values.h"

namespace popops_test {

using namespace poplar;
using namespace poplar::program;

constexpr unsigned kTiles = 4;

// Rounds of a random test: all of them in the nightly tier, else a third, since each compiles codelets of its own.
inline int rounds(int nightly) { return static_cast<int>(tessera::test::in_tier(nightly / 3, nightly)); }

class OnModel {
 public:
  OnModel() : device_(make_device()), graph(device_) {}

  // Spread over the tiles in pieces of random size, with values.
  Tensor tensor(Type type, const std::vector<std::size_t>& shape, const Values& values, const std::string& name) {
    const Tensor t = graph.addVariable(type, shape, name);
    spread(t);
    write(t, values);
    return t;
  }
  void spread(const Tensor& t) {
    const Tensor flat = t.flatten();
    for (std::size_t at = 0; at < flat.numElements();) {
      const std::size_t end =
          std::min<std::size_t>(flat.numElements(), at + 1 + random() % (1 + flat.numElements() / 3));
      graph.setTileMapping(flat.slice(at, end), static_cast<unsigned>(random() % kTiles));
      at = end;
    }
  }
  void write(const Tensor& t, const Values& values) {
    if (values.empty()) return;
    with_type(t.elementType(), [&](auto zero) {
      using T = decltype(zero);
      // vector<bool> has no data().
      std::unique_ptr<T[]> data(new T[values.size()]);
      for (std::size_t i = 0; i < values.size(); ++i) {
        if constexpr (std::is_same_v<T, half>)
          data[i] = half(static_cast<float>(values[i]));
        else
          data[i] = static_cast<T>(values[i]);
      }
      graph.setInitialValue(t, data.get(), values.size(), TypeTraits::make<T>());
    });
  }
  // What t holds at the end of the program.
  void read(const Tensor& t, const std::string& handle) {
    graph.createHostRead(handle, t);
    reads_.emplace(handle, t);
  }
  std::map<std::string, Values> run(const Program& program) {
    Engine engine(graph, program);
    engine.load(device_);
    engine.run();
    std::map<std::string, Values> out;
    for (const auto& read : reads_) {
      const std::size_t n = read.second.numElements();
      std::vector<unsigned char> bytes(n * size_of(read.second.elementType()));
      engine.readTensor(read.first, bytes.data(), bytes.data() + bytes.size());
      Values& values = out[read.first];
      with_type(read.second.elementType(), [&](auto value) {
        for (std::size_t i = 0; i < n; ++i) {
          std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
          values.push_back(to_double(value));
        }
      });
    }
    return out;
  }

  std::mt19937 random{20261126};

 private:
  static Device make_device() {
    Device device = IPUModel("mk2-4").createDevice();
    REQUIRE(device.attach());
    return device;
  }
  Device device_;
  std::map<std::string, Tensor> reads_;

 public:
  Graph graph;
};

}  // namespace popops_test
