// Machine and system descriptions as text: files, and TOML.
#pragma once

#include <stdexcept>
#include <string>

// Of damaged text ("[=") the library asserts what it refuses a few lines on: it is built without its assertions.
#define TOML_ASSERT(expr) static_assert(true)
#include <toml++/toml.h>

namespace tessera::spec {

// what() says what is wrong, and in which line.
class BadDescriptionText : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::string read_description(const std::string& path);
// Descriptions are ASCII: of other characters toml++ 3.3 takes some (U+00C4 in a key) for ones that it knows.
toml::table parse_description(const std::string& text);

}  // namespace tessera::spec
