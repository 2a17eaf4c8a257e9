// Exception causes of a tile (docs/reference/tile.md), from causes.def.
#pragma once

#include <cstdint>
#include <string_view>

namespace tessera::spec {

enum class Cause : uint8_t {
#define CAUSE(id, number, name, why) id = number,
#include "rtl/spec/causes.def"
#undef CAUSE
};

constexpr std::string_view cause_name(uint8_t cause) {
  switch (cause) {
#define CAUSE(id, number, name, why) \
  case number:                       \
    return name;
#include "rtl/spec/causes.def"
#undef CAUSE
  }
  return "unknown";
}

constexpr std::string_view cause_reason(uint8_t cause) {
  switch (cause) {
#define CAUSE(id, number, name, why) \
  case number:                       \
    return why;
#include "rtl/spec/causes.def"
#undef CAUSE
  }
  return "unknown";
}

}  // namespace tessera::spec
