// How reports name addresses, tiles and operands.
#include "inspect/failure/words.h"

#include <catch2/catch.hpp>

#include "inspect/failure/operands.h"
#include "inspect/failure/program_text.h"
#include "inspect/tile_groups.h"
#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"

using namespace tessera;
using namespace tessera::inspect;
using namespace tessera::inspect::failure;

namespace {

// A vertex on tile 1 with an input of ten floats, an output of four halves gathered from elsewhere, and a number.
names::ProgramInfo sample() {
  names::ProgramInfo p;
  p.names = {"", "Sum", "cs", "in", "out", "n", "net/x", "copy in tile"};
  p.symbols = {{0x4c000, 0x100, 7}};
  p.vertices = {{.tile = 1, .address = 0x60000, .bytes = 16, .id = 7, .codelet = 1, .compute_set = 2, .fields = 3}};
  p.fields = {
      {.name = 3,
       .kind = names::FieldKind::kInput,
       .address = 0x61000,
       .bytes = 40,
       .tensor = 6,
       .first_element = 100,
       .element_bytes = 4,
       .pointer = 0x60000},
      {.name = 4, .kind = names::FieldKind::kOutput, .address = 0x62000, .bytes = 8, .tensor = 6, .element_bytes = 2},
      {.name = 5, .kind = names::FieldKind::kState, .address = 0x60008, .bytes = 4, .element_bytes = 4}};
  p.variables = {{1, 0x61000, 400, 6, 4, 100}, {2, 0x61000, 400, 6, 4}};
  p.stacks = {{1, 0x63000, 64, 0}, {1, 0x63040, 64, 1}};
  return p;
}

}  // namespace

TEST_CASE("an address is told as what it belongs to or lies beside") {
  const spec::Machine machine = spec::load_machine("mk2-4");
  const names::ProgramInfo p = sample();
  const Words words(p, machine);
  const names::Vertex* v = &p.vertices[0];
  CHECK(words.address(1, 0x61008, v) == "element 2 of input 'in' (net/x[102])");
  CHECK(words.address(1, 0x61028, v) ==
        "just beyond the end of input 'in' (net/x[100..109], 0x61000..0x61028); it is net/x[110]");
  CHECK(words.address(1, 0x60ffc, v) == "1 element before the start of input 'in' (net/x[100..109], 0x61000..0x61028)");
  CHECK(words.address(1, 0x62002, v) == "element 1 of output 'out' (net/x, gathered)");
  CHECK(words.address(1, 0x62009, v) == "1 byte beyond the end of output 'out' (net/x, gathered, 0x62000..0x62008)");
  CHECK(words.address(1, 0x68000, v).empty());
  CHECK(words.address(1, 0x60000, v) ==
        "the pointer of input 'in' in the state of vertex 7 of codelet 'Sum' in compute set 'cs'");
  CHECK(words.address(1, 0x60008, v) == "state 'n' (0x60008..0x6000c)");
  CHECK(words.address(1, 0x6000c, nullptr) == "byte 12 of the state of vertex 7 of codelet 'Sum' in compute set 'cs'");
  CHECK(words.address(1, 0x61004, nullptr) == "net/x[101]");
  CHECK(words.address(2, 0x61004, nullptr) == "element 1 of what tile 2 holds of 'net/x'");
  CHECK(words.address(1, 0x63010, nullptr) == "in the stack of the supervisor");
  CHECK(words.address(1, 0x63050, nullptr) == "in the stack of worker 0");
  CHECK(words.address(1, 0x4c010, nullptr) == "text of 'copy in tile'");
  CHECK(words.address(1, 0x10, nullptr) == "near address 0, as of a null pointer");
  CHECK(words.address(1, 0xe8000, nullptr) == "outside tile memory");
  CHECK(words.address(1, 0x70000, nullptr).empty());
}

TEST_CASE("tiles are told as ranges") {
  CHECK(tile_list({4}) == "tile 4");
  CHECK(tile_list({4}, {2, 4}) == "chip 2 tile 4");
  CHECK(tile_list({3, 1, 2, 7}, {1, 2}) == "chip 1 tiles 1-3 and 7");
  CHECK(capital(tile_list({4}, {1, 2})) == "Chip 1 tile 4");
  CHECK(tile_list({3, 1, 2, 7}) == "tiles 1-3 and 7");
  CHECK(tile_list({0, 2, 2, 4}) == "tiles 0, 2 and 4");
  std::vector<unsigned> many;
  for (unsigned i = 0; i < 40; i += 2) many.push_back(i);
  CHECK(tile_list(many) == "20 tiles, the first of them 0");
}

TEST_CASE("operands and accesses of instructions") {
  using spec::Opcode;
  const auto names = [](uint32_t word) {
    std::string text;
    for (const Source& s : sources_of(word)) text += (s.is_float ? "f" : "x") + std::to_string(s.number) + " ";
    return text;
  };
  CHECK(names(spec::encode(Opcode::Lw, {.rd = 5, .rs1 = 6, .imm = -4})) == "x6 ");
  CHECK(names(spec::encode(Opcode::Add, {.rd = 5, .rs1 = 6, .rs2 = 6})) == "x6 ");
  CHECK(names(spec::encode(Opcode::Addi, {.rd = 5, .rs1 = 0, .imm = 1})).empty());
  CHECK(names(spec::encode(Opcode::Fsw, {.rs1 = 6, .rs2 = 0})) == "x6 f0 ");
  CHECK(names(0).empty());
  const Access load = access_of(spec::encode(Opcode::Lhu, {.rd = 5, .rs1 = 6, .imm = -4}));
  CHECK_FALSE(load.store);
  CHECK(load.bytes == 2);
  CHECK(load.base == 6);
  CHECK(load.offset == -4);
  const Access store = access_of(spec::encode(Opcode::Fsd, {.rs1 = 6, .rs2 = 1, .imm = 8}));
  CHECK(store.store);
  CHECK(store.bytes == 8);
  CHECK(access_of(spec::encode(Opcode::Ld128step, {.rd = 2, .rs1 = 6})).bytes == 16);
  CHECK(access_of(spec::encode(Opcode::Sb, {.rs1 = 6, .rs2 = 7})).bytes == 1);
  CHECK(access_of(spec::encode(Opcode::Add, {.rd = 5, .rs1 = 6, .rs2 = 6})).bytes == 0);
}

TEST_CASE("a damaged ELF has no words") {
  const std::vector<uint8_t> bytes(60, 0xff);
  CHECK_FALSE(linked_word(bytes, 0x4c000));
  CHECK_FALSE(linked_word({}, 0x4c000));
  CHECK_FALSE(linked_word({0x7f, 'E', 'L', 'F', 1}, 0x4c000));
  std::vector<uint8_t> cut(52, 0xff);
  cut[0] = 0x7f, cut[1] = 'E', cut[2] = 'L', cut[3] = 'F', cut[4] = 1;
  CHECK_FALSE(linked_word(cut, 0x4c000));
}
