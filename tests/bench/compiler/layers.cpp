// A hundred layers of equal shape: what it takes to compile them, what control code they leave on a tile, and whether
// holding equal code once costs cycles.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "compiler/passes/compile.h"
#include "tests/bench/figure.h"
#include "tests/compiler/equal_layers.h"
#include "tests/compiler/program_runner.h"

using namespace tessera;
using namespace tessera::test;

namespace {

constexpr const char* kMachine = "mk2-16";

// With exchanges every tile has a part in every compute set, if only to wait for others.
void compile_many(const spec::Machine& machine, const std::string& name, bool exchanges) {
  const EqualLayers shape{machine.tiles(), 100, 1000, exchanges};
  const EqualLayersProgram p = build_layers(shape);
  const auto begin = std::chrono::steady_clock::now();
  const image::Executable executable = compiler::compile(p.builder.graph, {p.program}, machine);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::uint64_t control = 0, most = 0;
  for (const image::TileUsage& tile : executable.chip().usage) {
    control = std::max(control, tile.control);
    most = std::max(most, tile.total);
  }
  print_figure(name + "-seconds", seconds.count(), "s", Goal::kAtMost, 20,
               {{"machine", kMachine}, {"compute sets", shape.layers * shape.sets}});
  print_figure(name + "-control-bytes", static_cast<double>(control), "bytes", Goal::kAtMost, 32768,
               {{"machine", kMachine}, {"compute sets", shape.layers * shape.sets}, {"fullest tile", most}});
}

std::uint64_t cycles_of(const spec::Machine& machine, const EqualLayers& shape, bool outline) {
  const EqualLayersProgram p = build_layers(shape);
  compiler::GraphCompileOptions options;
  options.optimise.outline = outline ? compiler::Outlining::kFree : compiler::Outlining::kOff;
  ProgramRunner runner(compiler::compile(p.builder.graph, {p.program}, machine, options), machine);
  std::vector<std::int32_t> x;
  for (std::uint32_t tile = 0; tile < shape.tiles; ++tile) x.push_back(static_cast<std::int32_t>(5 * tile + 1));
  runner.write("x", x);
  const std::uint64_t before = runner.chip().cycle();
  runner.run(0);
  const std::uint64_t cycles = runner.chip().cycle() - before;
  if (runner.read<std::int32_t>("x") != run_layers(shape, x)) throw std::runtime_error("the layers computed are wrong");
  return cycles;
}

void run_some(const spec::Machine& machine) {
  const EqualLayers shape{machine.tiles(), 100, 10, true};
  const std::uint64_t straight = cycles_of(machine, shape, false), outlined = cycles_of(machine, shape, true);
  print_figure("hundred-layers-cycles", static_cast<double>(outlined) / static_cast<double>(straight),
               "times the cycles of straight code", Goal::kAtMost, 1.0001,
               {{"machine", kMachine},
                {"compute sets", shape.layers * shape.sets},
                {"cycles", outlined},
                {"straight", straight}});
}

}  // namespace

int main() try {
  const spec::Machine machine = spec::load_machine(kMachine);
  compile_many(machine, "hundred-layers", false);
  compile_many(machine, "hundred-exchanging-layers", true);
  run_some(machine);
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
