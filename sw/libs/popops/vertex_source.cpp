#include "sw/libs/popops/vertex_source.h"

#include <algorithm>

#include <cmath>
#include <cstdio>
#include <optional>
#include <set>
#include <sstream>

#include <poputil/exceptions.hpp>

#include "formats/fnv.h"
#include "sw/libs/popops/operators.h"
#include "sw/libs/popops/types.h"

namespace popops {

using poplar::Type;

namespace {

using MaybeType = std::optional<Type>;

std::string one_line(const expr::Expr& expr) {
  std::ostringstream os;
  expr.print(os, 0, false);
  return os.str();
}

std::string literal(const expr::Const& c, Type type) {
  char text[64];
  if (type == poplar::FLOAT || type == poplar::HALF) {
    const double value = c.getDataAsDouble();
    if (std::isnan(value)) return text_of(type) + "(__builtin_nanf(\"\"))";
    if (std::isinf(value)) return text_of(type) + (value < 0 ? "(-__builtin_inff())" : "(__builtin_inff())");
    std::snprintf(text, sizeof text, "(%af)", static_cast<double>(static_cast<float>(value)));
    return text_of(type) + text;
  }
  if (type == poplar::BOOL) return c.getDataAsDouble() != 0 ? "true" : "false";
  std::snprintf(text, sizeof text, "(0x%llxull)", static_cast<unsigned long long>(c.getDataForUnsignedIntegral()));
  return "static_cast<" + text_of(type) + ">" + text;
}

// Walks an expression, giving every node its type.
class Writer {
 public:
  explicit Writer(const std::vector<Type>& inputs) : inputs_(inputs) {}

  struct Written {
    Type type;
    std::string text;  // over x1, x2, ... and, for constants, V: the type of a value where all are packed or none
  };

  // wanted: the type that a constant takes.
  Written write(const expr::Expr& e, MaybeType wanted = {}) {
    if (const auto* c = e.getAs<expr::Const>()) return constant(*c, wanted.value_or(c->getType()));
    if (const auto* c = e.getAs<expr::Cast>()) return cast(*c);
    if (const auto* p = e.getAs<expr::PlaceHolder>()) return {note(input(*p)), "x" + std::to_string(p->getIndex())};
    if (const auto* u = e.getAs<expr::UnaryOp>()) return unary(*u, wanted);
    if (const auto* b = e.getAs<expr::BinaryOp>()) return binary(*b, wanted);
    return ternary(*e.getAs<expr::TernaryOp>(), wanted);
  }

  // All values are of one float type, and all operators take packed values.
  bool packed() const {
    return packed_ && types_.size() == 1 && (*types_.begin() == poplar::FLOAT || *types_.begin() == poplar::HALF);
  }

  // ... in many instructions.
  bool is_long() const { return long_; }

 private:
  Type note(Type type) {
    types_.insert(type);
    return type;
  }
  void note(Takes takes) {
    packed_ = packed_ && takes != Takes::kElements;
    long_ = long_ || takes == Takes::kPackedLong;
  }

  Type input(const expr::PlaceHolder& p) const {
    if (p.getIndex() == 0 || p.getIndex() > inputs_.size())
      throw poputil::poplibs_error("expression: there is no _" + std::to_string(p.getIndex()) + " among " +
                                   std::to_string(inputs_.size()) + " inputs");
    return inputs_[p.getIndex() - 1];
  }

  // The type that the expression has of itself: none if it is of constants alone.
  MaybeType own(const expr::Expr& e) const {
    if (e.isA<expr::Const>()) return {};
    if (const auto* c = e.getAs<expr::Cast>()) return c->getRHSType();
    if (const auto* p = e.getAs<expr::PlaceHolder>()) return input(*p);
    if (const auto* u = e.getAs<expr::UnaryOp>())
      return describe(u->getOpType()).result == Result::kBool ? MaybeType(poplar::BOOL) : own(u->getArg());
    if (const auto* b = e.getAs<expr::BinaryOp>()) {
      if (describe(b->getOpType()).result == Result::kBool) return poplar::BOOL;
      const MaybeType left = own(b->getLHS());
      return left ? left : own(b->getRHS());
    }
    const auto& t = *e.getAs<expr::TernaryOp>();
    for (const expr::Expr* part : {&t.getArg0(), &t.getArg1()}) {
      if (const MaybeType type = own(*part)) return type;
    }
    return t.getOpType() == expr::TernaryOpType::CLAMP ? own(t.getArg2()) : MaybeType();
  }

