// Which codelets may come to printf (tessera/print.h): known from the relocations of their code.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "compiler/codelet/codelet_library.h"

namespace tessera::compiler {

// The function of the device library that each printf calls.
constexpr const char* kPrintSymbol = "tessera_print_begin";

// Entry symbols of the libraries' codelets that do. Empty, and soon known, where no object prints.
std::set<std::string> entries_that_print(const std::vector<const CodeletLibrary*>& libraries);

}  // namespace tessera::compiler
