// What waves say in words: numbers in registers, host packets, places in memory, and the names of codes.
#include <catch2/catch.hpp>
#include <map>

#include "inspect/waves/instruction_names.h"
#include "inspect/waves/packet_words.h"
#include "inspect/waves/places.h"
#include "inspect/waves/signals.h"
#include "rtl/spec/causes.h"
#include "rtl/spec/instructions.h"
#include "rtl/spec/words.h"

using namespace tessera;
using namespace tessera::inspect;
using namespace tessera::inspect::waves;

namespace {

names::ProgramInfo program() {
  names::ProgramInfo p;
  p.names = {"", "weights", "Sum", "partials", "errors"};
  p.variables = {{.tile = 3, .address = 0x80000, .bytes = 64, .name = 1, .element_bytes = 4, .first_element = 32}};
  p.vertices = {{.tile = 3, .address = 0x90000, .bytes = 8, .id = 7, .codelet = 2, .first_field = 0, .fields = 1}};
  p.fields = {
      {.name = 3, .kind = names::FieldKind::kInput, .address = 0x84000, .bytes = 16, .tensor = 4, .element_bytes = 4}};
  p.stacks = {{names::Stack::kEveryTile, 0xa0000, 0x100, 1}};
  return p;
}

std::string named(Names table, const std::string& code) {
  for (const auto& [value, name] : value_names(table))
    if (value == code) return name;
  return "?";
}

NumberFormat result_of(spec::Opcode opcode) {
  const names::ProgramInfo none;
  Texts texts;
  return InstructionTexts(none, texts).at(0x4c000, spec::encode(opcode, {.rm = 0})).result;
}

}  // namespace

TEST_CASE("registers show as the numbers that they hold") {
  using enum NumberFormat;
  CHECK(number_text(0xffffffff3fc00000, kSingle) == "1.5");
  CHECK(number_text(0xffffffffbf800000, kPackedSingles) == "-1");
  CHECK(number_text(0xffffffffffff3e00, kHalf) == "1.5");
  CHECK(number_text(0x400000003f800000, kPackedSingles) == "[1 2]");
  CHECK(number_text(0xbc00380040003c00, kPackedHalves) == "[1 2 0.5 -1]");
  CHECK(number_text(0xffffffff7c000001, kPackedHalves) == "[5.9604645e-08 inf]");
  CHECK(number_text(0xffffffff7fc00000, kSingle) == "nan");
}

TEST_CASE("what an instruction writes is told from its mnemonic") {
  CHECK(result_of(spec::Opcode::FaddS) == NumberFormat::kNone);
  CHECK(result_of(spec::Opcode::FaddH) == NumberFormat::kHalf);
  CHECK(result_of(spec::Opcode::F16v4add) == NumberFormat::kPackedHalves);
  CHECK(result_of(spec::Opcode::F32v2add) == NumberFormat::kPackedSingles);
  CHECK(result_of(spec::Opcode::F16v2tof32) == NumberFormat::kPackedSingles);
  CHECK(result_of(spec::Opcode::F32v4tof16) == NumberFormat::kPackedHalves);
  CHECK(result_of(spec::Opcode::FcvtSH) == NumberFormat::kSingle);
}

TEST_CASE("addresses have the program's names") {
  const names::ProgramInfo p = program();
  const Places places(p, 3);
  CHECK(places.at(0x80000) == "weights[32]");
  CHECK(places.at(0x8003f) == "weights[47]");
  CHECK(places.at(0x80040) == "");
  CHECK(places.at(0x84008) == "errors of Sum.partials[2] #7");
  CHECK(places.at(0xa00ff) == "stack of w0");
  CHECK(Places(p, 2).at(0x80000) == "");
  CHECK(Places(p, 2).at(0x84008) == "");
}

TEST_CASE("packets are told in words") {
  const names::ProgramInfo p = program();
  const Places places(p, 3);
  PacketWords out(places, 3, PacketWords::Direction::kOut), in(places, 3, PacketWords::Direction::kIn);
  const auto header = [](uint32_t kind, uint32_t count, uint32_t tile = 3) {
    return spec::PacketHeader{.words = count, .tile = tile, .kind = kind}.encode();
  };
  CHECK(out.next(header(1, 2), true) == "write 2 words");
  CHECK(out.next(0x100, false) == "write 2 words to host 0x100");
  CHECK(out.next(0xdeadbeef, false) == "write 2 words to host 0x100");
  CHECK(out.next(header(2, 1), true) == "read 1 word");
  CHECK(out.next(0x40, false) == "read 1 word of host 0x40");
  CHECK(out.next(0x80010, false) == "read 1 word of host 0x40 to 0x80010 (weights[36])");
  CHECK(in.next(header(3, 16), true) == "16 words read");
  CHECK(in.next(0x80000, false) == "16 words read to 0x80000 (weights[32])");
  const auto remote = [](uint32_t kind) {
    return spec::PacketHeader{.words = 4, .chip = 0x2a, .tile = 3, .kind = kind}.encode();
  };
  CHECK(out.next(remote(spec::PacketKind::kWriteRemote), true) == "write 4 words");
  CHECK(out.next(0x40000001, false) == "write 4 words to remote 0xa900000004");
  CHECK(out.next(0xdeadbeef, false) == "write 4 words to remote 0xa900000004");
  CHECK(out.next(remote(spec::PacketKind::kReadRemote), true) == "read 4 words");
  CHECK(out.next(8, false) == "read 4 words of remote 0xa800000020");
  CHECK(out.next(0x80010, false) == "read 4 words of remote 0xa800000020 to 0x80010 (weights[36])");
  CHECK(in.next(header(3, 16, 4), true) == "");  // another tile's
  CHECK(in.next(0x80000, false) == "");
  const uint32_t to_chip = spec::PacketHeader{.words = 2, .chip = 1, .tile = 4, .kind = 4}.encode();
  CHECK(out.next(to_chip, true) == "2 words for chip 1 tile 4");
  CHECK(out.next(0x80000, false) == "2 words for chip 1 tile 4 at 0x80000");
  CHECK(in.next(to_chip, true) == "");
  CHECK(in.next(header(4, 2), true) == "2 words from another chip");
  CHECK(in.next(0x80000, false) == "2 words from another chip to 0x80000 (weights[32])");
  CHECK(out.next(header(7, 0), true) == "packet of kind 7");
}

TEST_CASE("codes have the names of the tables") {
  CHECK(named(Names::Registers, "0A") == "a0");
  CHECK(named(Names::Registers, "00") == "zero");
  CHECK(named(Names::Registers, "2A") == "fa0");
  CHECK(named(Names::Registers, "40") == "-");
  CHECK(value_names(Names::Registers).size() == 65);
  CHECK(named(Names::Causes, "8") == "?red?" + std::string(spec::cause_name(8)));
  CHECK(named(Names::Zones, "2") == "internal");
  CHECK(named(Names::Contexts, "6") == "worker 5");
  CHECK(named(Names::Tiles, "7FF") == "none");
  CHECK(named(Names::Tiles, "5BF") == "tile 1471");
  CHECK(named(Names::Flags, "11") == "invalid, inexact");
  CHECK(named(Names::States, "1") == "?DarkGreen?computing");
}

TEST_CASE("signals are numbered as they are declared") {
  unsigned number = 0;
  for (const Scope& scope : tile_scopes()) number += static_cast<unsigned>(scope.signals.size());
  CHECK(number == kSignalsOfTile);
  CHECK(std::string(tile_scopes().back().signals[0].name) == "vertex");
  CHECK(number_of(6, ContextSignal::Flags) == kSignalsOfTile - 1);
}
