#include <poplar/Executable.hpp>
#include <poplar/exceptions.hpp>

#include "compiler/codelet/codelet_error.h"
#include "compiler/passes/allocate.h"
#include "compiler/passes/compile.h"
#include "sw/poplar/executable_impl.h"
#include "sw/poplar/impl.h"
#include "sw/poplar/target_impl.h"

namespace poplar {
namespace {

namespace graph = tessera::graph;

// Handles of streams that a program can reach, called functions included.
class StreamsUsed {
 public:
  explicit StreamsUsed(const graph::Graph& graph) : graph_(graph), seen_(graph.functions.size()) {}

  void visit(const graph::Program& program) {
    if (const auto* copy = std::get_if<graph::CopyFromStream>(&program.op)) {
      handles.insert(graph_.streams.at(copy->stream).handle);
    } else if (const auto* copy = std::get_if<graph::CopyToStream>(&program.op)) {
      handles.insert(graph_.streams.at(copy->stream).handle);
    } else if (const auto* call = std::get_if<graph::Call>(&program.op)) {
      if (!seen_.at(call->function)) {
        seen_[call->function] = true;
        visit(*graph_.functions[call->function].program);
      }
    }
    for (const graph::ProgramRef& child : graph::children(program)) visit(*child);
  }

  std::set<std::string> handles;

 private:
  const graph::Graph& graph_;
  std::vector<bool> seen_;
};

[[noreturn]] void rethrow(const tessera::compiler::CodeletError& error) {
  using Kind = tessera::compiler::CodeletError::Kind;
  switch (error.kind()) {
    case Kind::kLink:
      throw link_error(error.what());
    case Kind::kNoTool:
      throw no_environment(error.what());
    case Kind::kFile:
    case Kind::kCompilation:
      break;
  }
  throw graph_program_compilation_error(error.what());
}

tessera::image::Executable compile(const graph::Graph& graph, const std::vector<graph::ProgramRef>& programs,
                                   const tessera::spec::Machine& machine, const ProgressFunc& progress) {
  tessera::compiler::GraphCompileOptions options;
  int passes = 1;
  if (progress)
    options.progress = [&](unsigned done, unsigned total, const std::string&) {
      progress(static_cast<int>(done), passes = static_cast<int>(total));
    };
  if (const char* folder = std::getenv("TESSERA_DUMP"); folder != nullptr) options.dump_directory = folder;
  try {
    auto executable = tessera::compiler::compile(graph, programs, machine, options);
    if (progress) progress(passes, passes);
    return executable;
  } catch (const graph::GraphError& error) {
    detail::rethrow(error);
  } catch (const tessera::compiler::CodeletError& error) {
    rethrow(error);
  } catch (const tessera::compiler::OutOfTileMemory& error) {
    throw graph_memory_allocation_error(error.what());
  }
}

}  // namespace

namespace detail {

std::shared_ptr<const ExecutableImpl> compile_executable(const Graph& graph, ArrayRef<program::Program> programs,
                                                         const OptionFlags& flags, const ProgressFunc& progress) {
  auto impl = std::make_shared<ExecutableImpl>();
  impl->options = tessera::runtime::parse_engine_options(flags);
  const auto& target = Access::impl(graph.getTarget());
  if (!target) throw poplar_error("the graph has no target; make it from a Device or a Target");
  const graph::Graph& plain = Access::graph(graph);
  std::vector<graph::ProgramRef> trees;
  for (const program::Program& program : programs) trees.push_back(Access::program(program));
  impl->image = compile(plain, trees, target->machine, progress);
  for (const graph::ProgramRef& tree : trees) {
    StreamsUsed used(plain);
    used.visit(*tree);
    impl->streams.push_back(std::move(used.handles));
  }
  return impl;
}

}  // namespace detail

Executable::Executable(std::shared_ptr<const detail::ExecutableImpl> impl) : impl_(std::move(impl)) {}
Executable::Executable(const Executable& other) = default;
Executable::Executable(Executable&& other) noexcept = default;
Executable& Executable::operator=(const Executable& other) = default;
Executable& Executable::operator=(Executable&& other) noexcept = default;
Executable::~Executable() = default;

Executable compileGraph(const Graph& graph, ArrayRef<program::Program> programs, const OptionFlags& options,
                        ProgressFunc progressCallBack, const DebugContext&) {
  return detail::Access::make_executable(detail::compile_executable(graph, programs, options, progressCallBack));
}

Executable compileGraph(Graph&& graph, ArrayRef<program::Program> programs, const OptionFlags& options,
                        ProgressFunc progressCallBack, const DebugContext& debugContext) {
  return compileGraph(static_cast<const Graph&>(graph), programs, options, progressCallBack, debugContext);
}

}  // namespace poplar
