#include "compiler/codelet/link_map.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace tessera::compiler {
namespace {

constexpr std::size_t kIndent = 8;  // of a section of an object below one of the image

// The next number of a line, which has lost it then; `line` stands behind it.
bool take_number(std::string_view& line, int base, std::uint32_t& number) {
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const auto [end, error] = std::from_chars(line.data() + begin, line.data() + line.size(), number, base);
  if (error != std::errc()) return false;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  return true;
}

bool is_in_memory(std::string_view section) {
  constexpr std::array<std::string_view, 4> kSections = {".text", ".rodata", ".data", ".bss"};
  return std::find(kSections.begin(), kSections.end(), section) != kSections.end();
}

// "12.o:(.text.f)"
bool take_place(std::string_view text, PlacedSection& placed) {
  const std::size_t end = text.find(".o:(");
  if (end == std::string_view::npos || !text.ends_with(')')) return false;
  const std::size_t slash = text.rfind('/', end), begin = slash == std::string_view::npos ? 0 : slash + 1;
  const auto [stop, error] = std::from_chars(text.data() + begin, text.data() + end, placed.object);
  placed.name = text.substr(end + 4, text.size() - end - 5);
  return error == std::errc() && stop == text.data() + end;
}

}  // namespace

std::vector<PlacedSection> read_link_map(std::string_view map) {
  std::vector<PlacedSection> sections;
  bool in_memory = false;
  while (!map.empty()) {
    std::string_view line = map.substr(0, map.find('\n'));
    map.remove_prefix(std::min(line.size() + 1, map.size()));
    PlacedSection placed;
    std::uint32_t load_address = 0, align = 0;
    if (!take_number(line, 16, placed.address) || !take_number(line, 16, load_address) ||
        !take_number(line, 16, placed.bytes) || !take_number(line, 10, align) || line.empty())
      continue;
    line.remove_prefix(1);
    const std::size_t indent = line.find_first_not_of(' ');
    if (indent == 0) in_memory = is_in_memory(line);
    if (indent == kIndent && in_memory && placed.bytes > 0 && take_place(line.substr(kIndent), placed))
      sections.push_back(placed);
  }
  std::stable_sort(sections.begin(), sections.end(),
                   [](const PlacedSection& a, const PlacedSection& b) { return a.address < b.address; });
  return sections;
}

}  // namespace tessera::compiler