  // ... or of its first constant.
  Type own_or_constant(const expr::Expr& e) const {
    if (const MaybeType type = own(e)) return *type;
    if (const auto* c = e.getAs<expr::Const>()) return c->getType();
    if (const auto* u = e.getAs<expr::UnaryOp>()) return own_or_constant(u->getArg());
    if (const auto* b = e.getAs<expr::BinaryOp>()) return own_or_constant(b->getLHS());
    return own_or_constant(e.getAs<expr::TernaryOp>()->getArg0());
  }

  Written constant(const expr::Const& c, Type type) { return {note(type), "V(" + literal(c, type) + ")"}; }

  Written cast(const expr::Cast& c) {
    const Written a = write(c.getLHS());
    const Type to = note(c.getRHSType());
    if (a.type == to) return a;
    packed_ = false;
    return {to, "convert<" + text_of(to) + ">(" + a.text + ")"};
  }

  void check(const Operator& op, Type type, const expr::Expr& e) const {
    if (!takes(op.operands, type))
      throw poputil::poplibs_error("expression " + one_line(e) + ": " + op.name + " takes " + words_of(op.operands) +
                                   ", not " + text_of(type));
  }
  Written agreed(const expr::Expr& part, Type type, const expr::Expr& whole) {
    Written w = write(part, type);
    if (w.type != type)
      throw poputil::poplibs_error("expression " + one_line(whole) + ": operands of types " + text_of(type) + " and " +
                                   text_of(w.type));
    return w;
  }

  Written unary(const expr::UnaryOp& u, MaybeType wanted) {
    const Operator& op = describe(u.getOpType());
    const Written a = write(u.getArg(), op.result == Result::kBool ? MaybeType() : wanted);
    check(op, a.type, u);
    note(op.packed);
    const Type type = note(op.result == Result::kBool ? poplar::BOOL : a.type);
    return {type, std::string(op.function) + "(" + a.text + ")"};
  }

  static bool is_symbol(const std::string& function) {
    return std::string("=<>!&|").find(function[0]) != std::string::npos;
  }

  Written binary(const expr::BinaryOp& b, MaybeType wanted) {
    const Operator& op = describe(b.getOpType());
    MaybeType type = own(b.getLHS());
    if (!type) type = own(b.getRHS());
    if (!type && op.result == Result::kSame) type = wanted;
    if (!type) type = own_or_constant(b.getLHS());
    const Written left = agreed(b.getLHS(), *type, b);
    const Written right = agreed(b.getRHS(), *type, b);
    check(op, *type, b);
    note(op.packed);
    const Type result = note(op.result == Result::kBool ? poplar::BOOL : *type);
    if (is_symbol(op.function)) return {result, "(" + left.text + " " + op.function + " " + right.text + ")"};
    return {result, std::string(op.function) + "(" + left.text + ", " + right.text + ")"};
  }

  Written ternary(const expr::TernaryOp& t, MaybeType wanted) {
    const bool select = t.getOpType() == expr::TernaryOpType::SELECT;
    MaybeType type = own(t);
    if (!type) type = wanted;
    if (!type) type = own_or_constant(t.getArg0());
    const Written a = agreed(t.getArg0(), *type, t);
    const Written b = agreed(t.getArg1(), *type, t);
    const Written c = agreed(t.getArg2(), select ? poplar::BOOL : *type, t);
    if (!select && *type == poplar::BOOL)
      throw poputil::poplibs_error("expression " + one_line(t) +
                                   ": Clamp takes an integer type, float or half, not bool");
    packed_ = packed_ && !select;
    return {*type, (select ? "select(" : "clamp(") + a.text + ", " + b.text + ", " + c.text + ")"};
  }

