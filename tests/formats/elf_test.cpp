// ELF files and archives: what libelf's copy writes is read again, and damage is one exception, whatever is damaged.
#include <catch2/catch.hpp>
#include <random>

#include "formats/ar_archive.h"
#include "formats/elf_copy.h"

using namespace tessera::formats;

namespace {

std::span<const uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

std::string copy_with(std::span<const uint8_t> original, const std::string& name, uint32_t address) {
  ElfCopy copy(original);
  const uint16_t section = copy.add_code_section("." + name, address, 64);
  copy.add_symbol(name, address, 16, ElfSymbol::kFunction, section);
  copy.add_symbol(name + "_data", 0x90000, 4, ElfSymbol::kObject, ElfSymbol::kAbsolute);
  return copy.finish();
}

const ElfSymbol* symbol(const ElfFile& elf, const std::string& name) {
  for (const ElfSymbol& s : elf.symbols)
    if (s.name == name) return &s;
  return nullptr;
}

}  // namespace

TEST_CASE("a copy keeps what there was and has what was added") {
  const std::string first = copy_with({}, "step", 0x80000), both = copy_with(bytes_of(first), "other", 0x84000);
  const ElfFile elf = read_elf(bytes_of(both));
  CHECK(elf.linked);
  for (const char* name : {"step", "other"}) {
    REQUIRE(symbol(elf, name) != nullptr);
    const ElfSymbol& s = *symbol(elf, name);
    CHECK(s.type == ElfSymbol::kFunction);
    CHECK(elf.sections.at(s.section).address == s.value);
    CHECK(elf.sections.at(s.section).is_code());
    CHECK(elf.sections.at(s.section).is_zeroed());
  }
  CHECK(symbol(elf, "other_data")->section == ElfSymbol::kAbsolute);
  CHECK(elf.section(".other")->size == 64);
  CHECK(elf.section(".nothing") == nullptr);
}

TEST_CASE("what is no tile's ELF is told from what is") {
  const std::string good = copy_with({}, "x", 0x80000);
  CHECK(elf_kind(bytes_of(good).first(kElfHeaderBytes)) == ElfKind::kTile);
  std::string other = good;
  other[18] = 62;  // x86-64
  CHECK(elf_kind(bytes_of(other)) == ElfKind::kOther);
  CHECK(elf_kind(bytes_of("\x7f"
                          "ELF")) == ElfKind::kNone);
  CHECK(elf_kind({}) == ElfKind::kNone);
  CHECK_THROWS_WITH(read_elf(bytes_of(other)), "is not a 32-bit RISC-V ELF file");
}

TEST_CASE("a damaged file is refused or read, copied or refused") {
  const std::string good = copy_with(bytes_of(copy_with({}, "step", 0x80000)), "other", 0x84000);
  std::mt19937 random(1);
  unsigned refused = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string damaged = good;
    for (int k = 0; k < 3; ++k) damaged[random() % damaged.size()] ^= static_cast<char>(1 << random() % 8);
    if (i % 3 == 0) damaged.resize(random() % damaged.size());
    try {
      size_t sum = 0;
      const ElfFile elf = read_elf(bytes_of(damaged));
      for (const ElfSection& section : elf.sections)
        for (const uint8_t byte : section.data) sum += byte;
      CHECK(sum <= 256 * good.size() * 16);
    } catch (const BadElf&) {
      ++refused;
    }
    try {
      copy_with(bytes_of(damaged), "again", 0x88000);
    } catch (const BadElf&) {
    }
  }
  CHECK(refused > 600);
}

TEST_CASE("archives come back as written; cut and foreign ones are none") {
  ArWriter writer;
  writer.add("one", "123");
  writer.add("two.o", std::string(100, 'x'));
  const auto members = read_ar(writer.bytes());
  REQUIRE(members);
  REQUIRE(members->size() == 2);
  CHECK(members->at(0).name == "one");
  CHECK(members->at(0).data == "123");
  CHECK(members->at(1).name == "two.o");
  CHECK(members->at(1).data == std::string(100, 'x'));
  CHECK_FALSE(read_ar(std::string_view(writer.bytes()).substr(0, 100)));
  CHECK_FALSE(read_ar("no archive at all"));
  CHECK_FALSE(read_ar(""));
}
