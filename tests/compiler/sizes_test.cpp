// Sizes that 32 bits do not hold: each is refused by name, none counts as what is left of it.
#include <catch2/catch.hpp>

#include "compiler/passes/compile.h"
#include "compiler/passes/memory/out_of_tile_memory.h"
#include "tests/compiler/graph_builder.h"

using namespace tessera;
using namespace tessera::test;

namespace {

constexpr std::size_t kGi = std::size_t{1} << 30;

std::string refusal(const GraphBuilder& b, const std::vector<ProgramRef>& programs) {
  try {
    compiler::GraphCompileOptions options;
    options.optimise.view_copies = false;  // copies take room
    compiler::compile(b.graph, programs, spec::load_machine("mk2-4"), options);
  } catch (const compiler::OutOfTileMemory& error) {
    return "tile: " + std::string(error.what());
  } catch (const compiler::OutOfHostMemory& error) {
    return "host: " + std::string(error.what());
  }
  return "accepted";
}

bool has(const std::string& text, const std::string& part) {
  INFO(text);
  CHECK(text.find(part) != std::string::npos);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("2^30 floats on one tile do not fit, and the message has their bytes") {
  for (const std::size_t elements : {kGi, 2 * kGi, (kGi << 29) + 5}) {
    GraphBuilder b(4);
    const TensorRef v = b.variable("weights", ElementType::kFloat, {{7, 1}, {elements, 3}});
    b.read_handle("weights", v);
    const std::string what = refusal(b, {});
    has(what, "tile: Out of memory: Cannot fit all variable data onto one or more tiles: tile 3 would hold " +
                  std::to_string(4 * elements) + " bytes of ");
    has(what, "weights");
  }
}

TEST_CASE("what a tile would use is counted in 64 bits") {
  GraphBuilder b(4);
  std::vector<ProgramRef> copies;
  const TensorRef first = b.variable("first", ElementType::kFloat, {{kGi / 2, 2}});
  for (const char* name : {"second", "third"})
    copies.push_back(copy(first, b.variable(name, ElementType::kFloat, {{kGi / 2, 2}})));
  const std::string what = refusal(b, {sequence(copies)});
  has(what, "tile: Out of memory: Cannot fit all variable data onto one or more tiles: tile 2 uses ");
  has(what, " " + std::to_string(6 * kGi) + " ");
  has(what, "\n  " + std::to_string(2 * kGi) + "       1    " + std::to_string(2 * kGi) + "  variable 'first'\n");
}

TEST_CASE("streams beyond what tiles address of host memory are refused") {
  GraphBuilder b(4);
  for (const char* name : {"first", "second"})
    b.read_handle(name, b.variable(name, ElementType::kFloat, {{kGi / 2, 2}}));
  has(refusal(b, {}), "host: Out of memory: the buffers of all streams take " + std::to_string(4 * kGi + 64));
}

TEST_CASE("elements of a shape have 60 bits") {
  using graph::element_count;
  using Shape = std::vector<std::size_t>;
  CHECK(element_count(Shape{}) == 1u);
  CHECK(element_count(Shape{3, 0, 5}) == 0u);
  CHECK(element_count(Shape{std::size_t{1} << 30, std::size_t{1} << 30}) == graph::kMostElements);
  CHECK_FALSE(element_count(Shape{std::size_t{1} << 30, (std::size_t{1} << 30) + 1}));
  CHECK_FALSE(element_count(Shape{std::size_t{1} << 32, std::size_t{1} << 32}));  // 2^64: wraps to 0
  CHECK_FALSE(element_count(Shape{~std::size_t{0}, ~std::size_t{0}}));            // wraps to 1
}
