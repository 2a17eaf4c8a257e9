// Names and classes that the points of coverage share.
#pragma once

#include <string>

#include "rtl/spec/instructions.h"

namespace tessera::test {

inline std::string slots_name(unsigned set, bool supervisor) {
  std::string name = "slots: workers";
  if (set == 0) name.append(" none");
  for (unsigned worker = 0; worker < 6; ++worker)
    if (set >> worker & 1) name.append({' ', static_cast<char>('0' + worker)});
  return name.append(supervisor ? ", the supervisor issues" : ", the supervisor does not");
}

// The class of an operation that rounds by a mode; empty: it does not.
inline std::string rounding_class(spec::Opcode opcode) {
  using spec::Unit;
  const auto& info = spec::info(opcode);
  if (spec::rounding_of(info.format) == spec::Rounding::None) return "";
  const auto ends_in = [&info](const char* text) { return info.mnemonic.ends_with(text); };
  switch (info.unit) {
    case Unit::FpFma:
      return ends_in(".h") ? "scalar f16 arithmetic" : "scalar f32 arithmetic";
    case Unit::FpDivide:
      return ends_in(".h") ? "f16 division and root" : "f32 division and root";
    case Unit::FpConvert:
      return "scalar conversion";
    case Unit::Packed:
      if (spec::rounding_of(info.format) == spec::Rounding::HighField) return "packed conversion";
      return std::string(info.mnemonic.substr(0, 5)) + " arithmetic";
    default:
      return "";
  }
}

// Rounds to f16 by a random number when xfpctl[3] is set (arithmetic.md, Random numbers).
inline bool may_round_by_chance(spec::Opcode opcode) {
  using spec::Unit;
  const auto& info = spec::info(opcode);
  const auto has = [&info](const char* text) { return info.mnemonic.find(text) != std::string_view::npos; };
  if (info.unit == Unit::Packed) return has("f32v") && has("tof16");
  if (info.unit != Unit::Amp) return false;
  return has("hihov4") || has("sihoamp") || (has("gina") && has("f16"));
}

// Its f16 results overflow by xfpctl[5:4].
inline bool makes_halves(spec::Opcode opcode) {
  const auto& info = spec::info(opcode);
  if (info.unit == spec::Unit::Packed)
    return (info.mnemonic.starts_with("f16v") && info.mnemonic.find("to") == std::string_view::npos) ||
           info.mnemonic.find("tof16") != std::string_view::npos;
  return info.unit == spec::Unit::Amp && may_round_by_chance(opcode);
}

inline bool has_f8(spec::Opcode opcode) {
  return spec::info(opcode).mnemonic.find("f8v") != std::string_view::npos ||
         spec::info(opcode).mnemonic.find("tof8") != std::string_view::npos;
}

}  // namespace tessera::test
