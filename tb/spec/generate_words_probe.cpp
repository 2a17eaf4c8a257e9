// Writes words_probe.sv: takes words apart and builds them by the structs of words_pkg, for words_rtl_test.cpp.
// Fields count in the order of words.def, 64 bits of room each; words likewise, as many bits each as the widest has.
// Usage: generate_words_probe FILE
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <fstream>
#include <iostream>

#include "rtl/spec/word_tables.h"

using namespace tessera::spec;

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: generate_words_probe FILE\n";
    return 2;
  }
  const auto words = word_tables();
  size_t fields = 0;
  unsigned room = 0;
  for (const WordTable& word : words) {
    fields += word.fields.size();
    room = std::max(room, word.bits);
  }
  std::ofstream out(argv[1]);
  fmt::print(out,
             "module words_probe (\n  input  logic [{2}:0] word_i,\n  output logic [{0}:0] taken_o,\n"
             "  input  logic [{0}:0] fields_i,\n  output logic [{1}:0] put_o\n);\n",
             64 * fields - 1, room * words.size() - 1, room - 1);
  size_t n = 0;
  for (size_t w = 0; w < words.size(); ++w) {
    const std::string name = snake_case(words[w].identifier);
    fmt::print(out, "  words_pkg::{0}_t {0}_taken, {0}_put;\n  assign {0}_taken = word_i[{1}:0];\n", name,
               words[w].bits - 1);
    fmt::print(out, "  always_comb begin\n    {}_put = '0;\n", name);
    for (size_t f = 0; f < words[w].fields.size(); ++f) {
      const FieldRow& field = words[w].fields[f];
      fmt::print(out, "    {}_put.{} = fields_i[{}+:{}];\n", name, field.name, 64 * (n + f),
                 field.high - field.low + 1);
    }
    fmt::print(out, "  end\n  assign put_o[{0}+:{1}] = {1}'({2}_put);\n", room * w, room, name);
    for (const FieldRow& field : words[w].fields)
      fmt::print(out, "  assign taken_o[{}+:64] = 64'({}_taken.{});\n", 64 * n++, name, field.name);
  }
  out << "endmodule\n";
  out.close();
  if (!out) {
    std::cerr << "generate_words_probe: " << argv[1] << " cannot be written\n";
    return 1;
  }
}
