#include <poplar/Program.hpp>

#include <sstream>

#include "compiler/graph/dump.h"
#include "sw/poplar/impl.h"

namespace poplar {

namespace g = tessera::graph;

namespace program {
namespace {

using detail::Access;

template <class Op>
std::shared_ptr<const detail::ProgramImpl> make(Op op, const DebugContext& debugContext) {
  auto impl = std::make_shared<detail::ProgramImpl>();
  impl->name = debugContext.getPathName();
  impl->op = std::move(op);
  return impl;
}

g::TensorRef ref(const Tensor& t) { return Access::ref(t); }

g::Switch make_switch(const Tensor& control, const std::vector<std::pair<std::int32_t, Program>>& cases,
                      const Program& defaultCase) {
  g::Switch op{ref(control), {}, Access::program(defaultCase)};
  for (const auto& one : cases) op.cases.emplace_back(one.first, Access::program(one.second));
  return op;
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

Program::Program() : impl_(make(g::Sequence{}, DebugContext())) {}
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

Sequence::Sequence(const DebugContext& debugContext) : Program(make(g::Sequence{}, debugContext)) {}

Sequence::Sequence(std::initializer_list<Program> programs, const DebugContext& debugContext)
    : Program(make(
          [&] {
            g::Sequence op;
            for (const Program& p : programs) op.steps.push_back(Access::program(p));
            return op;
          }(),
          debugContext)) {}

void Sequence::add(const Program& program) {
  // What others hold stays as it is: a sequence that is shared is copied before it grows.
  if (impl_.use_count() > 1) impl_ = std::make_shared<const detail::ProgramImpl>(*impl_);
  auto& op = std::get<g::Sequence>(const_cast<detail::ProgramImpl&>(*impl_).op);
  op.steps.push_back(Access::program(program));
}

Block::Block(const Program& program, const DebugContext& debugContext)
    : Program(make(g::Sequence{{Access::program(program)}}, debugContext)) {}

Execute::Execute(ComputeSet cs, const DebugContext& debugContext)
    : Program(make(g::Execute{cs.getId(), std::nullopt}, debugContext)) {}
Execute::Execute(ComputeSet cs, Tensor outPredicate, const DebugContext& debugContext)
    : Program(make(g::Execute{cs.getId(), ref(outPredicate)}, debugContext)) {}

Copy::Copy(Tensor src, Tensor dst, bool, const DebugContext& debugContext)
    : Program(make(g::Copy{ref(src), ref(dst)}, debugContext)) {}
Copy::Copy(const DataStream& stream, Tensor dst, bool, const DebugContext& debugContext)
    : Program(make(g::CopyFromStream{Access::stream_id(stream), ref(dst)}, debugContext)) {}
Copy::Copy(Tensor src, const DataStream& stream, bool, const DebugContext& debugContext)
    : Program(make(g::CopyToStream{ref(src), Access::stream_id(stream)}, debugContext)) {}

Repeat::Repeat(unsigned count, const Program& body, const DebugContext& debugContext)
    : Program(make(g::Repeat{count, Access::program(body)}, debugContext)) {}

RepeatWhileTrue::RepeatWhileTrue(const Program& cond, Tensor predicate, const Program& body,
                                 const DebugContext& debugContext)
    : Program(make(g::RepeatWhile{Access::program(cond), ref(predicate), true, Access::program(body)}, debugContext)) {}
RepeatWhileFalse::RepeatWhileFalse(const Program& cond, Tensor predicate, const Program& body,
                                   const DebugContext& debugContext)
    : Program(make(g::RepeatWhile{Access::program(cond), ref(predicate), false, Access::program(body)}, debugContext)) {
}

If::If(Tensor predicate, const Program& trueBody, const Program& falseBody, const DebugContext& debugContext)
    : Program(make(g::If{ref(predicate), Access::program(trueBody), Access::program(falseBody)}, debugContext)) {}

Switch::Switch(Tensor control, const std::vector<std::pair<std::int32_t, Program>>& cases,
               const DebugContext& debugContext)
    : Program(make(make_switch(control, cases, Sequence()), debugContext)) {}
Switch::Switch(Tensor control, const std::vector<std::pair<std::int32_t, Program>>& cases, const Program& defaultCase,
               const DebugContext& debugContext)
    : Program(make(make_switch(control, cases, defaultCase), debugContext)) {}
Switch::Switch(Tensor control, const DebugContext& debugContext)
    : Program(make(make_switch(control, {}, Sequence()), debugContext)) {}
Switch::Switch(Tensor control, const Program& defaultCase, const DebugContext& debugContext)
    : Program(make(make_switch(control, {}, defaultCase), debugContext)) {}

Switch& Switch::add(std::int32_t value, const Program& body) {
  if (impl_.use_count() > 1) impl_ = std::make_shared<const detail::ProgramImpl>(*impl_);
  auto& op = std::get<g::Switch>(const_cast<detail::ProgramImpl&>(*impl_).op);
  op.cases.emplace_back(value, Access::program(body));
  return *this;
}

Call::Call(const Function& function, const DebugContext& debugContext)
    : Program(make(g::Call{function.getId()}, debugContext)) {}

PrintTensor::PrintTensor(Tensor tensor, const DebugContext& debugContext)
    : PrintTensor(tensor.getDebugStr(), tensor, PrintTensorFmt(), debugContext) {}
PrintTensor::PrintTensor(Tensor tensor, const PrintTensorFmt& format, const DebugContext& debugContext)
    : PrintTensor(tensor.getDebugStr(), tensor, format, debugContext) {}
PrintTensor::PrintTensor(StringRef title, Tensor tensor, const DebugContext& debugContext)
    : PrintTensor(title, tensor, PrintTensorFmt(), debugContext) {}
PrintTensor::PrintTensor(StringRef title, Tensor tensor, const PrintTensorFmt& format, const DebugContext& debugContext)
    : Program(make(g::PrintTensor{title.cloneAsString(), ref(tensor), print_format(format)}, debugContext)) {}

WriteUndef::WriteUndef(Tensor tensor, const DebugContext& debugContext)
    : Program(make(g::WriteUndef{ref(tensor)}, debugContext)) {}

Sync::Sync(SyncType type, const DebugContext& debugContext)
    : Program(make(g::Sync{static_cast<g::Sync::Span>(type)}, debugContext)) {}

Abort::Abort(const DebugContext& debugContext) : Program(make(g::Abort{}, debugContext)) {}
Abort::Abort(const std::string& message, const DebugContext& debugContext)
    : Program(make(g::Abort{message}, debugContext)) {}

AbortOnCondition::AbortOnCondition(Tensor predicate, const DebugContext& debugContext)
    : Program(make(g::AbortOnCondition{ref(predicate), ""}, debugContext)) {}
AbortOnCondition::AbortOnCondition(Tensor predicate, const std::string& message, const DebugContext& debugContext)
    : Program(make(g::AbortOnCondition{ref(predicate), message}, debugContext)) {}

ErrorProgram::ErrorProgram(StringRef message, Tensor debugTensor, const DebugContext& debugContext)
    : Program(make(g::Sequence{{Access::program(PrintTensor(message, debugTensor)),
                                Access::program(Abort(message.cloneAsString()))}},
                   debugContext)) {}

void dumpProgram(const Graph& graph, const Program& program, std::ostream& os) {
  os << text(Access::program(program), Access::graph(graph));
}

}  // namespace program
}  // namespace poplar
