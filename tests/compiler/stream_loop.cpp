#include "tests/compiler/stream_loop.h"

#include <map>
#include <stdexcept>
#include <string>

#include "compiler/passes/compile.h"
#include "tests/compiler/graph_builder.h"
#include "tests/compiler/program_runner.h"

namespace tessera::test {
namespace {

// Equal parts on all tiles; the next variable's begin a tile further.
struct Loop : GraphBuilder {
  std::uint32_t tiles;

  explicit Loop(std::uint32_t tiles) : GraphBuilder(tiles), tiles(tiles) {}

  TensorRef spread(const std::string& name, ElementType type, std::size_t elements, std::uint32_t first) {
    std::vector<std::pair<std::size_t, std::uint32_t>> parts;
    for (std::uint32_t i = 0; i < tiles; ++i) parts.emplace_back(elements / tiles, (first + i) % tiles);
    return variable(name, type, parts);
  }
  graph::StreamId stream(const std::string& handle, const TensorRef& tensor, bool to_device) {
    graph.streams.push_back({handle, tensor.type, tensor.view.num_elements(), to_device, {}});
    return static_cast<graph::StreamId>(graph.streams.size() - 1);
  }
  ProgramRef take(const std::string& handle, const TensorRef& to) {
    return program(graph::CopyFromStream{stream(handle, to, true), to});
  }
  ProgramRef give(const TensorRef& from, const std::string& handle) {
    return program(graph::CopyToStream{from, stream(handle, from, false)});
  }

  ProgramRef loop() {
    const TensorRef images = spread("images", ElementType::kFloat, std::size_t{256} * tiles, 0),
                    labels = spread("labels", ElementType::kInt, std::size_t{4} * tiles, 0),
                    classes = spread("classes", ElementType::kInt, std::size_t{4} * tiles, 1),
                    rate = variable("rate", ElementType::kFloat, {{1, 0}}),
                    loss = variable("loss", ElementType::kFloat, {{1, tiles - 1}});
    const ProgramRef turn =
        sequence({take("images", images), take("labels", labels), take("rate", rate), copy(labels, classes),
                  copy(rate, loss), give(loss, "loss"), give(classes, "classes")});
    return program(graph::Repeat{StreamLoop::kTurns, turn});
  }
};

}  // namespace

StreamLoop::Taken StreamLoop::run(const spec::Machine& machine, const compiler::Optimisations& optimise) {
  Loop loop(machine.tiles());
  compiler::GraphCompileOptions options;
  options.optimise = optimise;
  const ProgramRef program = loop.loop();
  ProgramRunner runner(compiler::compile(loop.graph, {program}, machine, options), machine);
  const chip::Counters before = runner.chip().counters();
  const std::uint64_t syncs_before = runner.host_syncs();
  std::map<std::string, std::vector<std::uint8_t>> given;
  std::uint8_t next = 0;
  runner.run(0, [&](const image::Stream& stream, std::vector<std::uint8_t>& data) {
    if (is_to_device(stream.use)) {
      for (std::uint8_t& byte : data) byte = ++next;
      given[stream.handle] = data;
    } else if (data != given.at(stream.handle == "loss" ? "rate" : "labels")) {
      throw std::runtime_error("stream '" + stream.handle + "' has brought something else");
    }
  });
  const chip::Counters after = runner.chip().counters();
  return {runner.host_syncs() - syncs_before, after.cycles - before.cycles, after.host - before.host};
}

}  // namespace tessera::test
