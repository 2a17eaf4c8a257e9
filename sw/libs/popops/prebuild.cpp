// Writes the sources of popops' prebuilt vertices: prebuild FOLDER. A file for each type of operands, and the index.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <popops/Expr.hpp>

#include "sw/libs/popops/operators.h"
#include "sw/libs/popops/prebuilt.h"
#include "sw/libs/popops/reduce_vertex.h"
#include "sw/libs/popops/types.h"
#include "sw/libs/popops/vertex_source.h"

namespace {

using poplar::Type;
namespace expr = popops::expr;
using popops::Going;

constexpr expr::UnaryOpType kUnary[] = {
#define UNARY_OPERATOR(op, name, function, operands, result, packed) expr::UnaryOpType::op,
#include "sw/libs/popops/operators.def"
};
constexpr expr::BinaryOpType kBinary[] = {
#define BINARY_OPERATOR(op, name, function, operands, result, packed) expr::BinaryOpType::op,
#include "sw/libs/popops/operators.def"
};

class Sources {
 public:
  explicit Sources(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void open(const std::string& library) {
    library_ = library;
    seen_.clear();
    source_ = std::ofstream(folder_ / (library + ".cpp"));
  }
  // Not in place, and in place where the result has the type of the first operand.
  void add(const expr::Expr& expression, const std::vector<Type>& types, const std::vector<Going>& going) {
    for (const bool in_place : {false, true}) {
      if (in_place && !(popops::type_of(expression, types) == types[0])) continue;
      const popops::ElementWiseVertex vertex = popops::element_wise_vertex(expression, types, going, in_place);
      write(vertex.source, {vertex.one_region, vertex.many_regions, vertex.one_element});
    }
  }
  void add(const popops::ReduceVertex& vertex) {
    std::vector<std::string> names = {vertex.rows(), vertex.columns()};
    if (vertex.packed()) names.push_back(vertex.matrix());
    if (vertex.by_engine())
      for (const std::string& name : vertex.engine()) names.push_back(name);
    write(vertex.source(), names);
  }
  bool finish() {
    source_.close();
    std::ofstream index(folder_ / popops::kPrebuiltIndex);
    index << index_;
    index.close();
    return source_.good() && index.good();
  }

 private:
  void write(const std::string& source, const std::vector<std::string>& names) {
    if (!seen_.insert(names[0]).second) return;
    source_ << source;
    for (const std::string& name : names)
      if (!name.empty()) index_ += name + " " + library_ + ".gp\n";
  }

  std::filesystem::path folder_;
  std::string library_, index_;
  std::ofstream source_;
  std::set<std::string> seen_;
};

// Operators with tensors of one shape, and with one element on the right.
void add_operators(Sources& sources, Type type) {
  const expr::PlaceHolder first(1), second(2);
  for (const expr::UnaryOpType op : kUnary)
    if (popops::takes(popops::describe(op).operands, type))
      sources.add(expr::UnaryOp(op, first), {type}, {Going::Each});
  for (const expr::BinaryOpType op : kBinary) {
    if (!popops::takes(popops::describe(op).operands, type)) continue;
    const expr::BinaryOp both(op, first, second);
    sources.add(both, {type, type}, {Going::Each, Going::Each});
    sources.add(both, {type, type}, {Going::Each, Going::Same});
  }
}

// Of what the type holds, to it and to what it is accumulated in, and from there to it; without scale and update.
void add_reductions(Sources& sources, Type type) {
  using popops::Operation;
  for (const Operation op : {Operation::ADD, Operation::MUL, Operation::MIN, Operation::MAX, Operation::SQUARE_ADD}) {
    const Type between = popops::accumulated(op, type);
    sources.add(popops::ReduceVertex{op, type, type, false, false});
    sources.add(popops::ReduceVertex{op, type, between, false, false});
    const Operation last = op == Operation::SQUARE_ADD ? Operation::ADD : op;
    sources.add(popops::ReduceVertex{last, between, type, false, false});
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: popops_prebuild FOLDER\n", stderr);
    return 2;
  }
  Sources sources(argv[1]);
  const std::vector<std::pair<std::string, Type>> libraries = {{"float", poplar::FLOAT},
                                                               {"half", poplar::HALF},
                                                               {"int", poplar::INT},
                                                               {"uint", poplar::UNSIGNED_INT},
                                                               {"bool", poplar::BOOL}};
  for (const auto& [library, type] : libraries) {
    sources.open(library);
    add_operators(sources, type);
    if (!(type == poplar::BOOL)) add_reductions(sources, type);
  }
  if (!sources.finish()) {
    std::fprintf(stderr, "popops_prebuild: cannot write to %s\n", argv[1]);
    return 1;
  }
}
