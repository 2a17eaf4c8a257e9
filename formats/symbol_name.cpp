#include "formats/symbol_name.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace tessera::formats {

std::string readable_symbol(std::string_view symbol) {
  std::string name(symbol);
  if (!name.starts_with("_Z")) return name;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 ? text.get() : name;
}

}  // namespace tessera::formats
