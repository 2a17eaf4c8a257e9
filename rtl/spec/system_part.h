// Parts of systems: chips that follow each other, as a system of their own (docs/reference/systems.md, Parts).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "rtl/spec/system.h"

namespace tessera::spec {

// The chips first to last, numbered from 0, with the links, groups of two or more, gateways and hosts among them. A
// grid stays where the part is one of whole rows. Throws SystemError for chips that there are not, or that no links
// join.
System system_part(const System& whole, uint32_t first, uint32_t last);

// What `NAME:first-last` or `NAME:chip` says; none for a text of another form.
struct PartName {
  std::string whole;
  uint32_t first = 0, last = 0;
};
std::optional<PartName> part_name(const std::string& text);
// The name of a part: "mk2-16x4:0-1", "mk2-16x4:2".
std::string part_text(const std::string& whole, uint32_t first, uint32_t last);

}  // namespace tessera::spec
