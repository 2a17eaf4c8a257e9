// Histograms: each worker counts what it sees, and the counts are added.
#include <popops/Cast.hpp>
#include <popops/ElementWise.hpp>
#include <popops/GatherStatistics.hpp>
#include <popops/Reduce.hpp>
#include <poputil/OptionParsing.hpp>
#include <poputil/Util.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include "sw/libs/popops/fail.h"
#include "sw/libs/popops/instantiated.h"
#include "sw/libs/popops/types.h"

namespace popops {

using poplar::Graph;
using poplar::Tensor;
using poplar::Type;
using poplar::program::Sequence;

namespace {

struct HistogramOptions {
  bool float_counts = false;  // with an unsigned result
  bool float_result = false;
};

HistogramOptions histogram_options(const poplar::OptionFlags& options) {
  HistogramOptions out;
  const poplibs::OptionSpec spec{
      {"useFloatArithmeticWithUnsignedIntOutput", poplibs::OptionHandler::createWithBool(out.float_counts)},
      {"useFloatArithmetic", poplibs::OptionHandler::createWithBool(out.float_result)},
  };
  for (const auto& option : options) spec.parse(option.first, option.second);
  if (out.float_counts && out.float_result)
    throw poplar::invalid_option(
        "histogram: useFloatArithmetic and useFloatArithmeticWithUnsignedIntOutput exclude each other");
  return out;
}

// [workers, entries]
Tensor count_parts(Graph& graph, const Tensor& input, const Tensor& levels, bool absolute, const Type& type,
                   Sequence& prog, const poplar::DebugContext& debugContext) {
  if (!is_float(input.elementType()) || input.numElements() == 0)
    fail("histogram", input, "of type " + text_of(input.elementType()) + ", not elements of type float or half");
  if (levels.rank() != 1 || levels.numElements() == 0 || levels.elementType() != input.elementType())
    fail("histogram", levels, "not a vector of levels of the type of '" + input.getDebugStr() + "'");
  const std::string name = instantiated(
      graph, "histogram.h", poputil::templateVertex("popops::Histogram", input.elementType(), type, absolute));
  const poplar::ComputeSet cs = graph.addComputeSet({debugContext, "count"});
  const Tensor flat = input.flatten();
  const auto mapping = graph.getTileMapping(flat);
  std::vector<Tensor> parts;
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    for (const auto& share : poputil::splitRegionsBetweenWorkers(graph.getTarget(), mapping[tile], 4)) {
      const Tensor counts = graph.addVariable(type, {1, levels.numElements() + 1}, {debugContext, "counts"});
      const poplar::VertexRef v = graph.addVertex(cs, name);
      graph.setTileMapping(counts, tile);
      graph.setTileMapping(v, tile);
      graph.connect(v["in"], flat.slices(share));
      graph.connect(v["levels"], levels);
      graph.connect(v["counts"], counts.flatten());
      parts.push_back(counts);
    }
  }
  prog.add(poplar::program::Execute(cs, debugContext));
  return concat(parts);
}

}  // namespace

Tensor histogram(Graph& graph, const Tensor& input, const Tensor& levels, bool absoluteOfInput, Sequence& prog,
                 const poplar::DebugContext& debugContext, const poplar::OptionFlags& options) {
  const HistogramOptions how = histogram_options(options);
  poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(input, levels, absoluteOfInput, options));
  const Type type = how.float_counts || how.float_result ? poplar::FLOAT : poplar::UNSIGNED_INT;
  const Tensor parts = count_parts(graph, input, levels, absoluteOfInput, type, prog, {info});
  Tensor out = reduce(graph, parts, {0}, Operation::ADD, prog, {info});
  if (how.float_counts) out = cast(graph, out, poplar::UNSIGNED_INT, prog, {info});
  info.addOutput(out);
  return out;
}

void histogram(Graph& graph, const Tensor& input, Tensor& output, bool updateOutput, const Tensor& levels,
               bool absoluteOfInput, Sequence& prog, const poplar::DebugContext& debugContext,
               const poplar::OptionFlags& options) {
  const HistogramOptions how = histogram_options(options);
  if (how.float_result)
    throw poplar::invalid_option("histogram: useFloatArithmetic is not for an output that is given");
  const Type type = output.elementType();
  if (type != poplar::UNSIGNED_INT && (type != poplar::FLOAT || how.float_counts))
    fail("histogram", output, "of type " + text_of(type) + ", not unsigned int");
  if (output.rank() != 1 || output.numElements() != levels.numElements() + 1)
    fail("histogram", output, "not a vector of " + std::to_string(levels.numElements() + 1) + " entries");
  const poputil::PoplibsOpDebugInfo info(debugContext,
                                         DI_ARGS(input, output, updateOutput, levels, absoluteOfInput, options));
  const Type counted = how.float_counts ? poplar::FLOAT : type;
  const Tensor parts = count_parts(graph, input, levels, absoluteOfInput, counted, prog, {info});
  if (!how.float_counts) {
    reduceWithOutput(graph, parts, output, {0}, {Operation::ADD, updateOutput}, prog, {info});
    return;
  }
  const Tensor sum = reduce(graph, parts, {0}, Operation::ADD, prog, {info});
  if (!updateOutput) {
    castWithOutput(graph, sum, output, prog, {info});
    return;
  }
  addInPlace(graph, output, cast(graph, sum, type, prog, {info}), prog, {info});
}

}  // namespace popops
