#include "rtl/spec/word_tables.h"

#include <cctype>
#include <stdexcept>

namespace tessera::spec {

std::vector<WordTable> word_tables() {
  std::vector<WordTable> tables;
#define WORD(Id, prefix, bits, text) tables.push_back({#Id, #prefix, bits, text, {}});
#define FIELD(name, high, low, meaning) tables.back().fields.push_back({#name, high, low, meaning});
#define END_WORD(Id)
#include "rtl/spec/words.def"
#undef WORD
#undef FIELD
#undef END_WORD
  for (const WordTable& table : tables) {
    unsigned free = 0;
    for (const FieldRow& field : table.fields) {
      if (field.low < free || field.high < field.low || field.high >= table.bits)
        throw std::logic_error("words.def: " + std::string(table.identifier) + "::" + std::string(field.name) +
                               " is not above the field before it or not in its word");
      free = field.high + 1;
    }
  }
  return tables;
}

std::vector<NumberTable> number_tables() {
  std::vector<NumberTable> tables;
#define ENUM(Id, prefix, bits, text) tables.push_back({#Id, #prefix, bits, text, {}});
#define VALUE(id, number, name, meaning) tables.back().rows.push_back({#id, number, name, meaning});
#define END_ENUM(Id)
#define CONSTANT(id, bits, value, meaning)
#include "rtl/spec/numbers.def"
#undef ENUM
#undef VALUE
#undef END_ENUM
#undef CONSTANT
  return tables;
}

std::vector<ConstantRow> constants() {
  return {
#define ENUM(Id, prefix, bits, text)
#define VALUE(id, number, name, meaning)
#define END_ENUM(Id)
#define CONSTANT(id, bits, value, meaning) {#id, bits, value, meaning},
#include "rtl/spec/numbers.def"
#undef ENUM
#undef VALUE
#undef END_ENUM
#undef CONSTANT
  };
}

std::string snake_case(std::string_view identifier) {
  std::string name;
  for (const char c : identifier) {
    const auto letter = static_cast<unsigned char>(c);
    if (!name.empty() && std::isupper(letter)) name += '_';
    name += static_cast<char>(std::tolower(letter));
  }
  return name;
}

std::string upper_case(std::string_view text) {
  std::string name;
  for (const char c : text) name += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

}  // namespace tessera::spec
