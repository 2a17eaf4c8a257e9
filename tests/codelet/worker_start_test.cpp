// The worker start routine on the model of a tile: lists, results, worker numbers, stacks.
#include <catch2/catch.hpp>

#include "compiler/codelet/compile.h"
#include "compiler/codelet/link.h"
#include "sim/model/tile.h"

using namespace tessera;

namespace {

constexpr std::uint32_t kText = 0x4c000, kData = 0x78000, kLists = 0x7c000, kListBytes = 64, kStates = 0x7c400,
                        kStacks = 0x7d000, kStackBytes = 256, kTrap = 2, kStackCause = 11;

constexpr const char* kCodelets = R"(
#include <poplar/Vertex.hpp>
using namespace poplar;

struct Note : MultiVertex {
  unsigned note;
  float product;
  bool compute(unsigned worker) { note = note * 16 + worker + 1; product = product * 1.5f; return worker != 4; }
};

struct Deep : Vertex {
  unsigned depth;
  __attribute__((noinline)) static unsigned down(unsigned n) {
    volatile unsigned k = n;
    return k == 0 ? 1 : down(k - 1) + k;
  }
  void compute() TESSERA_STACK_SIZE(256) { depth = down(depth); }
};
)";

struct Tile {
  Tile() {
    library = compiler::compile_codelet_text(kCodelets, "codelets.cpp");
    compiler::append(library, compiler::compile_codelets({SUPERVISOR_START_SOURCE}));
    image = compiler::link_tile_text(
        {&library}, {"supervisor_start", compiler::kWorkerSymbol, "__vertex_Note", "__vertex_Deep"}, {kText, kData});
    put(image.text_base, image.text);
    put(image.rodata_base, image.rodata);
    put(image.data_base, image.data);
  }

  void put(std::uint32_t address, const std::vector<std::uint8_t>& bytes) {
    for (std::size_t i = 0; i < bytes.size(); i += 4) {
      std::uint32_t word = 0;
      for (std::size_t k = i; k < bytes.size() && k < i + 4; ++k) word |= std::uint32_t{bytes[k]} << 8 * (k - i);
      put_word(address + static_cast<std::uint32_t>(i), word);
    }
  }
  void put_word(std::uint32_t address, std::uint32_t word) { tile.state().memory.write_word(address, word); }
  std::uint32_t word(std::uint32_t address) const {
    return static_cast<std::uint32_t>(tile.peek(address & ~7u) >> 8 * (address & 4));
  }
  std::uint32_t state_of(unsigned worker) const { return kStates + 16 * worker; }

  // A worker's list with `count` runs of one vertex on the worker's state.
  void list(unsigned worker, const std::string& entry, unsigned count) {
    const std::uint32_t at = kLists + kListBytes * worker, bottom = kStacks + kStackBytes * worker;
    put_word(at, bottom + kStackBytes);
    put_word(at + 4, bottom);
    for (unsigned i = 0; i < count; ++i) {
      put_word(at + 8 + 8 * i, image.symbols.at(entry));
      put_word(at + 12 + 8 * i, state_of(worker));
    }
  }

  // Runs until the tile stops by an exception; the consensus is then in a2 of the supervisor.
  chip::ExceptionStatus run() {
    chip::TileInputs in;
    chip::TileOutputs out;
    in.debug_valid = in.debug_write = true;
    in.debug_space = chip::DebugSpace::kControl;
    in.debug_wdata = image.symbols.at("supervisor_start");
    tile.step(in, out);
    in.debug_valid = in.debug_write = false;
    for (in.cycle = 1; in.cycle < 100000 && tile.exception().cause == 0; ++in.cycle) tile.step(in, out);
    return tile.exception();
  }
  std::uint32_t consensus() { return tile.state().contexts[0].x[12]; }

  compiler::CodeletLibrary library;
  compiler::LinkedText image;
  model::ModelTile tile{spec::load_machine("mk2-4"), 0};
};

}  // namespace

TEST_CASE("six workers run their lists in order and the results are ANDed") {
  Tile tile;
  for (unsigned w = 0; w < 6; ++w) {
    tile.list(w, "__vertex_Note", w < 4 ? w : 1);
    tile.put_word(tile.state_of(w) + 4, 0x3f800000);
  }
  REQUIRE(tile.run().cause == kTrap);
  const std::uint32_t notes[] = {0, 2, 0x33, 0x444, 5, 6};
  const std::uint32_t products[] = {0x3f800000, 0x3fc00000, 0x40100000, 0x40580000, 0x3fc00000, 0x3fc00000};
  for (unsigned w = 0; w < 6; ++w) {
    INFO("worker " << w);
    CHECK(tile.word(tile.state_of(w)) == notes[w]);
    CHECK(tile.word(tile.state_of(w) + 4) == products[w]);
  }
  CHECK(tile.consensus() == 0);  // worker 4 said false

  Tile agreed;
  agreed.list(0, "__vertex_Note", 2);
  REQUIRE(agreed.run().cause == kTrap);
  CHECK(agreed.consensus() == 1);
}

TEST_CASE("a stack may be used to its limit and not beyond") {
  Tile fits;
  const std::uint32_t frame = 16;
  fits.list(2, "__vertex_Deep", 1);
  fits.put_word(fits.state_of(2), kStackBytes / frame / 2);
  CHECK(fits.run().cause == kTrap);
  CHECK(fits.word(fits.state_of(2)) == 1 + (kStackBytes / frame / 2) * (kStackBytes / frame / 2 + 1) / 2);

  Tile overflows;
  overflows.list(2, "__vertex_Deep", 1);
  overflows.put_word(overflows.state_of(2), 1000);
  const chip::ExceptionStatus status = overflows.run();
  CHECK(status.cause == kStackCause);
  CHECK(status.context == 3);
  CHECK(status.value < kStacks + 2 * kStackBytes);
}
