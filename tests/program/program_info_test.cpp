// The names of a program: what is at an address, and the byte form.
#include "program/program_info.h"

#include <catch2/catch.hpp>
#include <random>

#include "compiler/codelet/entry_source.h"
#include "program/followed_steps.h"
#include "program/place_names.h"

using namespace tessera::names;

namespace {

ProgramInfo sample() {
  ProgramInfo p;
  p.title = "sample";
  p.elf = {0x7f, 'E', 'L', 'F', 0};
  p.names = {"", "main", "inner", "label", "Sum", "cs", "in", "x", "Execute(cs)"};
  p.symbols = {{0x100, 0x40, 1}, {0x110, 8, 2}, {0x180, 0, 3}};
  p.vertices = {{.tile = 1, .address = 0x8000, .bytes = 8, .id = 0, .worker = 2, .codelet = 4, .compute_set = 5},
                {.tile = 3, .address = 0x4000, .bytes = 16, .id = 9, .codelet = 4, .compute_set = 5, .fields = 1}};
  p.fields = {{.name = 6,
               .kind = FieldKind::kInOut,
               .address = 0x9000,
               .bytes = 400,
               .tensor = 7,
               .first_element = 100,
               .element_bytes = 4}};
  p.variables = {{1, 0x9000, 400, 7, 4}, {3, 0x9000, 12, 7, 4}};
  p.initial = {{1, 0x9000, 40}, {3, 0x9004, 8}};
  p.steps = {{1, 0x500, 8}, {1, 0x600, 0}, {3, 0x500, 8}};
  p.stacks = {{Stack::kEveryTile, 0xa000, 64, 0}, {3, 0xb000, 32, 1}};
  return p;
}

ProgramInfo random_program(unsigned seed) {
  std::mt19937_64 random(seed);
  const auto any = [&](uint64_t below) { return static_cast<uint32_t>(random() % below); };
  ProgramInfo p;
  for (int i = 0; i < 50; ++i) p.names.push_back("name" + std::to_string(random()));
  for (int i = 0; i < 500; ++i) {
    const uint32_t fields = any(4);
    p.vertices.push_back({any(1472), static_cast<uint32_t>(random()), any(1u << 31), static_cast<uint32_t>(random()),
                          static_cast<uint8_t>(any(8)), any(51), any(51), static_cast<uint32_t>(p.fields.size()),
                          fields});
    for (uint32_t f = 0; f < fields; ++f)
      p.fields.push_back({any(51), static_cast<FieldKind>(any(4)), static_cast<uint32_t>(random()),
                          static_cast<uint32_t>(random()), any(51), any(2) ? random() : Field::kGathered,
                          static_cast<uint8_t>(any(256)), any(1u << 20)});
    p.initial.push_back({any(1472), static_cast<uint32_t>(random()), any(1u << 20)});
    p.steps.push_back(
        {any(1472), static_cast<uint32_t>(random()), any(51), any(1000), static_cast<uint32_t>(p.calls.size()), 1});
    p.calls.push_back({static_cast<uint32_t>(random()), any(51), any(1000)});
    p.variables.push_back({.tile = any(1472), .address = static_cast<uint32_t>(random()), .type = any(51)});
  }
  return p;
}

}  // namespace

TEST_CASE("text that a tile does not have names nothing there") {
  ProgramInfo p = sample();
  p.no_text = {{.tile = 3, .address = 0x100, .bytes = 0x18}};
  p = deserialize(serialize(p));
  CHECK(p.symbol_at(3, 0x117) == nullptr);
  CHECK_FALSE(p.has_text(3, 0x100));
  CHECK(p.name(p.symbol_at(3, 0x118)->name) == "main");
  CHECK(p.name(p.symbol_at(2, 0x117)->name) == "inner");
}

