// Element-wise expressions: trees of operators over placeholders _1, _2, ... and constants, written with C++'s
// operators:
// `_1 * 2.0f + Exp(_2)`. A tree holds copies of its parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <type_traits>
#include <vector>

#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>
#include <poplar/TypeTraits.hpp>
#include <popops/ExprOp.hpp>

namespace popops {
namespace expr {

class Expr {
 public:
  virtual ~Expr();
  template <class T>
  bool isA() const {
    return class_ == T::getClassId();
  }
  template <class T>
  T* getAs() {  // null for an expression of another class
    return isA<T>() ? static_cast<T*>(this) : nullptr;
  }
  template <class T>
  const T* getAs() const {
    return isA<T>() ? static_cast<const T*>(this) : nullptr;
  }
  virtual std::unique_ptr<Expr> clone() const = 0;
  // A name made of operators and the types of the inputs; equal for equal expressions.
  virtual std::string name(const std::vector<poplar::Tensor>& inputs) const = 0;
  virtual bool deepEquals(const Expr& other) const = 0;
  // As a tree, one node a line, or on one line.
  virtual void print(std::ostream& os, unsigned indent = 0, bool prettyPrint = true) const = 0;

 protected:
  using ExprClassID = void (*)();
  explicit Expr(ExprClassID id) : class_(id) {}

 private:
  ExprClassID class_;
};

std::ostream& operator<<(std::ostream& os, const Expr& expr);
bool deepEquals(const Expr& a, const Expr& b);

// Base of the classes that isA and getAs tell apart.
template <class T>
class ExprType : public Expr {
 public:
  ExprType() : Expr(getClassId()) {}

 private:
  friend class Expr;
  static void identity() {}
  static ExprClassID getClassId() { return &identity; }
};

// Holds an expression of any class.
class Any {
 public:
  Any(const Expr& expr) : expr_(expr.clone()) {}
  Any(const Any& other) : expr_(other.expr_->clone()) {}
  Any(Any&&) = default;
  Any& operator=(const Any& other) {
    expr_ = other.expr_->clone();
    return *this;
  }
  Any& operator=(Any&&) = default;
  operator Expr&() { return *expr_; }
  operator const Expr&() const { return *expr_; }
  std::string name(const std::vector<poplar::Tensor>& inputs) const { return expr_->name(inputs); }

 private:
  std::unique_ptr<Expr> expr_;
};

namespace detail {
template <class T>
poplar::Type typeOfConst() {
  return poplar::equivalent_device_type<T>().value;
}
template <>
inline poplar::Type typeOfConst<double>() {
  return poplar::FLOAT;  // tiles have no double
}
template <>
inline poplar::Type typeOfConst<long double>() {
  return poplar::FLOAT;
}
}  // namespace detail

// A number. In an operation with a tensor it takes the tensor's type, otherwise it has that of the C++ value.
class Const : public ExprType<Const> {
 public:
  template <typename T, typename = typename std::enable_if<poplar::TypeTraits::isSimpleType<T>(), T>::type>
  Const(T value)
      : Const(poplar::TypeTraits::make<T>(), detail::typeOfConst<T>(), reinterpret_cast<const char*>(&value)) {}
  Const(poplar::TypeTraits traits, poplar::Type type, const char* data)
      : traits_(traits), type_(type), data_(data, data + traits.size) {}

  const char* getData() const { return data_.data(); }
  const poplar::TypeTraits& getTypeTraits() const { return traits_; }
  const poplar::Type& getType() const { return type_; }
  std::string printValue() const;
  double getDataAsDouble() const;
  std::uint64_t getDataForUnsignedIntegral() const;

  std::unique_ptr<Expr> clone() const override { return std::unique_ptr<Expr>(new Const(*this)); }
  std::string name(const std::vector<poplar::Tensor>& inputs) const override;
  bool deepEquals(const Expr& other) const override;
  void print(std::ostream& os, unsigned indent = 0, bool prettyPrint = true) const override;

 private:
  poplar::TypeTraits traits_;
  poplar::Type type_;
  std::vector<char> data_;
};

// A number of type HALF: ConstHalf(0.5f), 0.5_half.
class ConstHalf : public Const {
 public:
  ConstHalf(float value)
      : Const(poplar::TypeTraits::make<float>(), poplar::HALF, reinterpret_cast<const char*>(&value)) {}
};
inline ConstHalf operator"" _half(long double value) { return ConstHalf(static_cast<float>(value)); }

class Cast : public ExprType<Cast> {
 public:
  Cast(const Expr& a, const poplar::Type type) : a_(a), type_(type) {}
  const Expr& getLHS() const { return a_; }
  const poplar::Type& getRHSType() const { return type_; }

  std::unique_ptr<Expr> clone() const override { return std::unique_ptr<Expr>(new Cast(*this)); }
  std::string name(const std::vector<poplar::Tensor>& inputs) const override;
  bool deepEquals(const Expr& other) const override;
  void print(std::ostream& os, unsigned indent = 0, bool prettyPrint = true) const override;

