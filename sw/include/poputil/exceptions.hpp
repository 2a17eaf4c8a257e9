// What poputil and the libraries above it throw.
#pragma once

#include <stdexcept>
#include <string>

namespace poputil {

struct poplibs_error : std::runtime_error {
  std::string type;  // the name of the class
  explicit poplibs_error(const std::string& message);
  explicit poplibs_error(const char* message);
};

}  // namespace poputil