  const std::vector<Type>& inputs_;
  std::set<Type> types_;
  bool packed_ = true, long_ = false;
};

void collect(const expr::Expr& e, std::set<unsigned>& out) {
  if (const auto* p = e.getAs<expr::PlaceHolder>()) out.insert(p->getIndex());
  if (const auto* c = e.getAs<expr::Cast>()) collect(c->getLHS(), out);
  if (const auto* u = e.getAs<expr::UnaryOp>()) collect(u->getArg(), out);
  if (const auto* b = e.getAs<expr::BinaryOp>()) {
    collect(b->getLHS(), out);
    collect(b->getRHS(), out);
  }
  if (const auto* t = e.getAs<expr::TernaryOp>()) {
    collect(t->getArg0(), out);
    collect(t->getArg1(), out);
    collect(t->getArg2(), out);
  }
}

// What names a vertex by its source: two hashes with different beginnings.
std::string hash_of(const std::string& text) {
  const std::uint64_t a = tessera::formats::Fnv().text(text).value();
  const std::uint64_t b = tessera::formats::Fnv().byte(1).text(text).value();
  char out[33];
  std::snprintf(out, sizeof out, "%016llx%016llx", static_cast<unsigned long long>(a),
                static_cast<unsigned long long>(b));
  return out;
}

// V stands before constants: in a packed expression it is the type of the values, else constants have their own.
std::string with_values(const std::string& text, bool packed) {
  if (packed) return text;
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool before = i == 0 || (std::isalnum(static_cast<unsigned char>(text[i - 1])) == 0 && text[i - 1] != '_');
    if (!(before && text.compare(i, 2, "V(") == 0)) out += text[i];
  }
  return out;
}

struct Parts {
  std::string fields, arguments, values;  // of the class, of the loop, of the function
};

// Of the vertex of one element.
Parts element_parts(const ElementWiseVertex& vertex, bool in_place, bool reads_output) {
  Parts parts;
  parts.fields = std::string("  poplar::") + (in_place ? "InOut<" : "Output<") + text_of(vertex.type) + "> out;\n";
  const auto add = [&](const std::string& field, unsigned index) {
    parts.values += (parts.values.empty() ? "auto x" : ", auto x") + std::to_string(index);
    parts.arguments += (parts.arguments.empty() ? "*" : ", *") + field;
  };
  if (reads_output) add("out", 1);
  for (const Operand& operand : vertex.operands) {
    const std::string name = "in" + std::to_string(operand.index);
    parts.fields += "  poplar::Input<" + text_of(operand.type) + "> " + name + ";\n";
    add(name, operand.index);
  }
  return parts;
}

// many: of the vertex of many regions.
Parts parts_of(const ElementWiseVertex& vertex, bool in_place, bool reads_output, bool many) {
  Parts parts;
  const std::string type = text_of(vertex.type);
  const auto vector = [](const std::string& element, const char* layout) {
    return "poplar::Vector<" + element + ", poplar::VectorLayout::" + layout + ", 8>";
  };
  const std::string region = many ? "[r]" : "";
  const auto field = [&](const std::string& edge, const std::string& of, const std::string& name) {
    const std::string one = "poplar::" + edge + "<" + of + ">";
    parts.fields += "  " + (many ? "poplar::Vector<" + one + ">" : one) + " " + name + ";\n";
  };
  field(in_place ? "InOut" : "Output", vector(type, "SPAN"), "out");
  const auto add = [&](const std::string& value, const std::string& argument) {
    parts.values += (parts.values.empty() ? "auto " : ", auto ") + value;
    parts.arguments += ", " + argument;
  };
  if (reads_output) add("x1", "Each<" + type + ">{out" + region + ".begin()}");
  for (const Operand& operand : vertex.operands) {
    const std::string number = std::to_string(operand.index), of = text_of(operand.type), name = "in" + number;
    if (operand.going == Going::Same) {
      parts.fields += "  poplar::Input<" + of + "> " + name + ";\n";
      add("x" + number, "Same<" + of + ">{*" + name + "}");
    } else {
      field("Input", vector(of, "ONE_PTR"), name);
      const char* kind = operand.going == Going::Each ? "Each<" : "Repeated<";
      add("x" + number, kind + of + ">{&" + name + region + "[0]}");
    }
  }
  return parts;
}

}  // namespace