 private:
  Any a_;
  poplar::Type type_;
};

// An input, counted from 1.
class PlaceHolder : public ExprType<PlaceHolder> {
 public:
  PlaceHolder(unsigned index) : index_(index) {}
  unsigned getIndex() const { return index_; }

  std::unique_ptr<Expr> clone() const override { return std::unique_ptr<Expr>(new PlaceHolder(*this)); }
  std::string name(const std::vector<poplar::Tensor>& inputs) const override;
  bool deepEquals(const Expr& other) const override;
  void print(std::ostream& os, unsigned indent = 0, bool prettyPrint = true) const override;

 private:
  unsigned index_;
};

const PlaceHolder _1(1), _2(2), _3(3), _4(4), _5(5), _6(6), _7(7), _8(8), _9(9), _10(10);
const PlaceHolder _11(11), _12(12), _13(13), _14(14), _15(15), _16(16), _17(17), _18(18), _19(19), _20(20);

class UnaryOp : public ExprType<UnaryOp> {
 public:
  UnaryOp(UnaryOpType type, const Expr& a) : type_(type), a_(a) {}
  UnaryOpType getOpType() const { return type_; }
  const Expr& getArg() const { return a_; }

  std::unique_ptr<Expr> clone() const override { return std::unique_ptr<Expr>(new UnaryOp(*this)); }
  std::string name(const std::vector<poplar::Tensor>& inputs) const override;
  std::string exprName(const std::vector<poplar::Tensor>& inputs) const { return a_.name(inputs); }
  bool deepEquals(const Expr& other) const override;
  void print(std::ostream& os, unsigned indent = 0, bool prettyPrint = true) const override;

 private:
  UnaryOpType type_;
  Any a_;
};

class BinaryOp : public ExprType<BinaryOp> {
 public:
  BinaryOp(BinaryOpType type, const Expr& a, const Expr& b) : type_(type), a_(a), b_(b) {}
  BinaryOpType getOpType() const { return type_; }
  const Expr& getLHS() const { return a_; }
  const Expr& getRHS() const { return b_; }

  std::unique_ptr<Expr> clone() const override { return std::unique_ptr<Expr>(new BinaryOp(*this)); }
  std::string name(const std::vector<poplar::Tensor>& inputs) const override;
  std::string exprName(const std::vector<poplar::Tensor>& inputs) const {
    return a_.name(inputs) + "_" + b_.name(inputs);
  }
  bool deepEquals(const Expr& other) const override;
  void print(std::ostream& os, unsigned indent = 0, bool prettyPrint = true) const override;

 private:
  BinaryOpType type_;
  Any a_, b_;
};

class TernaryOp : public ExprType<TernaryOp> {
 public:
  TernaryOp(TernaryOpType type, const Expr& a, const Expr& b, const Expr& c) : type_(type), a_(a), b_(b), c_(c) {}
  TernaryOpType getOpType() const { return type_; }
  const Expr& getArg0() const { return a_; }
  const Expr& getArg1() const { return b_; }
  const Expr& getArg2() const { return c_; }

  std::unique_ptr<Expr> clone() const override { return std::unique_ptr<Expr>(new TernaryOp(*this)); }
  std::string name(const std::vector<poplar::Tensor>& inputs) const override;
  std::string exprName(const std::vector<poplar::Tensor>& inputs) const {
    return a_.name(inputs) + "_" + b_.name(inputs) + "_" + c_.name(inputs);
  }
  bool deepEquals(const Expr& other) const override;
  void print(std::ostream& os, unsigned indent = 0, bool prettyPrint = true) const override;

