#include "inspect/gdb/agent_expression.h"

#include <algorithm>
#include <functional>

namespace tessera::inspect::gdb {
namespace {

// Operations, by gdb's numbers.
enum Op : uint8_t {
  kAdd = 0x02,
  kSub,
  kMul,
  kDivSigned,
  kDivUnsigned,
  kRemSigned,
  kRemUnsigned,
  kShiftLeft,
  kShiftRightSigned,
  kShiftRightUnsigned,
  kTrace,
  kTraceQuick,
  kLogNot,
  kBitAnd,
  kBitOr,
  kBitXor,
  kBitNot,
  kEqual,
  kLessSigned,
  kLessUnsigned,
  kExtend,
  kRef8,
  kRef16,
  kRef32,
  kRef64,
  kIfGoto = 0x20,
  kGoto,
  kConst8,
  kConst16,
  kConst32,
  kConst64,
  kRegister,
  kEnd,
  kDup,
  kPop,
  kZeroExtend,
  kSwap,
  kTrace16 = 0x30,
  kPick = 0x32,
  kRotate
};

using Value = std::optional<uint64_t>;

struct Broken {};
struct Unknown {};

constexpr unsigned kMostSteps = 10000;  // of code that jumps back
constexpr size_t kDeepest = 1000;
constexpr unsigned kMostForks = 6;  // branches that are followed both ways, one behind the other

unsigned operand_bytes(uint8_t op) {
  switch (op) {
    case kTraceQuick:
    case kExtend:
    case kConst8:
    case kZeroExtend:
    case kPick:
      return 1;
    case kIfGoto:
    case kGoto:
    case kConst16:
    case kRegister:
    case kTrace16:
      return 2;
    case kConst32:
      return 4;
    case kConst64:
      return 8;
    default:
      return 0;
  }
}

// Big-endian, as all of gdb's codes.
uint64_t operand(const std::string& code, size_t at, unsigned bytes) {
  if (at + bytes > code.size()) throw Broken();
  uint64_t value = 0;
  for (unsigned i = 0; i < bytes; ++i) value = value << 8 | static_cast<uint8_t>(code[at + i]);
  return value;
}

uint64_t extended(uint64_t value, uint64_t bits, bool with_sign) {
  if (bits == 0 || bits > 64) throw Broken();
  const auto shift = static_cast<unsigned>(64 - bits);
  return with_sign ? static_cast<uint64_t>(static_cast<int64_t>(value << shift) >> shift) : value << shift >> shift;
}

class Machine {
 public:
  Machine(const std::string& code, ExpressionState& state) : code_(code), state_(state) {}

  uint64_t run() {
    for (unsigned steps = 0; steps < kMostSteps; ++steps) {
      if (at_ >= code_.size()) throw Broken();
      const auto op = static_cast<uint8_t>(code_[at_]);
      const unsigned bytes = operand_bytes(op);
      const uint64_t number = operand(code_, at_ + 1, bytes);
      at_ += 1 + bytes;
      if (op == kEnd) {
        const Value result = pop();
        if (!result) throw Unknown();
        return *result;
      }
      if (op == kIfGoto) {
        const Value condition = pop();
        if (!condition) return both_ways(number);
        if (*condition != 0) at_ = number;
        continue;
      }
      step(op, number);
      if (stack_.size() > kDeepest) throw Broken();
    }
    throw Broken();
  }

 private:
  // `x && $xtile == 3` is false on other tiles whatever x is.
  uint64_t both_ways(size_t target) {
    if (++forks_ > kMostForks) throw Unknown();
    try {
      Machine other(*this);
      other.at_ = target;
      const uint64_t there = other.run(), here = run();
      if ((there != 0) == (here != 0)) return here;
    } catch (const Broken&) {
      // Perhaps of the way that is not taken.
    }
    throw Unknown();
  }

  Value pop() {
    if (stack_.empty()) throw Broken();
    const Value top = stack_.back();
    stack_.pop_back();
    return top;
  }
  void push(Value value) { stack_.push_back(value); }

  void unary(const std::function<uint64_t(uint64_t)>& apply) {
    const Value a = pop();
    push(a ? Value(apply(*a)) : Value());
  }
  void binary(const std::function<uint64_t(uint64_t, uint64_t)>& apply) {
    const Value b = pop(), a = pop();
    push(a && b ? Value(apply(*a, *b)) : Value());
  }
  void divide(bool with_sign, bool remainder) {
    binary([&](uint64_t a, uint64_t b) {
      if (b == 0) throw Broken();
      if (!with_sign) return remainder ? a % b : a / b;
      if (b == ~uint64_t{0}) return remainder ? 0 : 0 - a;  // the quotient of the least number fits nowhere
      const auto x = static_cast<int64_t>(a), y = static_cast<int64_t>(b);
      return static_cast<uint64_t>(remainder ? x % y : x / y);
    });
  }
  void memory(unsigned bytes) {
    const Value address = pop();
    push(address ? state_.memory(static_cast<uint32_t>(*address), bytes) : Value());
  }