TEST_CASE("an address belongs to what covers it") {
  const ProgramInfo p = sample();
  CHECK(p.symbol_at(0xff) == nullptr);
  CHECK(p.name(p.symbol_at(0x100)->name) == "main");
  CHECK(p.name(p.symbol_at(0x117)->name) == "inner");
  CHECK(p.name(p.symbol_at(0x118)->name) == "main");
  CHECK(p.symbol_at(0x140) == nullptr);
  CHECK(p.name(p.symbol_at(0x18000)->name) == "label");
  CHECK(p.symbol_named("inner")->address == 0x110);
  CHECK(p.symbol_named("outer") == nullptr);

  CHECK(p.vertex_at(1, 0x8007)->id == 0);
  CHECK(p.vertex_at(1, 0x8008) == nullptr);
  CHECK(p.vertex_at(2, 0x8000) == nullptr);
  CHECK(p.vertex_at(3, 0x4000)->id == 9);
  CHECK(p.variable_at(1, 0x918f)->bytes == 400);
  CHECK(p.variable_at(3, 0x900c) == nullptr);
  CHECK(p.step_at(1, 0x4ff) == nullptr);
  CHECK(p.name(p.step_at(1, 0x5fc)->what) == "Execute(cs)");
  CHECK(p.name(p.step_at(1, 0x10000)->what).empty());
  CHECK(p.step_at(2, 0x500) == nullptr);
  CHECK(p.stack_of(7, 0)->address == 0xa000);
  CHECK(p.stack_of(3, 1)->address == 0xb000);
  CHECK(p.stack_of(4, 1) == nullptr);
}

TEST_CASE("code that is held once is the step that its table says, or one of several") {
  ProgramInfo p = sample();
  p.calls = {{0x9000, 8, 4}, {0x9010, 5, 5}, {0x9020, 6, 6}};
  p.steps = {{1, 0x500, 1, 3}, {.tile = 1, .pc = 0x600, .what = 8, .id = 4, .first_call = 0, .calls = 3}};
  const auto text = [&](uint32_t pc, std::optional<uint32_t> table) { return p.step_text(p.step_at(1, pc), table); };
  CHECK(text(0x400, 0x9000).empty());
  CHECK(text(0x500, 0x9000) == "main");
  CHECK(text(0x500, std::nullopt) == "main");
  CHECK(text(0x600, 0x9010) == "cs");
  CHECK(text(0x600, 0x9020) == "in");
  CHECK(text(0x600, 0x9008) == "one of 3 like 'Execute(cs)'");
  CHECK(text(0x600, std::nullopt) == "one of 3 like 'Execute(cs)'");

  FollowedSteps steps(p);
  CHECK(steps.retire(1, 0x600, 0, 0) == "one of 3 like 'Execute(cs)'");  // nobody has seen its table
  CHECK(steps.retire(1, 0x500, kTableRegister, 0x9000) == "main");
  CHECK(steps.retire(1, 0x600, 5, 0x9010) == "Execute(cs)");
  CHECK(steps.retire(1, 0x604, kTableRegister, 0x9010) == "Execute(cs)");
  CHECK(steps.retire(1, 0x608, 0, 0) == "cs");
  CHECK(steps.retire(2, 0x600, 0, 0).empty());
}

TEST_CASE("an address is called by the element that it belongs to") {
  ProgramInfo p = sample();
  p.variables[0].first_element = 100;
  p.variables[1].first_run = 0, p.variables[1].runs = 2;  // elements 7 and 20, 21
  p.runs = {{7, 1}, {20, 2}};
  const PlaceNames names(p);
  CHECK(names.at(1, 0x9000) == "x[100]");
  CHECK(names.at(1, 0x9007) == "x[101]");
  CHECK(names.at(3, 0x9000) == "x[7]");
  CHECK(names.at(3, 0x9004) == "x[20]");
  CHECK(names.at(3, 0x900b) == "x[21]");
  CHECK(names.at(3, 0x900c) == "x[103] of Sum.in[3] #9");
  CHECK(names.at(4, 0x9000) == "");
  CHECK(names.at(5, 0xa000) == "stack of sup");
  CHECK(names.at(3, 0xb000) == "stack of w0");
  CHECK(names.at(1, 0x8004) == "state of Sum #0");
  const auto spans = spans_of(p, p.variables[1], 7, 20);
  REQUIRE(spans.size() == 2);
  CHECK(spans[1].address == 0x9004);
  CHECK(spans[1].bytes == 4);
  CHECK(spans_of(p, p.variables[1], 8, 19).empty());
  p.variables[0].element_bytes = 0;
  CHECK(names.at(1, 0x9000) == "x");
  CHECK(names.at(1, 0x9007) == "x byte 7");
  p.variables[1].runs = 0;  // nobody says which elements
  CHECK(names.at(3, 0x9004) == "x[? 1]");
}

