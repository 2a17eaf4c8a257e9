// Cycles of operations on one tile and on a chip, on the model, beside what was published of the real one (a kernel
// with its launch, of one tile) or beside a bound. What a program takes without the operation is taken off.
#include <cstdlib>
#include <functional>
#include <poplar/CycleCount.hpp>
#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>
#include <popops/DynamicSlice.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Reduce.hpp>
#include <popops/Sort.hpp>
#include <popops/codelets.hpp>
#include <poputil/TileMapping.hpp>
#include <random>
#include <string>
#include <vector>

#include "tests/bench/figure.h"

namespace {

using namespace poplar;
using program::Sequence;
using Build = std::function<void(Graph&, Sequence&)>;

double cycles_of(const char* machine, const Build& build) {
  IPUModel model(machine);
  Device device = model.createDevice();
  device.attach();
  Graph graph(device.getTarget());
  popops::addCodelets(graph);
  Sequence prog;
  build(graph, prog);
  const Tensor count = cycleCount(graph, prog, 0, SyncType::INTERNAL, "cycles");
  graph.createHostRead("cycles", count);
  Engine engine(graph, prog);
  engine.load(device);
  engine.run(0);
  unsigned words[2] = {};
  engine.readTensor("cycles", words, words + 2);
  return words[0] + 4294967296.0 * words[1];
}

double net_cycles(const char* machine, const Build& build) {
  return cycles_of(machine, build) - cycles_of(machine, [](Graph&, Sequence&) {});
}

Tensor on_tile_0(Graph& graph, const Type& type, const std::vector<std::size_t>& shape, const std::string& name) {
  Tensor t = graph.addVariable(type, shape, name);
  graph.setTileMapping(t, 0);
  return t;
}

double add(const Type& type, std::size_t n) {
  return net_cycles("mk2-4", [&](Graph& graph, Sequence& prog) {
    popops::add(graph, on_tile_0(graph, type, {n}, "a"), on_tile_0(graph, type, {n}, "b"), prog);
  });
}

double reduce_rows(std::size_t rows, std::size_t columns) {
  return net_cycles("mk2-4", [&](Graph& graph, Sequence& prog) {
    popops::reduce(graph, on_tile_0(graph, HALF, {rows, columns}, "a"), {0},
                   popops::ReduceParams(popops::Operation::ADD), prog);
  });
}

double gelu(std::size_t n) {
  return net_cycles("mk2-4", [&](Graph& graph, Sequence& prog) {
    popops::map(graph, popops::expr::UnaryOp(popops::expr::UnaryOpType::GELU_ERF, popops::expr::_1),
                {on_tile_0(graph, HALF, {n}, "a")}, prog);
  });
}

double copy_8_kib() {
  return net_cycles("mk2-4", [](Graph& graph, Sequence& prog) {
    const Tensor from = on_tile_0(graph, HALF, {4096}, "from"), to = on_tile_0(graph, HALF, {4096}, "to");
    graph.createHostWrite("from", from);
    graph.createHostRead("to", to);
    prog.add(program::Copy(from, to));
  });
}

double reduce_chip(std::size_t n) {
  return net_cycles("mk2", [&](Graph& graph, Sequence& prog) {
    Tensor t = graph.addVariable(FLOAT, {n}, "t");
    poputil::mapTensorLinearly(graph, t);
    popops::reduce(graph, t, {0}, popops::ReduceParams(popops::Operation::ADD), prog);
  });
}

// Of a planned table of halves.
double multi_slice(std::size_t table_rows, std::size_t columns, std::size_t rows) {
  return net_cycles("mk2", [&](Graph& graph, Sequence& prog) {
    const auto plan = popops::embedding::plan(graph, HALF, table_rows, columns, {rows}, {});
    const Tensor table = popops::createSliceableTensor(graph, HALF, {table_rows, columns}, {0}, {1}, plan, {}, "table");
    const Tensor offsets = popops::createIndicesTensor(graph, {0}, rows, plan, {}, "offsets");
    std::mt19937 random(1);
    std::vector<unsigned> values(rows);
    for (unsigned& v : values) v = static_cast<unsigned>(random() % table_rows);
    graph.setInitialValue(offsets, ArrayRef<unsigned>(values));
    popops::multiSlice(graph, table, offsets, {0}, {1}, prog, plan, {});
  });
}

double sort(std::size_t n) {
  return net_cycles("mk2", [&](Graph& graph, Sequence& prog) {
    const Tensor keys = graph.addVariable(FLOAT, {n}, "keys");
    poputil::mapTensorLinearly(graph, keys);
    std::mt19937 random(1);
    std::vector<float> values(n);
    for (float& v : values) v = std::uniform_real_distribution<float>(-1, 1)(random);
    graph.setInitialValue(keys, ArrayRef<float>(values));
    popops::sort(graph, keys, 0, prog);
  });
}

bool published(const std::string& name, double cycles, double goal) {
  return print_figure(name, cycles, "cycles", Goal::kAtMost, goal, {{"goal", "published of the real tile"}});
}

bool bounded(const std::string& name, double cycles, double bound, double times, const char* what) {
  return print_figure(name, cycles / bound, "of the bound", Goal::kAtMost, times,
                      {{"cycles", cycles}, {"bound", bound}, {"bound_is", what}});
}

}  // namespace

