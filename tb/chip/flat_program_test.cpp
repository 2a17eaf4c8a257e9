// A compiled program, codelets and all, on the flat top and on the chip of tile instances: the same results, and the
// same ports of all tiles in every cycle.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "Vtile_state.h"
#include "card.h"
#include "chip_programs.h"
#include "compiler/passes/compile.h"
#include "flat_chip.h"
#include "port_recorder.h"
#include "sim/engine/chip_engine.h"
#include "sim/engine/fabric_pins.h"
#include "sim/engine/rtl_tile.h"
#include "tests/compiler/codelet_source.h"

using namespace tessera;
using namespace tessera::test;
using Engine = chip::ChipEngine<chip::RtlTile<Vtile>>;

namespace {

std::vector<uint32_t> words_of(const std::vector<float>& values) {
  std::vector<uint32_t> words(values.size());
  std::memcpy(words.data(), values.data(), 4 * values.size());
  return words;
}

std::vector<float> floats_of(const std::vector<uint32_t>& words) {
  std::vector<float> values(words.size());
  std::memcpy(values.data(), words.data(), 4 * words.size());
  return values;
}

image::Executable compile_program(const spec::Machine& machine) {
  GraphBuilder b(machine.tiles());
  add_codelets(b, R"(
    struct Scale : Vertex {
      Input<Vector<float>> in;
      Output<Vector<float>> out;
      void compute() { for (unsigned i = 0; i < out.size(); ++i) out[i] = in[i] * 2.0f + 1.0f; }
    };
    struct Dot : Vertex {
      Input<Vector<float>> a, b;
      Output<float> out;
      void compute() { float sum = 0; for (unsigned i = 0; i < a.size(); ++i) sum += a[i] * b[i]; *out = sum / 3.0f; }
    };)");
  const TensorRef x = b.variable("x", graph::ElementType::kFloat, {{6, 0}, {6, 1}, {6, 2}, {6, 3}});
  const TensorRef y = b.variable("y", graph::ElementType::kFloat, {{12, 3}, {12, 1}});
  const TensorRef z = b.variable("z", graph::ElementType::kFloat, {{4, 2}});
  b.write_handle("x", x);
  b.read_handle("y", y);
  b.read_handle("z", z);
  const auto scale = add_compute_set(b, "scale"), dot = add_compute_set(b, "dot");
  for (uint32_t tile = 0; tile < 4; ++tile)
    for (uint32_t i = 0; i < 6; ++i)
      add_vertex(b, scale, "Scale", tile,
                 {{"in", slice(x, (6 * tile + i + 7) % 24, (6 * tile + i + 7) % 24 + 1)},
                  {"out", slice(y, 6 * tile + i, 6 * tile + i + 1)}});
  for (uint32_t tile = 0; tile < 4; ++tile)
    add_vertex(b, dot, "Dot", tile, {{"a", x}, {"b", y}, {"out", slice(z, tile, tile + 1)}});
  return compiler::compile(b.graph, {execute(scale), execute(dot)}, machine);
}

struct Results {
  std::vector<float> y, z;
};

template <class AnyChip>
Results run(Card<AnyChip>& card) {
  std::vector<float> x(24);
  std::iota(x.begin(), x.end(), 0.5f);
  StreamData data{{"x", words_of(x)}};
  card.transfer("x", image::StreamUse::kHostWrite, data);
  card.run(0, data);
  card.run(1, data);
  card.transfer("y", image::StreamUse::kHostRead, data);
  card.transfer("z", image::StreamUse::kHostRead, data);
  return {floats_of(data["y"]), floats_of(data["z"])};
}

}  // namespace

TEST_CASE("a compiled program runs on the flat top as on the instanced chip, cycle by cycle") {
  const auto m = spec::load_machine(TESSERA_TEST_MACHINE);
  const image::Executable executable = compile_program(m);

  const auto fabric = GENERATE(chip::FabricChoice::kEngine, chip::FabricChoice::kRtl);
  Engine engine(m);
  if (auto pins = chip::make_fabric_pins(fabric, m)) engine.use_fabric(std::move(pins));
  PortRecorder<Engine> recorder(engine);
  engine.probe(&recorder);
  Card<Engine> engine_card(engine, m, executable);
  const Results expected = run(engine_card);
  for (unsigned i = 0; i < 24; ++i) CHECK(expected.y[i] == (0.5f + static_cast<float>((i + 7) % 24)) * 2.0f + 1.0f);

  FlatChip flat(m);
  PortComparison comparison(flat, recorder, m.tiles());
  Card<FlatChip> flat_card(flat, m, executable);
  const Results results = run(flat_card);
  INFO(comparison.first_difference());
  CHECK(comparison.different() == 0);
  CHECK(comparison.changes() > 100);
  CHECK(results.y == expected.y);
  CHECK(results.z == expected.z);
  CHECK(flat.cycle() == engine.cycle());
  CHECK(flat_card.host().cycles() == engine_card.host().cycles());
}
