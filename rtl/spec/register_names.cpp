#include "rtl/spec/register_names.h"

#include <charconv>

namespace tessera::spec {

std::optional<RegisterNumber> find_register(std::string_view name) {
  if (name == "fp") name = "s0";
  for (const bool is_float : {false, true})
    for (uint8_t n = 0; n < 32; ++n)
      if (name == register_name({is_float, n})) return RegisterNumber{is_float, n};
  if (name.size() < 2 || (name[0] != 'x' && name[0] != 'f') || (name.size() > 2 && name[1] == '0')) return std::nullopt;
  uint8_t number = 0;
  const char* end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + 1, end, number);
  if (error != std::errc() || rest != end || number > 31) return std::nullopt;
  return RegisterNumber{name[0] == 'f', number};
}

}  // namespace tessera::spec
