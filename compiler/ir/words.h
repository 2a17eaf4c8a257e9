// The words that the text form has for enumerators; those who print and those who read share them.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "compiler/ir/program.h"

namespace tessera::ir {

// In the order of the enumerators.
inline constexpr std::array<std::string_view, 8> kUseWords = {"variable", "vertex",       "buffer",  "packet",
                                                              "stack",    "control-data", "control", "events"};
inline constexpr std::array<std::string_view, 4> kAccessWords = {"input", "output", "inout", "state"};
inline constexpr std::array<std::string_view, 3> kKindWords = {"worker", "all", "supervisor"};
inline constexpr std::array<std::string_view, 13> kStreamWords = {
    "to-device",   "from-device",  "host-write", "host-read", "print",       "abort", "remote-rows",
    "remote-read", "remote-write", "call-input", "call",      "call-output", "printf"};
inline constexpr std::array<std::string_view, 12> kStepWords = {
    "execute", "phase", "transfer", "repeat", "while", "if", "switch", "call", "sync", "undef", "packets", "remote"};
inline constexpr std::array<std::string_view, 4> kFloatWords = {"auto", "fixed", "scientific", "none"};

template <class Words, class Enumerator>
std::string_view word_of(const Words& words, Enumerator e) {
  return words.at(static_cast<std::size_t>(e));
}

}  // namespace tessera::ir