  void step(uint8_t op, uint64_t number) {
    switch (op) {
      case kAdd:
        return binary(std::plus<>());
      case kSub:
        return binary(std::minus<>());
      case kMul:
        return binary(std::multiplies<>());
      case kDivSigned:
        return divide(true, false);
      case kDivUnsigned:
        return divide(false, false);
      case kRemSigned:
        return divide(true, true);
      case kRemUnsigned:
        return divide(false, true);
      case kShiftLeft:
        return binary([](uint64_t a, uint64_t b) { return b < 64 ? a << b : 0; });
      case kShiftRightSigned:
        return binary([](uint64_t a, uint64_t b) {
          return static_cast<uint64_t>(static_cast<int64_t>(a) >> std::min<uint64_t>(b, 63));
        });
      case kShiftRightUnsigned:
        return binary([](uint64_t a, uint64_t b) { return b < 64 ? a >> b : 0; });
      case kTrace:  // notes for tracepoints, of which there are none
        pop();
        pop();
        return;
      case kTraceQuick:
      case kTrace16:
        return;
      case kLogNot:
        return unary([](uint64_t a) { return uint64_t{a == 0}; });
      case kBitAnd:
        return binary(std::bit_and<>());
      case kBitOr:
        return binary(std::bit_or<>());
      case kBitXor:
        return binary(std::bit_xor<>());
      case kBitNot:
        return unary(std::bit_not<>());
      case kEqual:
        return binary([](uint64_t a, uint64_t b) { return uint64_t{a == b}; });
      case kLessSigned:
        return binary(
            [](uint64_t a, uint64_t b) { return uint64_t{static_cast<int64_t>(a) < static_cast<int64_t>(b)}; });
      case kLessUnsigned:
        return binary([](uint64_t a, uint64_t b) { return uint64_t{a < b}; });
      case kExtend:
        return unary([&](uint64_t a) { return extended(a, number, true); });
      case kZeroExtend:
        return unary([&](uint64_t a) { return extended(a, number, false); });
      case kRef8:
        return memory(1);
      case kRef16:
        return memory(2);
      case kRef32:
        return memory(4);
      case kRef64:
        return memory(8);
      case kGoto:
        at_ = number;
        return;
      case kConst8:
      case kConst16:
      case kConst32:
      case kConst64:
        return push(number);
      case kRegister:
        return push(state_.gdb_register(static_cast<unsigned>(number)));
      case kDup:
        push(stack_.empty() ? throw Broken() : stack_.back());
        return;
      case kPop:
        pop();
        return;
      case kSwap:
        if (stack_.size() < 2) throw Broken();
        std::swap(stack_.back(), stack_[stack_.size() - 2]);
        return;
      case kPick:
        if (number >= stack_.size()) throw Broken();
        return push(stack_[stack_.size() - 1 - number]);
      case kRotate: {  // a b c: c a b
        if (stack_.size() < 3) throw Broken();
        std::rotate(stack_.end() - 3, stack_.end() - 1, stack_.end());
        return;
      }
      default:
        throw Broken();
    }
  }

  const std::string& code_;
  ExpressionState& state_;
  size_t at_ = 0;
  unsigned forks_ = 0;
  std::vector<Value> stack_;
};

}  // namespace

Verdict evaluate(const std::string& code, ExpressionState& state) {
  try {
    return Machine(code, state).run() != 0 ? Verdict::kTrue : Verdict::kFalse;
  } catch (const Unknown&) {
    return Verdict::kUnknown;
  } catch (const Broken&) {
    return Verdict::kBroken;
  }
}

Verdict evaluate(const Conditions& conditions, ExpressionState& state) {
  if (conditions.empty()) return Verdict::kTrue;
  Verdict all = Verdict::kFalse;
  for (const std::string& code : conditions) {
    const Verdict one = evaluate(code, state);
    if (one == Verdict::kTrue || one == Verdict::kBroken) return one;
    if (one == Verdict::kUnknown) all = one;
  }
  return all;
}

std::vector<unsigned> registers_of(const std::string& code) {
  std::vector<unsigned> numbers;
  for (size_t at = 0; at < code.size();) {
    const auto op = static_cast<uint8_t>(code[at]);
    const unsigned bytes = operand_bytes(op);
    if (at + 1 + bytes > code.size()) break;
    if (op == kRegister) numbers.push_back(static_cast<unsigned>(operand(code, at + 1, bytes)));
    at += 1 + bytes;
  }
  return numbers;
}

}  // namespace tessera::inspect::gdb
