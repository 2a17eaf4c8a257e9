// The machine's copy of the tile memories and its hash.
#include <catch2/catch.hpp>

#include "inspect/memory_shadow.h"

namespace {

using tessera::inspect::MemoryShadow;
constexpr uint32_t kBase = 0x4c000;

struct Bench {
  tessera::spec::Machine machine = tessera::spec::load_machine("mk2-4");
  MemoryShadow a{machine}, b{machine};
};

TEST_CASE_METHOD(Bench, "equal contents have equal hashes, however they came about") {
  a.write(1, kBase + 8, 0x1122334455667788, 0xff);
  b.write_word(1, kBase + 12, 0x11223344);
  CHECK(a.hash() != b.hash());
  b.write_word(1, kBase + 8, 0x55667788);
  CHECK(a.hash() == b.hash());
  b.write(1, kBase + 8, 0xff, 0x01);
  CHECK(a.hash() != b.hash());
  b.write(1, kBase + 8, 0x88, 0x01);
  CHECK(a.hash() == b.hash());
}

TEST_CASE_METHOD(Bench, "tile, address and value all count; zero is what memory holds at first") {
  a.write_word(0, kBase, 5);
  b.write_word(1, kBase, 5);
  CHECK(a.hash() != b.hash());
  b.clear();
  b.write_word(0, kBase + 8, 5);
  CHECK(a.hash() != b.hash());
  a.write_word(0, kBase, 0);
  CHECK(a.hash() == MemoryShadow(machine).hash());
}

TEST_CASE_METHOD(Bench, "writes that are in no memory change nothing") {
  a.write_word(0, kBase - 8, 5);
  a.write_word(0, machine.memory_end(), 5);
  a.write_word(4, kBase, 5);
  CHECK(a.hash() == b.hash());
}

}  // namespace