TEST_CASE("of what shares memory the one is named that lives in the step, or else all") {
  ProgramInfo p = sample();
  const Name a = static_cast<Name>(p.names.size()), b = a + 1, c = a + 2;
  for (const char* name : {"a", "b", "c"}) p.names.push_back(name);
  p.lives = {{}, {0, 2}, {2, 1}};
  p.intervals = {{1, 2}, {8, 9}, {4, 6}};
  p.variables = {
      {.tile = 2, .address = 0x9000, .bytes = 400, .name = a, .element_bytes = 4, .first_element = 0, .life = 1},
      {.tile = 2, .address = 0x9010, .bytes = 8, .name = b, .element_bytes = 4, .first_element = 0, .life = 2},
      {.tile = 2, .address = 0x9100, .bytes = 8, .name = b, .element_bytes = 4, .first_element = 2, .life = 2},
      {.tile = 2, .address = 0x9200, .bytes = 8, .name = c, .element_bytes = 4, .first_element = 0}};
  overlay(p);
  CHECK(p.variables[2].before == 2);
  CHECK(p.variables[3].before == 0);
  // Vertices of tile 2: one with b in its place, one with an input in a buffer there.
  p.vertices = {{.tile = 2, .address = 0x4000, .bytes = 8, .id = 1, .codelet = 4, .first_field = 0, .fields = 1},
                {.tile = 2, .address = 0x4010, .bytes = 8, .id = 2, .codelet = 4, .first_field = 1, .fields = 1}};
  p.fields = {{.name = 6, .kind = FieldKind::kInput, .address = 0x9100, .bytes = 8, .tensor = b, .first_element = 2},
              {.name = 6,
               .kind = FieldKind::kInput,
               .address = 0x9104,
               .bytes = 4,
               .tensor = c,
               .first_element = 1,
               .life = 1}};
  for (Field& f : p.fields) f.element_bytes = 4;
  const PlaceNames names(p);
  const Step early{.point = 2, .points = 1}, late{.point = 5, .points = 3}, between{.point = 3, .points = 1}, unknown{};
  CHECK(p.variables_at(2, 0x9014).size() == 2);
  CHECK(names.at(2, 0x9014, nullptr, &early) == "a[5]");
  CHECK(names.at(2, 0x9014, nullptr, &late) == "b[1]");
  CHECK(names.at(2, 0x9014, nullptr, &between) == "");
  CHECK(names.at(2, 0x9014) == "a[5] or b[1]");
  CHECK(names.at(2, 0x9014, nullptr, &unknown) == "a[5] or b[1]");
  CHECK(names.at(2, 0x9020, nullptr, &early) == "a[8]");
  CHECK(names.at(2, 0x9104, nullptr, &late) == "b[3]");
  CHECK(names.at(2, 0x9104, nullptr, &early) == "a[65] or c[1] of Sum.in #2");
  CHECK(names.at(2, 0x9104, &p.vertices[0]) == "b[3]");
  CHECK(names.at(2, 0x9104, &p.vertices[1]) == "c[1] of Sum.in #2");
  CHECK(names.at(2, 0x9014, &p.vertices[1]) == "a[5] or b[1]");
  CHECK(names.at(2, 0x9204, nullptr, &between) == "c[1]");
  CHECK(names.element(2, 0x9014, nullptr, &late).number == 1);
  CHECK(names.element(2, 0x9014).tensor == 0);
  const ProgramInfo again = deserialize(serialize(p));
  CHECK(PlaceNames(again).at(2, 0x9014, nullptr, &late) == "b[1]");
  ProgramInfo damaged = p;
  damaged.lives[1].intervals = 9;
  CHECK_THROWS_AS(deserialize(serialize(damaged)), BadProgramInfo);
}

