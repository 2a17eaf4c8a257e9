// Writes words_pkg.sv: a packed struct for each word of words.def, enumerations and constants of numbers.def.
// Usage: generate_words_sv FILE
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <fstream>
#include <iostream>

#include "rtl/spec/word_tables.h"

namespace {

using namespace tessera::spec;

std::string bits_of(unsigned high, unsigned low) {
  return high == low ? fmt::format("{}", low) : fmt::format("{}:{}", high, low);
}

// Fields from the high bits down, with what is reserved between them.
void write_word(std::ostream& out, const WordTable& word) {
  fmt::print(out, "\n  // {}.\n  typedef struct packed {{\n", word.text);
  const auto member = [&](unsigned high, unsigned low, const std::string& name, std::string_view meaning) {
    const std::string range = high == low ? "" : fmt::format(" [{}:0]", high - low);
    fmt::print(out, "    logic{} {};  // {}: {}\n", range, name, bits_of(high, low), meaning);
  };
  unsigned above = word.bits;  // the lowest bit that is written
  const auto reserved = [&](unsigned down_to) {
    if (above > down_to) member(above - 1, down_to, fmt::format("reserved{}", down_to), "0");
  };
  for (auto field = word.fields.rbegin(); field != word.fields.rend(); ++field) {
    reserved(field->high + 1);
    member(field->high, field->low, std::string(field->name), field->meaning);
    above = field->low;
  }
  reserved(0);
  fmt::print(out, "  }} {}_t;\n", snake_case(word.identifier));
}

// Constants are enumerations, of which a reader may leave some unused.
void write_numbers(std::ostream& out, const NumberTable& table) {
  fmt::print(out, "\n  // {}.\n  typedef enum logic [{}:0] {{\n", table.text, table.bits - 1);
  for (const NumberRow& row : table.rows)
    fmt::print(out, "    {}_{} = {}'d{}{}  // {}\n", table.prefix, upper_case(snake_case(row.identifier)), table.bits,
               row.number, &row == &table.rows.back() ? "" : ",", row.meaning);
  fmt::print(out, "  }} {}_e;\n", snake_case(table.identifier));
}

void write_package(std::ostream& out) {
  out << "// Generated from rtl/spec/words.def and numbers.def. Do not edit.\npackage words_pkg;\n";
  for (const ConstantRow& c : constants()) {
    const std::string name = snake_case(c.identifier);
    fmt::print(out, "  typedef enum logic [{}:0] {{ {} = {}'d{} }} {}_e;  // {}\n", c.bits - 1, upper_case(name),
               c.bits, c.value, name, c.meaning);
  }
  for (const NumberTable& table : number_tables()) write_numbers(out, table);
  for (const WordTable& word : word_tables()) write_word(out, word);
  out << "endpackage\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: generate_words_sv FILE\n";
    return 2;
  }
  std::ofstream out(argv[1]);
  write_package(out);
  out.close();
  if (!out) {
    std::cerr << "generate_words_sv: " << argv[1] << " cannot be written\n";
    return 1;
  }
}
