// What a file is, in words, for who was given it in place of something else.
#pragma once

#include <string>

namespace tessera::firmware {

// "a directory", "an empty file", "a shared library for x86-64", "a program for 64-bit RISC-V"
std::string file_text(const std::string& path);
// A library of this host: it is no program, though it may be marked as one and the kernel would start it.
bool is_shared_library(const std::string& path);

}  // namespace tessera::firmware