Type type_of(const expr::Expr& expr, const std::vector<Type>& inputs) { return Writer(inputs).write(expr).type; }

std::vector<unsigned> placeholders(const expr::Expr& expr) {
  std::set<unsigned> found;
  collect(expr, found);
  return {found.begin(), found.end()};
}

ElementWiseVertex element_wise_vertex(const expr::Expr& expr, const std::vector<Type>& inputs,
                                      const std::vector<Going>& going, bool in_place) {
  Writer writer(inputs);
  const Writer::Written written = writer.write(expr);
  ElementWiseVertex vertex;
  vertex.type = written.type;
  const std::vector<unsigned> used = placeholders(expr);
  const bool reads_output = in_place && !used.empty() && used.front() == 1;
  for (const unsigned index : used) {
    if (!(in_place && index == 1)) vertex.operands.push_back({index, inputs[index - 1], going[index - 1]});
  }
  const bool packed = writer.packed() && !used.empty();
  const std::string text = with_values(written.text, packed);
  // A cast between the float types alone has a function that takes registers.
  const auto* cast = expr.getAs<expr::Cast>();
  const bool converts = cast != nullptr && cast->getLHS().getAs<expr::PlaceHolder>() != nullptr &&
                        vertex.operands.size() == 1 && is_float(vertex.type) && is_float(vertex.operands[0].type) &&
                        vertex.type != vertex.operands[0].type;
  const auto function = [&](const Parts& parts) {
    if (converts) return "Convert<" + text_of(vertex.type) + ", " + text_of(vertex.operands[0].type) + ">{}";
    std::string first = parts.values.substr(0, parts.values.find(','));
    if (!first.empty()) first = first.substr(first.find(' ') + 1);
    return "[](" + parts.values + ")" + (writer.is_long() ? " __attribute__((always_inline))" : "") + " { " +
           (packed ? "using V = decltype(" + first + "); " : "") + "return " + text + "; }";
  };
  const auto body = [&](const Parts& parts) { return function(parts) + parts.arguments + ");\n"; };
  const std::string flag = !packed ? "kElements" : writer.is_long() ? "kPackedLong" : "kPacked";
  const bool repeated = std::any_of(vertex.operands.begin(), vertex.operands.end(),
                                    [](const Operand& operand) { return operand.going == Going::Repeated; });
  const Parts one = parts_of(vertex, in_place, reads_output, false);
  const std::string one_class =
      one.fields + (repeated ? "  unsigned first, inner, count;\n" : "") + "  void compute(unsigned worker) {\n    " +
      (repeated ? "map_repeated<" : "map_share<") + flag + ">(worker, out.begin(), out.size(), " +
      (repeated ? "Pattern{first, inner, count}, " : "") + body(one) + "  }\n};\n";
  std::string many_class, element_class;
  if (!repeated) {
    const Parts element = element_parts(vertex, in_place, reads_output);
    element_class =
        element.fields + "  void compute() { *out = " + function(element) + "(" + element.arguments + "); }\n};\n";
    const Parts many = parts_of(vertex, in_place, reads_output, true);
    many_class = many.fields + "  void compute() {\n    for (unsigned r = 0; r < out.size(); ++r)\n      map_span<" +
                 flag + ">(out[r].begin(), out[r].size(), " + body(many) + "  }\n};\n";
  }
  const std::string name = hash_of(one_class + many_class + element_class);
  vertex.one_region = "popops_map::One_" + name;
  vertex.source = "// " + one_line(expr) +
                  "\n#include <popops/elementwise.h>\nnamespace popops_map {\nusing namespace popops::elementwise;\n"
                  "class One_" +
                  name + " : public poplar::MultiVertex {\n public:\n" + one_class;
  if (!repeated) {
    vertex.many_regions = "popops_map::Many_" + name;
    vertex.source += "class Many_" + name + " : public poplar::Vertex {\n public:\n" + many_class;
    vertex.one_element = "popops_map::Single_" + name;
    vertex.source += "class Single_" + name + " : public poplar::Vertex {\n public:\n" + element_class;
  }
  vertex.source += "}\n";
  return vertex;
}

}  // namespace popops
