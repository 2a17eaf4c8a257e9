// A function in the words of its source: "Row::compute()", where linkers say "_ZN3Row7computeEv".
#pragma once

#include <string>

#include "formats/symbol_name.h"
#include "program/program_info.h"

namespace tessera::inspect {

inline std::string function_name(const names::ProgramInfo& program, const names::Symbol& symbol) {
  return formats::readable_symbol(program.name(symbol.name));
}

}  // namespace tessera::inspect