 private:
  TernaryOpType type_;
  Any a_, b_, c_;
};

// A class for each operator, and the operator of C++ where there is one; a number beside an expression is a Const.
#define POPOPS_UNARY(Name, OP)                           \
  class Name : public UnaryOp {                          \
   public:                                               \
    Name(const Expr& a) : UnaryOp(UnaryOpType::OP, a) {} \
  };
#define POPOPS_UNARY_SYMBOL(Name, OP, symbol) \
  POPOPS_UNARY(Name, OP)                      \
  inline Name operator symbol(const Expr& a) { return Name(a); }
#define POPOPS_BINARY(Name, OP)                                              \
  class Name : public BinaryOp {                                             \
   public:                                                                   \
    Name(const Expr& a, const Expr& b) : BinaryOp(BinaryOpType::OP, a, b) {} \
  };
#define POPOPS_BINARY_SYMBOL(Name, OP, symbol)                                                                       \
  POPOPS_BINARY(Name, OP)                                                                                            \
  inline Name operator symbol(const Expr& a, const Expr& b) { return Name(a, b); }                                   \
  template <typename T>                                                                                              \
  inline typename std::enable_if<poplar::TypeTraits::isSimpleType<T>(), Name>::type operator symbol(const T& a,      \
                                                                                                    const Expr& b) { \
    return Name(Const(a), b);                                                                                        \
  }                                                                                                                  \
  template <typename T>                                                                                              \
  inline typename std::enable_if<poplar::TypeTraits::isSimpleType<T>(), Name>::type operator symbol(const Expr& a,   \
                                                                                                    const T& b) {    \
    return Name(a, Const(b));                                                                                        \
  }
#define POPOPS_TERNARY(Name, OP)                                                                 \
  class Name : public TernaryOp {                                                                \
   public:                                                                                       \
    Name(const Expr& a, const Expr& b, const Expr& c) : TernaryOp(TernaryOpType::OP, a, b, c) {} \
  };

POPOPS_UNARY(Abs, ABSOLUTE)
POPOPS_UNARY(Asin, ASIN)
POPOPS_UNARY_SYMBOL(BitwiseNot, BITWISE_NOT, ~)
POPOPS_UNARY(Cbrt, CBRT)
POPOPS_UNARY(Ceil, CEIL)
POPOPS_UNARY(Cos, COS)
POPOPS_UNARY(Erf, ERF)
POPOPS_UNARY(Exp, EXPONENT)
POPOPS_UNARY(Expm1, EXPONENT_MINUS_ONE)
POPOPS_UNARY(Exp2, EXPONENT2)
POPOPS_UNARY(Floor, FLOOR)
POPOPS_UNARY(GeluErf, GELU_ERF)
POPOPS_UNARY(Inv, INVERSE)
POPOPS_UNARY(IsFinite, IS_FINITE)
POPOPS_UNARY(IsInf, IS_INF)
POPOPS_UNARY(IsNaN, IS_NAN)
POPOPS_UNARY(Log, LOGARITHM)
POPOPS_UNARY(Log1p, LOGARITHM_ONE_PLUS)
POPOPS_UNARY(NearbyInt, NEARBY_INT)
POPOPS_UNARY_SYMBOL(Neg, NEGATE, -)
POPOPS_UNARY_SYMBOL(Not, LOGICAL_NOT, !)
POPOPS_UNARY(Round, ROUND)
POPOPS_UNARY(Rsqrt, RSQRT)
POPOPS_UNARY(Sigmoid, SIGMOID)
POPOPS_UNARY(Signum, SIGNUM)
POPOPS_UNARY(Sin, SIN)
POPOPS_UNARY(Sqrt, SQRT)
POPOPS_UNARY(Square, SQUARE)
POPOPS_UNARY(Tan, TAN)
POPOPS_UNARY(Tanh, TANH)
POPOPS_UNARY(Trunc, TRUNC)

POPOPS_BINARY_SYMBOL(Add, ADD, +)
POPOPS_BINARY_SYMBOL(And, LOGICAL_AND, &&)
POPOPS_BINARY(Atan2, ATAN2)
POPOPS_BINARY_SYMBOL(BitwiseAnd, BITWISE_AND, &)
POPOPS_BINARY_SYMBOL(BitwiseOr, BITWISE_OR, |)
POPOPS_BINARY(BitwiseXnor, BITWISE_XNOR)
POPOPS_BINARY_SYMBOL(BitwiseXor, BITWISE_XOR, ^)
POPOPS_BINARY_SYMBOL(Divide, DIVIDE, /)
POPOPS_BINARY_SYMBOL(Equal, EQUAL, ==)
POPOPS_BINARY_SYMBOL(Gt, GREATER_THAN, >)
POPOPS_BINARY_SYMBOL(Gte, GREATER_THAN_EQUAL, >=)
POPOPS_BINARY(InvStdDevToVariance, INV_STD_DEV_TO_VARIANCE)
POPOPS_BINARY_SYMBOL(Lt, LESS_THAN, <)
POPOPS_BINARY_SYMBOL(Lte, LESS_THAN_EQUAL, <=)
POPOPS_BINARY(Max, MAXIMUM)
POPOPS_BINARY(Min, MINIMUM)
POPOPS_BINARY_SYMBOL(Mul, MULTIPLY, *)
POPOPS_BINARY_SYMBOL(NotEqual, NOT_EQUAL, !=)
POPOPS_BINARY_SYMBOL(Or, LOGICAL_OR, ||)
POPOPS_BINARY(Pow, POWER)
POPOPS_BINARY_SYMBOL(Rem, REMAINDER, %)
POPOPS_BINARY_SYMBOL(Shl, SHIFT_LEFT, <<)
POPOPS_BINARY_SYMBOL(Shr, SHIFT_RIGHT, >>)
POPOPS_BINARY(ShrSE, SHIFT_RIGHT_SIGN_EXTEND)
POPOPS_BINARY_SYMBOL(Sub, SUBTRACT, -)
POPOPS_BINARY(VarianceToInvStdDev, VARIANCE_TO_INV_STD_DEV)

POPOPS_TERNARY(Clamp, CLAMP)    // a limited to [b, c]
POPOPS_TERNARY(Select, SELECT)  // c ? a : b

#undef POPOPS_UNARY
#undef POPOPS_UNARY_SYMBOL
#undef POPOPS_BINARY
#undef POPOPS_BINARY_SYMBOL
#undef POPOPS_TERNARY

}  // namespace expr
}  // namespace popops
