// The registers that gdb sees of a context, in its order: integer registers and pc, float registers as packed values,
// CSRs (rtl/spec/csrs.def), and the state of the matrix engine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "inspect/gdb/stops.h"
#include "inspect/gdb/tile_write.h"
#include "inspect/gdb/view.h"

namespace tessera::inspect::gdb {

struct Register {
  enum class Kind : uint8_t { kInteger, kPc, kFloat, kCsr, kVector };
  std::string name;
  Kind kind = Kind::kInteger;
  unsigned number = 0;  // in its debug space (vector: of the first word)
  unsigned bytes = 4;
  std::string type, group, feature;
  bool supervisor = true, worker = true;  // who has it
};

// By gdb's number. Those up to kInGeneral are in the packet of all registers, the others are asked for one by one.
const std::vector<Register>& registers();
constexpr unsigned kPcRegister = 32, kStackRegister = 2, kInGeneral = 65;

std::string target_description();  // XML

// nullopt: the context has no such register.
std::optional<uint64_t> read_register(View&, const Register&, Thread);
// Debug writes that give it a value; none when it cannot be written.
std::vector<TileWrite> write_register(const Register&, Thread, uint64_t value);

}  // namespace tessera::inspect::gdb
