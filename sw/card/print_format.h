// The host's half of a tile's printf: turns a format and the words of its arguments into text.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace tessera::card {

// `text_at` reads the text of %s. Conversions as in C, but for lengths: an integer with ll takes two words, everything
// else one; floating point is f32, or f64 in two words where `doubles` has the bit of the first. Never throws: what
// cannot be formatted is told in place, in angle brackets.
std::string format_print(const std::string& format, std::span<const uint32_t> words,
                         const std::function<std::string(uint32_t address)>& text_at, uint32_t doubles = 0);

}  // namespace tessera::card
