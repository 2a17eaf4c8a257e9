// What the verilated tile holds, by the names that Verilator gives to rtl/tile's registers: for memory and
// for faults. Everything else goes through the ports. Mirrors systemc/model/flip.cpp.
//
// Between two steps. A memory word is read in clocked processes alone, so the next step sees the flip; registers and
// CSRs are read through logic that the last step has evaluated already, so a flip shows one cycle later: it is made
// when the context reads none (docs/reference/faults.md).
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>

#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"
#include "sim/port/flip.h"

namespace tessera::chip {

template <class Root>
uint64_t& rtl_memory_word(Root& root, const spec::Machine& machine, uint32_t address) {
#define ELEMENT(group, n)                                                                                                                            \
  &root.tile__DOT__u_memory_ports__DOT__u_memory__DOT__g_group__BRA__##group##__KET____DOT__g_element__BRA__##n##__KET____DOT__u_element__DOT__words \
       [0]
  const std::array<uint64_t*, 39> elements{
      ELEMENT(0, 0),   ELEMENT(0, 1),   ELEMENT(0, 2),   ELEMENT(0, 3),   ELEMENT(0, 4),   ELEMENT(0, 5),
      ELEMENT(0, 6),   ELEMENT(0, 7),   ELEMENT(8, 8),   ELEMENT(8, 9),   ELEMENT(8, 10),  ELEMENT(8, 11),
      ELEMENT(8, 12),  ELEMENT(8, 13),  ELEMENT(8, 14),  ELEMENT(8, 15),  ELEMENT(16, 16), ELEMENT(16, 17),
      ELEMENT(16, 18), ELEMENT(16, 19), ELEMENT(16, 20), ELEMENT(16, 21), ELEMENT(16, 22), ELEMENT(16, 23),
      ELEMENT(24, 24), ELEMENT(24, 25), ELEMENT(24, 26), ELEMENT(24, 27), ELEMENT(24, 28), ELEMENT(24, 29),
      ELEMENT(24, 30), ELEMENT(24, 31), ELEMENT(32, 32), ELEMENT(32, 33), ELEMENT(32, 34), ELEMENT(32, 35),
      ELEMENT(32, 36), ELEMENT(32, 37), ELEMENT(32, 38)};
#undef ELEMENT
  // tile.md, Memory: region 1 is interleaved by two.
  const bool interleaved = address >= machine.region1_base;
  const uint32_t row = interleaved ? (address - machine.region1_base) % (2 * machine.element_bytes) / 16
                                   : (address - machine.memory_base) % machine.element_bytes / 8;
  return elements[machine.element_of(address)][row];
}

template <class Root>
void flip_rtl_csr(Root& root, unsigned context, uint16_t number, uint32_t mask) {
#define CSR(name) root.tile__DOT__u_commit__DOT__u_csr__DOT__##name##_q
#define ARITHMETIC(name) root.tile__DOT__u_arithmetic__DOT__u_csr__DOT__##name##_q
#define RANDOM(name) root.tile__DOT__u_arithmetic__DOT__u_prng__DOT__##name##_q
  const auto packed_f8 = (mask >> 6 & 0xfc) | (mask & 3);  // {scale, formats}
  switch (static_cast<spec::Csr>(number)) {
    case spec::Csr::Fflags:
      CSR(fflags) ^= uint64_t{mask} << (5 * context);
      break;
    case spec::Csr::Frm:
      CSR(frm) ^= mask << (3 * context);
      break;
    case spec::Csr::Xfpctl:
      CSR(control) ^= uint64_t{mask} << (6 * context);
      break;
    case spec::Csr::Xstacklimit:
      if (!(CSR(limited) >> context & 1)) CSR(stack_limit)[context] = 0;
      CSR(limited) |= 1u << context;
      CSR(stack_limit)[context] ^= mask;
      break;
    case spec::Csr::Xfpictl:
      CSR(initial_control) ^= mask & 0x3f;
      CSR(initial_frm) ^= mask >> 16;
      break;
    case spec::Csr::Xvbase:
      CSR(vertex_base)[context] ^= mask;
      break;
    case spec::Csr::Xlc:
      CSR(consensus) ^= mask;
      break;
    case spec::Csr::Xgc:
      CSR(global_consensus) ^= mask;
      break;
    case spec::Csr::Xmark:
      CSR(mark) ^= mask;
      break;
    case spec::Csr::Xtas:
      ARITHMETIC(tas)[context] ^= mask;
      break;
    case spec::Csr::Xstride1:
      ARITHMETIC(stride1)[context] ^= mask;
      break;
    case spec::Csr::Xstride2:
      ARITHMETIC(stride2)[context] ^= mask;
      break;
    case spec::Csr::Xstride3:
      ARITHMETIC(stride3)[context] ^= mask;
      break;
    case spec::Csr::Xf8:
      ARITHMETIC(f8) ^= uint64_t{packed_f8} << (8 * context);
      break;
    case spec::Csr::Xf8i:
      ARITHMETIC(initial_f8) ^= packed_f8;
      break;
    case spec::Csr::Xprng0:
    case spec::Csr::Xprng1:
      RANDOM(s0)[context] ^= uint64_t{mask} << (number == static_cast<uint16_t>(spec::Csr::Xprng1) ? 32 : 0);
      break;
    case spec::Csr::Xprng2:
    case spec::Csr::Xprng3:
      RANDOM(s1)[context] ^= uint64_t{mask} << (number == static_cast<uint16_t>(spec::Csr::Xprng3) ? 32 : 0);
      break;
    default:
      break;
  }
#undef CSR
#undef ARITHMETIC
#undef RANDOM
}

template <class Root>
void flip_named_state(Root& root, const spec::Machine& machine, const Flip& flip) {
  const unsigned index = flip.context << 5 | flip.address;  // of a register
  switch (flip.site) {
    case FlipSite::kMemory:
      rtl_memory_word(root, machine, flip.address) ^= (flip.mask & 0xffffffff) << (8 * (flip.address & 4));
      break;
    case FlipSite::kInteger:
      root.tile__DOT__u_front__DOT__u_integers__DOT__registers[index] ^= static_cast<uint32_t>(flip.mask);
      break;
    case FlipSite::kFloat:
      root.tile__DOT__u_front__DOT__u_floats__DOT__registers[index] ^= flip.mask;
      break;
    case FlipSite::kCsr:
      flip_rtl_csr(root, flip.context, static_cast<uint16_t>(flip.address), static_cast<uint32_t>(flip.mask));
      break;
    default:
      break;
  }
}

// The names hold while Verilator puts the tile's modules into one class, all but the matrix unit.
template <class Root>
concept NamedState = requires(Root& root) {
  root.tile__DOT__u_front__DOT__u_integers__DOT__registers[0];
  root.tile__DOT__u_front__DOT__u_floats__DOT__registers[0];
  root.tile__DOT__u_memory_ports__DOT__u_memory__DOT__g_group__BRA__0__KET____DOT__g_element__BRA__0__KET____DOT__u_element__DOT__words
      [0];
  root.tile__DOT__u_memory_ports__DOT__u_memory__DOT__g_group__BRA__32__KET____DOT__g_element__BRA__38__KET____DOT__u_element__DOT__words
      [0];
  root.tile__DOT__u_commit__DOT__u_csr__DOT__fflags_q;
  root.tile__DOT__u_arithmetic__DOT__u_csr__DOT__tas_q[0];
  root.tile__DOT__u_arithmetic__DOT__u_prng__DOT__s0_q[0];
};

// std::logic_error where another Verilator names them otherwise.
template <class Root>
void flip_rtl_state(Root& root, const spec::Machine& machine, const Flip& flip) {
  if constexpr (NamedState<Root>)
    flip_named_state(root, machine, flip);
  else
    throw std::logic_error("faults: this Verilator's tile has no registers by the names of systemc/chip/rtl_state.h");
}

}  // namespace tessera::chip