int main() {
  setenv("TESSERA_QUIET", "1", 1);
  bool ok = published("add-half-576", add(HALF, 576), 1068);
  ok &= published("add-half-1728", add(HALF, 1728), 2220);
  ok &= published("reduce-half-4x2208", reduce_rows(4, 2208), 4974);
  ok &= published("reduce-half-15x576", reduce_rows(15, 576), 3090);
  ok &= published("gelu-half-2208", gelu(2208), 8718);
  ok &= published("copy-8-kib", copy_8_kib(), 1308);
  constexpr std::size_t kHalves = 69120, kFloats = 34560;
  // Two loads, an operation and a store of 64 bits for four halves or two floats; six workers issue one instruction a
  // cycle.
  ok &= bounded("add-half-full-tile", add(HALF, kHalves), kHalves, 1.2, "an instruction an element");
  ok &= bounded("add-float-full-tile", add(FLOAT, kFloats), 2 * kFloats, 1.2, "two instructions an element");
  constexpr double kElements = 1e6, kTiles = 1472;
  // A tile's own share by loads of 64 bits, a word of each tile to the last one, and those by the same loads.
  const double bound = kElements / kTiles / 2 + kTiles + kTiles / 2;
  ok &= bounded("reduce-1e6-floats-mk2", reduce_chip(1000000), bound, 1.5,
                "loads of 64 bits of a tile's share, a word of each tile, their loads");
  // Every tile of the table gets all offsets, a word each, and leaves a word of each slice, two halves. Each offset is
  // loaded, made a row and compared, and a word stored; where the tile has the row, here for a quarter of the offsets,
  // the word's address is made and it is loaded. Six workers issue one instruction a cycle.
  constexpr std::size_t kRows = 4096, kTableRows = 4 * kRows;
  ok &= bounded("multi-slice-4096-rows-mk2", multi_slice(kTableRows, 64, kRows), kRows * (1 + 1 + 4 + 2 / 4.0), 1.5,
                "a word in, a word out and 4.5 instructions for each offset");
  // A network of runs, one on each of 2^10 tiles: in each of its steps a tile gets a run of another one and keeps half
  // of both, with a comparison, a store, a load and its address for each key. No syncs, no search for where workers
  // begin, and nothing for the order within a run. The library's own network moves 96 words and executes 240 packed
  // instructions a tile between two of its 43 exchanges, which is half of that.
  constexpr double kKeys = 1e5, kRuns = 1024, kSteps = 10 * 11 / 2;
  ok &= bounded("sort-1e5-floats-mk2", sort(100000), kSteps * kKeys / kRuns * (1 + 4), 1.5,
                "a word and 4 instructions for each key of a tile in 55 steps");
  return ok ? 0 : 1;
}
