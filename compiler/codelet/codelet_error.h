// What goes wrong between codelet source text and linked tile code. The API turns each kind into Poplar's exception.
#pragma once

#include <stdexcept>
#include <string>

namespace tessera::compiler {

class CodeletError : public std::runtime_error {
 public:
  enum class Kind {
    kCompilation,  // the source does not compile or is no legal codelet; what() holds clang's own text
    kNoTool,       // clang, lld or libclang is not installed: one line that says what to install
    kFile,         // a file is missing, damaged or made by another version
    kLink,         // undefined or doubled symbols, no bound on a stack, arithmetic that the tile lacks
  };

  CodeletError(Kind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

}  // namespace tessera::compiler
