// words.def and numbers.def as data, for whoever writes them down in another form: RTL package, firmware headers,
// pages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::spec {

struct FieldRow {
  std::string_view name;
  unsigned high, low;
  std::string_view meaning;
};
struct WordTable {
  std::string_view identifier, prefix;
  unsigned bits;
  std::string_view text;
  std::vector<FieldRow> fields;  // from the low bits up, which is checked: std::logic_error
};

struct NumberRow {
  std::string_view identifier;
  uint32_t number;
  std::string_view name, meaning;
};
struct NumberTable {
  std::string_view identifier, prefix;
  unsigned bits;
  std::string_view text;
  std::vector<NumberRow> rows;
};

struct ConstantRow {
  std::string_view identifier;
  unsigned bits;
  uint32_t value;
  std::string_view meaning;
};

std::vector<WordTable> word_tables();
std::vector<NumberTable> number_tables();
std::vector<ConstantRow> constants();

std::string snake_case(std::string_view identifier);  // DebugSelect: debug_select
std::string upper_case(std::string_view);

}  // namespace tessera::spec