TEST_CASE("entries of a codelet have the symbols that the codelet compiler gives") {
  ProgramInfo p;
  for (const std::string codelet : {"Sum", "poplin::Conv<float,true,3>", "a_b"}) {
    p.names.push_back(tessera::compiler::entry_symbol(codelet));
    p.symbols.push_back({static_cast<uint32_t>(0x100 * p.names.size()), 8, static_cast<Name>(p.names.size() - 1)});
  }
  CHECK(p.entries_of("Sum") == std::vector<uint32_t>{0x200});
  CHECK(p.entries_of("poplin::Conv<float,true,3>") == std::vector<uint32_t>{0x300});
  CHECK(p.entries_of("a_b") == std::vector<uint32_t>{0x400});
  CHECK(p.entries_of("Conv").empty());
}

TEST_CASE("bytes keep everything") {
  for (const ProgramInfo& p : {ProgramInfo{}, sample(), random_program(1), random_program(2)}) {
    const auto bytes = serialize(p);
    const ProgramInfo q = deserialize(bytes);
    CHECK(serialize(q) == bytes);
    CHECK(q.title == p.title);
    CHECK(q.elf == p.elf);
    CHECK(q.names == p.names);
    REQUIRE(q.vertices.size() == p.vertices.size());
    for (size_t i = 0; i < p.vertices.size(); ++i) {
      CHECK(q.vertices[i].tile == p.vertices[i].tile);
      CHECK(q.vertices[i].address == p.vertices[i].address);
      CHECK(q.vertices[i].id == p.vertices[i].id);
      CHECK(q.vertices[i].worker == p.vertices[i].worker);
      CHECK(q.vertices[i].first_field == p.vertices[i].first_field);
    }
    REQUIRE(q.fields.size() == p.fields.size());
    for (size_t i = 0; i < p.fields.size(); ++i) {
      CHECK(q.fields[i].kind == p.fields[i].kind);
      CHECK(q.fields[i].address == p.fields[i].address);
      CHECK(q.fields[i].first_element == p.fields[i].first_element);
      CHECK(q.fields[i].element_bytes == p.fields[i].element_bytes);
      CHECK(q.fields[i].pointer == p.fields[i].pointer);
    }
    CHECK(q.stacks.size() == p.stacks.size());
    REQUIRE(q.variables.size() == p.variables.size());
    for (size_t i = 0; i < p.variables.size(); ++i) {
      CHECK(q.variables[i].address == p.variables[i].address);
      CHECK(q.variables[i].type == p.variables[i].type);
    }
    CHECK(q.runs.size() == p.runs.size());
  }
}

TEST_CASE("a large program is small as bytes") {
  ProgramInfo p;
  p.names = {"", "Codelet", "cs", "in", "x"};
  for (uint32_t i = 0; i < 100000; ++i) {
    p.vertices.push_back({.tile = i / 100,
                          .address = 0x60000 + 16 * (i % 100),
                          .bytes = 16,
                          .id = i,
                          .worker = 0,
                          .codelet = 1,
                          .compute_set = 2,
                          .first_field = i,
                          .fields = 1});
    p.fields.push_back({.name = 3,
                        .address = 0x70000 + 400 * (i % 100),
                        .bytes = 400,
                        .tensor = 4,
                        .first_element = 100 * i,
                        .element_bytes = 4});
  }
  CHECK(serialize(p).size() < 22 * p.vertices.size());
}

TEST_CASE("damaged bytes are refused with one line") {
  const auto bytes = serialize(sample());
  for (size_t at = 0; at < bytes.size(); ++at) {
    auto damaged = bytes;
    damaged[at] ^= 0x10;
    CHECK_THROWS_AS(deserialize(damaged), BadProgramInfo);
  }
  for (size_t size = 0; size < bytes.size(); ++size)
    CHECK_THROWS_AS(deserialize({bytes.begin(), bytes.begin() + size}), BadProgramInfo);
  ProgramInfo wrong = sample();
  wrong.vertices[1].fields = 2;
  CHECK_THROWS_AS(deserialize(serialize(wrong)), BadProgramInfo);
}
