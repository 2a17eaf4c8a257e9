#include "sw/libs/popops/reduce_vertex.h"
#include "sw/libs/popops/prebuilt.h"
#include "sw/libs/popops/types.h"

#include <sstream>

#include <poputil/exceptions.hpp>

namespace popops {

using poplar::Type;

namespace {

constexpr Operation kOperations[] = {Operation::ADD,        Operation::MUL,         Operation::MIN,
                                     Operation::MAX,        Operation::LOGICAL_AND, Operation::LOGICAL_OR,
                                     Operation::SQUARE_ADD, Operation::LOG_ADD};

// The class of the device header.
const char* class_of(Operation op) {
  switch (op) {
    case Operation::ADD:
      return "Add";
    case Operation::MUL:
      return "Mul";
    case Operation::MIN:
      return "Min";
    case Operation::MAX:
      return "Max";
    case Operation::LOGICAL_AND:
      return "LogicalAnd";
    case Operation::LOGICAL_OR:
      return "LogicalOr";
    case Operation::SQUARE_ADD:
      return "SquareAdd";
    case Operation::LOG_ADD:
      return "LogAdd";
  }
  throw poputil::poplibs_error("there is no operation " + std::to_string(static_cast<int>(op)));
}

std::string identifier(Type type) {
  std::string out = text_of(type);
  for (char& c : out) c = c == ' ' ? '_' : c;
  return out;
}

}  // namespace

const char* name_of(Operation op) {
  switch (op) {
    case Operation::ADD:
      return "ADD";
    case Operation::MUL:
      return "MUL";
    case Operation::MIN:
      return "MIN";
    case Operation::MAX:
      return "MAX";
    case Operation::LOGICAL_AND:
      return "LOGICAL_AND";
    case Operation::LOGICAL_OR:
      return "LOGICAL_OR";
    case Operation::SQUARE_ADD:
      return "SQUARE_ADD";
    case Operation::LOG_ADD:
      return "LOG_ADD";
  }
  throw poputil::poplibs_error("there is no operation " + std::to_string(static_cast<int>(op)));
}

std::ostream& operator<<(std::ostream& os, const Operation& op) { return os << name_of(op); }

std::istream& operator>>(std::istream& is, Operation& op) {
  std::string word;
  is >> word;
  for (const Operation known : kOperations) {
    if (word != name_of(known)) continue;
    op = known;
    return is;
  }
  throw poputil::poplibs_error("there is no operation '" + word + "'");
}

Type accumulated(Operation op, Type type) {
  const bool exact = op == Operation::MIN || op == Operation::MAX;
  return type == poplar::HALF && !exact ? poplar::FLOAT : type;
}

std::string ReduceVertex::name(const char* kind) const {
  return std::string("popops_reduce::") + kind + "_" + class_of(op) + "_" + identifier(in) + "_" + identifier(out) +
         (scale ? "_scale" : "") + (update ? "_update" : "");
}

bool ReduceVertex::packed() const { return is_float(in) && is_float(accumulated(op, in)) && op != Operation::LOG_ADD; }

// Registers of four columns that a worker sums together: kSumPhases of popops/engine_sum.h, as the vertex checks.
constexpr std::size_t kSumGroup = 3;

bool ReduceVertex::by_engine() const {
  return op == Operation::ADD && in == poplar::HALF && is_float(out) && !scale && !update;
}

bool ReduceVertex::by_engine(std::size_t rows, std::size_t columns) const {
  // Each worker has a group of registers, and the sums are worth the weights' compute set.
  constexpr std::size_t kLeastRegisters = kSumGroup * 6, kLeastOperands = 4 * 128;
  return by_engine() && rows >= 2 && columns % 4 == 0 && columns / 4 >= kLeastRegisters &&
         rows * columns >= kLeastOperands;
}

std::string ReduceVertex::source() const {
  const std::string own = "popops_reduce::";
  std::ostringstream os;
  const auto vector = [](const std::string& type, const char* layout) {
    return "poplar::Vector<" + type + ", poplar::VectorLayout::" + layout + ", 8>";
  };
  const std::string list = "  poplar::Vector<poplar::Input<poplar::Vector<" + text_of(in) + ">>> in;\n";
  const std::string fields = std::string("  poplar::") + (update ? "InOut" : "Output") + "<" +
                             vector(text_of(out), "SPAN") + "> out;\n" +
                             (scale ? "  poplar::Input<float> scale;\n" : "");
  const std::string factor = scale ? "&*scale" : "nullptr", updates = update ? "true" : "false";
  const std::string types = "    using Op = popops::reduction::" + std::string(class_of(op)) +
                            ";\n    using Acc = " + text_of(accumulated(op, in)) + ";\n";
  const std::string leave = "      popops::reduction::leave<" + updates + ">(out[c], result, " + factor + ");\n";
  const auto vertex = [&](const std::string& full, const char* base, const std::string& in_field,
                          const std::string& parameter, const std::string& body) {
    os << "class " << full.substr(own.size()) << " : public poplar::" << base << " {\n public:\n"
       << in_field << fields << "  void compute(" << parameter << ") {\n"
       << types << body << "  }\n};\n";
  };
  const std::string each = "    for (unsigned c = 0; c < out.size(); ++c) {\n";
  os << "#include <popops/reduction.h>\nnamespace popops_reduce {\n";
  vertex(rows(), "Vertex", list, "",
         each +
             "      Acc result = Op::neutral<Acc>();\n"
             "      for (unsigned r = 0; r < in.size(); ++r)\n"
             "        result = Op::join<Acc>(result, Op::enter<Acc>(static_cast<Acc>(in[r][c])));\n" +
             leave + "    }\n");
  vertex(columns(), "Vertex", list, "",
         each + "      const Acc result = popops::reduction::joined<Op, Acc>(in[c].begin(), in[c].size());\n" + leave +
             "    }\n");
  if (packed()) {
    vertex(matrix(), "MultiVertex", "  poplar::Input<" + vector(text_of(in), "ONE_PTR") + "> in;\n  unsigned rows;\n",
           "unsigned worker",
           "    popops::reduction::reduce_matrix<Op, Acc, " + updates +
               ">(worker, &in[0], rows, out.begin(), out.size(), " + factor + ");\n");
  }
  if (by_engine()) {
    os << "static_assert(popops::reduction::kSumPhases == " << kSumGroup << ");\n"
       << "class " << name("Engine").substr(own.size()) << " : public poplar::MultiVertex {\n public:\n  poplar::Input<"
       << vector(text_of(in), "ONE_PTR") << "> in;\n  poplar::Output<" << vector(text_of(out), "ONE_PTR") << "> out;\n"
       << "  unsigned rows, stride, least, more, left;\n"
       << "  [[gnu::always_inline]] void compute(unsigned worker) {\n"
       << "    popops::reduction::sum_matrix(worker, &in[0], {rows, stride, least, more, left}, &out[0]);\n  }\n};\n"
       << "class " << name("EngineWeights").substr(own.size()) << " : public poplar::SupervisorVertex {\n public:\n"
       << "  [[gnu::always_inline]] void compute() { popops::reduction::load_sum_weights(); }\n};\n";
  }
  os << "}\n";
  return os.str();
}

void ReduceVertex::add_by_engine(poplar::Graph& graph, unsigned tile, poplar::ComputeSet before, poplar::ComputeSet cs,
                                 const poplar::Tensor& rows, const poplar::Tensor& out) const {
  const std::size_t stride = rows.dim(1) / 4, groups = stride / kSumGroup;
  const std::size_t workers = graph.getTarget().getNumWorkerContexts();
  graph.setTileMapping(graph.addVertex(before, name("EngineWeights")), tile);
  const poplar::VertexRef v = graph.addVertex(cs, name("Engine"));
  graph.setTileMapping(v, tile);
  graph.connect(v["in"], rows.flatten());
  graph.connect(v["out"], out);
  const auto set = [&](const char* field, std::size_t value) {
    graph.setInitialValue(v[field], static_cast<unsigned>(value));
  };
  set("rows", rows.dim(0));
  set("stride", stride);
  set("least", groups / workers);
  set("more", groups % workers);
  set("left", stride % kSumGroup);
}

void ReduceVertex::add_to(poplar::Graph& graph) const { make_known(graph, rows(), source()); }

}  // namespace popops
