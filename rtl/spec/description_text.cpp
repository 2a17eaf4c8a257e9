#include "rtl/spec/description_text.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>
#include <string_view>

namespace tessera::spec {
namespace {

// The library quotes what it has read, line ends and all.
std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) line += std::iscntrl(static_cast<unsigned char>(c)) != 0 ? ' ' : c;
  return line;
}

}  // namespace

std::string read_description(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw BadDescriptionText(path + " cannot be read");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

toml::table parse_description(const std::string& text) {
  const auto beyond =
      std::find_if(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) > 127; });
  if (beyond != text.end())
    throw BadDescriptionText("a character beyond ASCII in line " +
                             std::to_string(1 + std::count(text.begin(), beyond, '\n')));
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw BadDescriptionText(one_line(error.description()) + " in line " + std::to_string(error.source().begin.line));
  }
}

}  // namespace tessera::spec
