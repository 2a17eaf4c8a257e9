#include <poplar/Program.hpp>

#include <limits>
#include <sstream>

#include <poplar/exceptions.hpp>

#include "compiler/graph/dump.h"
#include "sw/poplar/program_parts.h"

namespace poplar {

namespace g = tessera::graph;

namespace program {
namespace {

using detail::Access;
using detail::Parts;

bool is_buffer(const DataStream& stream) {
  return stream.type() == DataStreamType::HostToDeviceBuffer || stream.type() == DataStreamType::DeviceToHostBuffer;
}

std::shared_ptr<const detail::ProgramImpl> from_stream(Parts& of, const DataStream& stream, const Tensor& dst) {
  if (!is_buffer(stream)) return of.make(g::CopyFromStream{of(stream), of(dst)});
  if (stream.type() == DataStreamType::DeviceToHostBuffer)
    throw control_program_error("Copy from the stream of remote buffer '" + stream.handle() +
                                "' that goes from device to host");
  return of.make(g::CopyFromRemote{of(stream), of(dst), std::nullopt});
}

std::shared_ptr<const detail::ProgramImpl> to_stream(Parts& of, const Tensor& src, const DataStream& stream) {
  if (!is_buffer(stream)) return of.make(g::CopyToStream{of(src), of(stream)});
  if (stream.type() == DataStreamType::HostToDeviceBuffer)
    throw control_program_error("Copy to the stream of remote buffer '" + stream.handle() +
                                "' that goes from host to device");
  return of.make(g::CopyToRemote{of(src), of(stream), std::nullopt});
}

// The code is where it is called from.
std::shared_ptr<const detail::ProgramImpl> code_copy(const FunctionBuffer& buffer, const Function& function,
                                                     const DebugContext& debugContext) {
  Parts of("Copy", debugContext);
  const g::FunctionId held = of(buffer), called = of(function);
  if (held != called)
    throw control_program_error("Copy of the code of function " + std::to_string(called) + " and function buffer " +
                                std::to_string(buffer.getId()) + ", which is for function " + std::to_string(held));
  return of.make(g::Sequence{});
}

g::PrintFormat print_format(const PrintTensorFmt& f) {
  g::PrintFormat out;
  out.summarise_threshold = f.summariseThreshold;
  out.edge_items = f.edgeItems;
  out.max_line_width = f.maxLineWidth;
  out.digits = f.digits;
  out.floats = static_cast<g::PrintFormat::Float>(f.floatFormat);
  out.separator = f.separator;
  out.open = f.openBracket;
  out.close = f.closeBracket;
  return out;
}

std::string text(const std::shared_ptr<const g::Program>& program, const g::Graph& graph) {
  std::ostringstream os;
  g::dump_program(graph, program, os);
  return os.str();
}

}  // namespace

Program::Program() : impl_(Parts("Program", DebugContext()).make(g::Sequence{})) {}
Program::Program(std::shared_ptr<const detail::ProgramImpl> impl) : impl_(std::move(impl)) {}
Program::Program(const Program&) = default;
Program::Program(Program&& other) noexcept : impl_(other.impl_) {}  // other stays a program
Program& Program::operator=(const Program&) = default;
Program& Program::operator=(Program&& other) noexcept {
  impl_ = other.impl_;
  return *this;
}
Program::~Program() = default;

bool Program::isEmpty() const {
  const g::Sequence* sequence = std::get_if<g::Sequence>(&impl_->op);
  return sequence != nullptr && sequence->steps.empty();
}

bool Program::operator==(const Program& other) const { return impl_ == other.impl_; }

Sequence::Sequence(const DebugContext& debugContext) : Program(Parts("Sequence", debugContext).make(g::Sequence{})) {}

Sequence::Sequence(std::initializer_list<Program> programs, const DebugContext& debugContext)
    : Program([&] {
        Parts of("Sequence", debugContext);
        g::Sequence op;
        for (const Program& p : programs) op.steps.push_back(of(p));
        return of.make(std::move(op));
      }()) {}

void Sequence::add(const Program& program) {
  const Program held = program;  // it may be this one
  Parts of("Sequence", impl_);
  g::ProgramRef step = of(held);
  of.grow<g::Sequence>().steps.push_back(std::move(step));
}

Block::Block(const Program& program, const DebugContext& debugContext)
    : Program([&] {
        Parts of("Block", debugContext);
        return of.make(g::Sequence{{of(program)}});
      }()) {}

Execute::Execute(ComputeSet cs, const DebugContext& debugContext)
    : Program([&] {
        Parts of("Execute", debugContext);
        return of.make(g::Execute{of(cs), std::nullopt});
      }()) {}
Execute::Execute(ComputeSet cs, Tensor outPredicate, const DebugContext& debugContext)
    : Program([&] {
        Parts of("Execute", debugContext);
        return of.make(g::Execute{of(cs), of(outPredicate)});
      }()) {}

Copy::Copy(Tensor src, Tensor dst, bool, const DebugContext& debugContext)
    : Program([&] {
        Parts of("Copy", debugContext);
        return of.make(g::Copy{of(src), of(dst)});
      }()) {}
Copy::Copy(const DataStream& stream, Tensor dst, bool, const DebugContext& debugContext)
    : Program([&] {
        Parts of("Copy", debugContext);
        return from_stream(of, stream, dst);
      }()) {}
Copy::Copy(Tensor src, const DataStream& stream, bool, const DebugContext& debugContext)
    : Program([&] {
        Parts of("Copy", debugContext);
        return to_stream(of, src, stream);
      }()) {}

Copy::Copy(const RemoteBuffer& buffer, Tensor dst, const DebugContext& debugContext)
    : Program([&] {
        Parts of("Copy", debugContext);
        return of.make(g::CopyFromRemote{of(buffer), of(dst), std::nullopt});
      }()) {}
Copy::Copy(Tensor src, const RemoteBuffer& buffer, const DebugContext& debugContext)
    : Program([&] {
        Parts of("Copy", debugContext);
        return of.make(g::CopyToRemote{of(src), of(buffer), std::nullopt});
      }()) {}
Copy::Copy(const RemoteBuffer& buffer, Tensor dst, Tensor offset, const DebugContext& debugContext)
    : Program([&] {
        Parts of("Copy", debugContext);
        return of.make(g::CopyFromRemote{of(buffer), of(dst), of(offset)});
      }()) {}
Copy::Copy(Tensor src, const RemoteBuffer& buffer, Tensor offset, const DebugContext& debugContext)
    : Program([&] {
        Parts of("Copy", debugContext);
        return of.make(g::CopyToRemote{of(src), of(buffer), of(offset)});
      }()) {}

Copy::Copy(const FunctionBuffer& buffer, const Function& function, const DebugContext& debugContext)
    : Program(code_copy(buffer, function, debugContext)) {}
Copy::Copy(const Function& function, const FunctionBuffer& buffer, const DebugContext& debugContext)
    : Program(code_copy(buffer, function, debugContext)) {}

namespace {

// Where each replica has its copy from. Each sends to one other and gets from one.
std::vector<std::uint32_t> sources(const std::map<unsigned, unsigned>& replica_map, unsigned replicas,
                                   const std::string& destination) {
  constexpr std::uint32_t kNone = ~0u;
  std::vector<std::uint32_t> from(replicas, kNone);
  bool good = replica_map.size() == replicas;
  for (const auto& [source, target] : replica_map) {
    good = good && source < replicas && target < replicas && from[target] == kNone;
    if (good) from[target] = source;
  }
  if (!good)
    throw graph_replication_error("CrossReplicaCopy to " + destination + ": the map takes each of the " +
                                  std::to_string(replicas) + " replicas, from 0 on, to another or itself, none twice");
  return from;
}

}  // namespace

CrossReplicaCopy::CrossReplicaCopy(Tensor src, Tensor dst, const std::map<unsigned, unsigned>& replicaMap,
                                   const DebugContext& debugContext)
    : Program([&] {
        Parts of("CrossReplicaCopy", debugContext);
        const unsigned replicas = Access::impl(dst).state->graph.replicas;
        std::vector<std::uint32_t> from = sources(replicaMap, replicas, dst.getVarStr());
        if (replicas == 1) return of.make(g::Copy{of(src), of(dst)});
        return of.make(g::CrossReplicaCopy{of(src), of(dst), std::move(from)});
      }()) {}

AssumeEqualAcrossReplicas::AssumeEqualAcrossReplicas(Tensor tensor, const DebugContext& debugContext)
    : Program([&] {
        Parts of("AssumeEqualAcrossReplicas", debugContext);
        of(tensor);
        return of.make(g::Sequence{});
      }()) {}

Repeat::Repeat(unsigned count, const Program& body, const DebugContext& debugContext)
    : Program([&] {
        Parts of("Repeat", debugContext);
        return of.make(g::Repeat{count, of(body)});
      }()) {}

RepeatWhileTrue::RepeatWhileTrue(const Program& cond, Tensor predicate, const Program& body,
                                 const DebugContext& debugContext)
    : Program([&] {
        Parts of("RepeatWhileTrue", debugContext);
        return of.make(g::RepeatWhile{of(cond), of(predicate), true, of(body)});
      }()) {}
RepeatWhileFalse::RepeatWhileFalse(const Program& cond, Tensor predicate, const Program& body,
                                   const DebugContext& debugContext)
    : Program([&] {
        Parts of("RepeatWhileFalse", debugContext);
        return of.make(g::RepeatWhile{of(cond), of(predicate), false, of(body)});
      }()) {}

// About 2^64 turns, more than any machine takes.
Loop::Loop(const Program& body, const DebugContext& debugContext)
    : Program([&] {
        Parts of("Loop", debugContext);
        constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
        return of.make(g::Repeat{kMost, of(Repeat(kMost, body, debugContext))});
      }()) {}

If::If(Tensor predicate, const Program& trueBody, const Program& falseBody, const DebugContext& debugContext)
    : Program([&] {
        Parts of("If", debugContext);
        return of.make(g::If{of(predicate), of(trueBody), of(falseBody)});
      }()) {}

Switch::Switch(Tensor control, const std::vector<std::pair<std::int32_t, Program>>& cases,
               const DebugContext& debugContext)
    : Switch(control, cases, Sequence(), debugContext) {}
Switch::Switch(Tensor control, const std::vector<std::pair<std::int32_t, Program>>& cases, const Program& defaultCase,
               const DebugContext& debugContext)
    : Program([&] {
        Parts of("Switch", debugContext);
        g::Switch op{of(control), {}, of(defaultCase)};
        for (const auto& one : cases) op.cases.emplace_back(one.first, of(one.second));
        return of.make(std::move(op));
      }()) {}
Switch::Switch(Tensor control, const DebugContext& debugContext) : Switch(control, {}, Sequence(), debugContext) {}
Switch::Switch(Tensor control, const Program& defaultCase, const DebugContext& debugContext)
    : Switch(control, {}, defaultCase, debugContext) {}

Switch Switch::switchWithBoundsChecking(Tensor control, const std::vector<std::pair<std::int32_t, Program>>& cases,
                                        const DebugContext& debugContext) {
  const std::string name = debugContext.getPathName();
  const std::string what = name.empty() ? "a Switch" : "Switch '" + name + "'";
  return Switch(control, cases, ErrorProgram(what + " has no case for the value of " + control.getVarStr(), control),
                debugContext);
}
Switch Switch::switchWithUnreachableDefault(Tensor control, const DebugContext& debugContext) {
  return Switch(control, debugContext);
}

Switch& Switch::add(std::int32_t value, const Program& body) {
  const Program held = body;
  Parts of("Switch", impl_);
  g::ProgramRef one = of(held);
  of.grow<g::Switch>().cases.emplace_back(value, std::move(one));
  return *this;
}

Switch& Switch::defaultCase(const Program& body) {
  const Program held = body;
  Parts of("Switch", impl_);
  g::ProgramRef otherwise = of(held);
  of.grow<g::Switch>().otherwise = std::move(otherwise);
  return *this;
}

Call::Call(const Function& function, const DebugContext& debugContext)
    : Program([&] {
        Parts of("Call", debugContext);
        return of.make(g::Call{of(function)});
      }()) {}

Call::Call(const HostFunction& function, ArrayRef<Tensor> inputs, ArrayRef<Tensor> outputs,
           const DebugContext& debugContext)
    : Program([&] {
        Parts of("Call", debugContext);
        g::CallHost op{of(function), {}, {}};
        for (const Tensor& input : inputs) op.inputs.push_back(of(input));
        for (const Tensor& output : outputs) op.outputs.push_back(of(output));
        return of.make(std::move(op));
      }()) {}

PrintTensor::PrintTensor(Tensor tensor, const DebugContext& debugContext)
    : PrintTensor(tensor.getDebugStr(), tensor, PrintTensorFmt(), debugContext) {}
PrintTensor::PrintTensor(Tensor tensor, const PrintTensorFmt& format, const DebugContext& debugContext)
    : PrintTensor(tensor.getDebugStr(), tensor, format, debugContext) {}
PrintTensor::PrintTensor(StringRef title, Tensor tensor, const DebugContext& debugContext)
    : PrintTensor(title, tensor, PrintTensorFmt(), debugContext) {}
PrintTensor::PrintTensor(StringRef title, Tensor tensor, const PrintTensorFmt& format, const DebugContext& debugContext)
    : Program([&] {
        Parts of("PrintTensor", debugContext);
        if (tensor.elementType() == QUARTER)
          throw type_error("PrintTensor of QUARTER (" + tensor.getVarStr() +
                           "): reinterpret it as UNSIGNED_CHAR to see its bits");
        return of.make(g::PrintTensor{title.cloneAsString(), of(tensor), print_format(format)});
      }()) {}

WriteUndef::WriteUndef(Tensor tensor, const DebugContext& debugContext)
    : Program([&] {
        Parts of("WriteUndef", debugContext);
        return of.make(g::WriteUndef{of(tensor)});
      }()) {}

Sync::Sync(SyncType type, const DebugContext& debugContext)
    : Program(Parts("Sync", debugContext).make(g::Sync{static_cast<g::Sync::Span>(type)})) {}

Abort::Abort(const DebugContext& debugContext) : Abort("", debugContext) {}
Abort::Abort(const std::string& message, const DebugContext& debugContext)
    : Program(Parts("Abort", debugContext).make(g::Abort{message})) {}

AbortOnCondition::AbortOnCondition(Tensor predicate, const DebugContext& debugContext)
    : AbortOnCondition(predicate, "", debugContext) {}
AbortOnCondition::AbortOnCondition(Tensor predicate, const std::string& message, const DebugContext& debugContext)
    : Program([&] {
        Parts of("AbortOnCondition", debugContext);
        return of.make(g::AbortOnCondition{of(predicate), message});
      }()) {}

ErrorProgram::ErrorProgram(StringRef message, Tensor debugTensor, const DebugContext& debugContext)
    : Program([&] {
        Parts of("ErrorProgram", debugContext);
        return of.make(g::Sequence{{of(PrintTensor(message, debugTensor)), of(Abort(message.cloneAsString()))}});
      }()) {}

void dumpProgram(const Graph& graph, const Program& program, std::ostream& os) {
  os << text(Access::program(program), Access::graph(graph));
}

}  // namespace program
}  // namespace poplar
