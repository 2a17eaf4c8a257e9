// The tools and directories that codelets are built with: clang, lld, C++ headers, our device headers and library.
//
// Nothing is typed in: tools are found in PATH, header directories are asked of clang, our own files are found from
// TESSERA_ROOT, else relative to the library that holds this code, else at the place the build tree gives.
#pragma once

#include <string>
#include <vector>

namespace tessera::compiler {

// Directory with include/, libc/ and runtime/ of sw/device, or its installed form. Throws CodeletError (kFile).
std::string device_root();

// Absolute path of a program in PATH. Throws CodeletError (kNoTool) with one line that names the Debian package.
std::string find_tool(const std::string& program, const std::string& package);

// What distinguishes one installed file from the next version of it: path, size and time of change.
std::string file_identity(const std::string& path);

struct Clang {
  std::string path;                       // of clang++-19
  std::vector<std::string> cxx_includes;  // C++ standard library headers
  std::string builtin_include;            // clang's own headers
  std::string version;                    // "Debian clang version 19.1.7 (...)"
};

// Throws CodeletError (kNoTool).
Clang find_clang();

// Flags for target, ABI and code generation, without the C++ ones; also right for C and assembly sources.
std::vector<std::string> target_flags();

// The language and diagnostic flags of C++ codelets.
std::vector<std::string> language_flags();

// What a checked build adds for C and C++ sources (docs/user/checking.md).
std::vector<std::string> check_flags();

// All flags to compile C++ codelets: target, language, header directories included.
std::vector<std::string> codelet_flags(const Clang& clang);

}  // namespace tessera::compiler
