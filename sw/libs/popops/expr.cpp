// Expressions: names, texts, comparison.
#include <cstring>
#include <sstream>

#include <poplar/HalfFloat.hpp>
#include <popops/Expr.hpp>
#include <poputil/exceptions.hpp>

#include "sw/libs/popops/operators.h"
#include "sw/libs/popops/types.h"

namespace popops::expr {

using poplar::Tensor;

namespace {

// A node and what is below it: a tree, or "Name(part, part)".
void print_node(std::ostream& os, unsigned indent, bool pretty, const std::string& name,
                std::initializer_list<const Expr*> parts) {
  if (pretty) {
    os << std::string(2 * indent, ' ') << name << '\n';
    for (const Expr* part : parts) part->print(os, indent + 1, true);
    return;
  }
  os << name;
  if (parts.size() == 0) return;
  const char* separator = "(";
  for (const Expr* part : parts) {
    os << separator;
    part->print(os, 0, false);
    separator = ", ";
  }
  os << ')';
}

// Applies f to the value as the C++ type that it was given in.
template <class F>
auto with_value(const Const& c, F f) {
  const poplar::TypeTraits& traits = c.getTypeTraits();
  const auto as = [&](auto value) {
    std::memcpy(&value, c.getData(), sizeof value);
    return f(value);
  };
  if (traits.isHalf) return as(poplar::half());
  if (traits.isFloat) {
    if (traits.size == sizeof(float)) return as(float());
    if (traits.size == sizeof(double)) return as(double());
    return as(static_cast<long double>(0));
  }
  switch (traits.size) {
    case 1:
      return traits.isSigned ? as(std::int8_t()) : as(std::uint8_t());
    case 2:
      return traits.isSigned ? as(std::int16_t()) : as(std::uint16_t());
    case 4:
      return traits.isSigned ? as(std::int32_t()) : as(std::uint32_t());
    default:
      return traits.isSigned ? as(std::int64_t()) : as(std::uint64_t());
  }
}

}  // namespace

Expr::~Expr() = default;

std::ostream& operator<<(std::ostream& os, const Expr& expr) {
  expr.print(os);
  return os;
}

bool deepEquals(const Expr& a, const Expr& b) { return a.deepEquals(b); }

std::string Const::printValue() const {
  if (type_ == poplar::BOOL) return getDataAsDouble() != 0 ? "true" : "false";
  std::ostringstream os;
  os.precision(17);
  if (traits_.isFloat)
    os << getDataAsDouble();
  else if (traits_.isSigned)
    os << static_cast<std::int64_t>(getDataForUnsignedIntegral());
  else
    os << getDataForUnsignedIntegral();
  return os.str();
}

double Const::getDataAsDouble() const {
  return with_value(*this, [](auto value) {
    if constexpr (std::is_same_v<decltype(value), poplar::half>)
      return static_cast<double>(static_cast<float>(value));
    else
      return static_cast<double>(value);
  });
}

std::uint64_t Const::getDataForUnsignedIntegral() const {
  return with_value(*this, [](auto value) {
    if constexpr (std::is_integral_v<decltype(value)>)
      return static_cast<std::uint64_t>(value);
    else
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<double>(static_cast<float>(value))));
  });
}

std::string Const::name(const std::vector<Tensor>&) const {
  std::string out = "C";
  for (const char c : printValue()) out += c == '-' ? 'm' : c == '.' ? 'p' : c == '+' ? 'e' : c;
  return out;
}
bool Const::deepEquals(const Expr& other) const {
  const Const* o = other.getAs<Const>();
  return o != nullptr && type_ == o->type_ && printValue() == o->printValue();
}
void Const::print(std::ostream& os, unsigned indent, bool pretty) const {
  print_node(os, indent, pretty, printValue() + ":" + text_of(type_), {});
}

std::string Cast::name(const std::vector<Tensor>& inputs) const {
  return "Cast_" + text_of(type_) + "_" + a_.name(inputs);
}
bool Cast::deepEquals(const Expr& other) const {
  const Cast* o = other.getAs<Cast>();
  return o != nullptr && type_ == o->type_ && getLHS().deepEquals(o->getLHS());
}
void Cast::print(std::ostream& os, unsigned indent, bool pretty) const {
  print_node(os, indent, pretty, "Cast<" + text_of(type_) + ">", {&getLHS()});
}

std::string PlaceHolder::name(const std::vector<Tensor>& inputs) const {
  if (index_ == 0 || index_ > inputs.size())
    throw poputil::poplibs_error("expression: there is no _" + std::to_string(index_) + " among " +
                                 std::to_string(inputs.size()) + " inputs");
  return text_of(inputs[index_ - 1].elementType()) + std::to_string(index_);
}
bool PlaceHolder::deepEquals(const Expr& other) const {
  const PlaceHolder* o = other.getAs<PlaceHolder>();
  return o != nullptr && index_ == o->index_;
}
void PlaceHolder::print(std::ostream& os, unsigned indent, bool pretty) const {
  print_node(os, indent, pretty, "_" + std::to_string(index_), {});
}

std::string UnaryOp::name(const std::vector<Tensor>& inputs) const {
  return std::string(describe(type_).name) + "_" + exprName(inputs);
}
bool UnaryOp::deepEquals(const Expr& other) const {
  const UnaryOp* o = other.getAs<UnaryOp>();
  return o != nullptr && type_ == o->type_ && getArg().deepEquals(o->getArg());
}
void UnaryOp::print(std::ostream& os, unsigned indent, bool pretty) const {
  print_node(os, indent, pretty, describe(type_).name, {&getArg()});
}

std::string BinaryOp::name(const std::vector<Tensor>& inputs) const {
  return std::string(describe(type_).name) + "_" + exprName(inputs);
}
bool BinaryOp::deepEquals(const Expr& other) const {
  const BinaryOp* o = other.getAs<BinaryOp>();
  return o != nullptr && type_ == o->type_ && getLHS().deepEquals(o->getLHS()) && getRHS().deepEquals(o->getRHS());
}
void BinaryOp::print(std::ostream& os, unsigned indent, bool pretty) const {
  print_node(os, indent, pretty, describe(type_).name, {&getLHS(), &getRHS()});
}

std::string TernaryOp::name(const std::vector<Tensor>& inputs) const {
  return std::string(name_of(type_)) + "_" + exprName(inputs);
}
bool TernaryOp::deepEquals(const Expr& other) const {
  const TernaryOp* o = other.getAs<TernaryOp>();
  return o != nullptr && type_ == o->type_ && getArg0().deepEquals(o->getArg0()) &&
         getArg1().deepEquals(o->getArg1()) && getArg2().deepEquals(o->getArg2());
}
void TernaryOp::print(std::ostream& os, unsigned indent, bool pretty) const {
  print_node(os, indent, pretty, name_of(type_), {&getArg0(), &getArg1(), &getArg2()});
}

}  // namespace popops::expr
