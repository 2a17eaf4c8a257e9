// A compiled program, codelets and all, on the flat top and on the chip of tile instances: the same results, and the
// same ports of all tiles in every cycle.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "Vtile.h"
#include "chip/chip_engine.h"
#include "chip/rtl_tile.h"
#include "chip_programs.h"
#include "compiler/passes/compile.h"
#include "flat_chip.h"
#include "port_recorder.h"
#include "tests/compiler/codelet_source.h"

using namespace tessera;
using namespace tessera::test;
using Engine = chip::ChipEngine<chip::RtlTile<Vtile>>;

namespace {

constexpr uint64_t kPatience = 1000000;

bool reaches_host_sync(Engine& chip) {
  return chip.run(chip.cycle() + kPatience, 0).reason == chip::StopReason::kHostSync;
}
bool reaches_host_sync(FlatChip& chip) { return chip.run(chip.cycle() + kPatience); }

// What the runtime does with a card, in small: load, start, answer host syncs, move stream data.
template <class AnyChip>
class Card {
 public:
  Card(AnyChip& chip, const spec::Machine& machine, const image::Executable& executable)
      : chip_(chip), machine_(machine), executable_(executable), host_(machine) {
    chip_.attach(&host_);
    for (const image::Segment& s : executable.shared) load(chip::kNoTile, s);
    for (unsigned t = 0; t < executable.tiles.size(); ++t) {
      for (const image::Segment& s : executable.tiles[t].segments) load(t, s);
      chip_.debug_write(t, chip::DebugSpace::kControl, 0, 0, executable.tiles[t].entry);
    }
    REQUIRE(reaches_host_sync(chip_));
  }

  void run(uint32_t program, std::vector<float>* data = nullptr) {
    const uint64_t turn = 2 * machine_.pcie_latency + machine_.host_turnaround;
    chip_.mark(chip_.cycle() + turn, static_cast<uint16_t>(program + 1));
    for (;;) {
      REQUIRE(reaches_host_sync(chip_));
      const uint32_t event = host_.word(executable_.host.event_offset);
      if (event == image::kEventDone) return;
      REQUIRE(data != nullptr);
      serve(executable_.host.streams.at((event - 1) / 2), *data);
      chip_.mark(chip_.cycle() + turn, 1);
    }
  }
  void transfer(const std::string& handle, image::StreamUse use, std::vector<float>& data) {
    for (const image::Stream& s : executable_.host.streams)
      if (s.handle == handle && s.use == use) return run(s.program, &data);
    FAIL("no handle " << handle);
  }
  const HostMemory& host() const { return host_; }

 private:
  void load(unsigned tile, const image::Segment& segment) {
    for (size_t i = 0; i < segment.words.size(); ++i)
      chip_.debug_write(tile, chip::DebugSpace::kMemory, 0, segment.address + 4 * static_cast<uint32_t>(i),
                        segment.words[i]);
  }
  void serve(const image::Stream& s, std::vector<float>& data) {
    data.resize(s.bytes / 4);
    for (const image::HostPiece& p : s.pieces)
      for (uint32_t i = 0; i < p.bytes / 4; ++i) {
        float& value = data[p.stream_offset / 4 + i];
        if (image::is_to_device(s.use)) {
          uint32_t word;
          std::memcpy(&word, &value, 4);
          host_.set_word(p.host_offset + 4 * i, word);
        } else {
          const uint32_t word = host_.word(p.host_offset + 4 * i);
          std::memcpy(&value, &word, 4);
        }
      }
  }

  AnyChip& chip_;
  const spec::Machine machine_;
  const image::Executable& executable_;
  HostMemory host_;
};

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
  card.transfer("x", image::StreamUse::kHostWrite, x);
  card.run(0);
  card.run(1);
  Results results;
  card.transfer("y", image::StreamUse::kHostRead, results.y);
  card.transfer("z", image::StreamUse::kHostRead, results.z);
  return results;
}

}  // namespace

TEST_CASE("a compiled program runs on the flat top as on the instanced chip, cycle by cycle") {
  const auto m = spec::load_machine("mk2-4");
  const image::Executable executable = compile_program(m);

  Engine engine(m);
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
