// Conditions of breakpoints as gdb sends them: agent expressions, a small stack code (gdb's manual, appendix "The GDB
// Agent Expression Mechanism").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera::inspect::gdb {

// Codes of a breakpoint, of which one must hold; none: it always holds.
using Conditions = std::vector<std::string>;

// What an expression may ask for. nullopt: not known here.
class ExpressionState {
 public:
  virtual ~ExpressionState() = default;
  virtual std::optional<uint64_t> gdb_register(unsigned number) = 0;  // gdb's number
  virtual std::optional<uint64_t> memory(uint32_t address, unsigned bytes) = 0;
};

// kBroken: code that cannot be executed (a division by zero, an address outside memory): gdb is to tell the user.
enum class Verdict : uint8_t { kFalse, kTrue, kUnknown, kBroken };

Verdict evaluate(const std::string& code, ExpressionState&);
// Of a breakpoint: true unless all are false, unknown unless one is known to hold.
Verdict evaluate(const Conditions&, ExpressionState&);
// The registers that it may ask for.
std::vector<unsigned> registers_of(const std::string& code);

}  // namespace tessera::inspect::gdb
