// Libraries of a checked build (docs/user/checking.md), and what the checks cost.
#pragma once

#include <string>

#include "compiler/codelet/codelet_library.h"

namespace tessera::compiler {

constexpr const char* kChecked = " --check";  // in the provenance of a source that was compiled so

// Whether every source of the library was.
bool is_checked(const CodeletLibrary& library);

// "1085 bytes of code and constants, 196 without checks", of two builds of the same sources.
std::string cost_of_checks(const CodeletLibrary& checked, const CodeletLibrary& plain);

}  // namespace tessera::compiler
