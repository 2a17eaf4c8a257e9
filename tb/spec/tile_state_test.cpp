// What a tile keeps: every bit has one place of its own, in the table of registers and in the memory.
#include "rtl/spec/tile_state.h"

#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <utility>

#include "rtl/spec/machine.h"

using namespace tessera::spec;

TEST_CASE("kept bits of CSRs are what the page of instructions says of them") {
  CHECK(kept_bits(Csr::Fflags) == 0x1f);
  CHECK(kept_bits(Csr::Xfpictl) == 0x7003f);
  CHECK(kept_bits(Csr::Xf8) == 0x3f03);
  CHECK(kept_bits(Csr::Xstride2) == 0x3ffff);
  CHECK(kept_bits(Csr::Xtas) == 0xffffffff);
  CHECK(kept_bits(Csr::Xcount) == 0);
  CHECK(kept_bits(Csr::Fcsr) == 0);
}

TEST_CASE("no two bits of CSRs lie in one bit of a register") {
  std::map<Csr, uint32_t> named;
  std::set<std::pair<TileState, unsigned>> taken;
  for (const KeptBits& kept : kKeptBits) {
    INFO("CSR " << csr_info(static_cast<uint16_t>(kept.csr))->name);
    CHECK((named[kept.csr] & kept.mask()) == 0);
    named[kept.csr] |= kept.mask();
    for (unsigned context = 0; context < (kept.step == 0 ? 1 : 8); ++context)
      for (unsigned bit = 0; bit < kept.width; ++bit)
        CHECK(taken.emplace(kept.state, kept.first + kept.step * context + bit).second);
  }
}

TEST_CASE("every word of a tile's memory has an element and a row of its own") {
  const Machine machine = load_machine("mk2-4");
  std::set<std::pair<unsigned, unsigned>> taken;
  for (uint32_t address = machine.memory_base; address < machine.memory_end(); address += 8) {
    REQUIRE(machine.row_of(address) < machine.element_bytes / 8);
    REQUIRE(taken.emplace(machine.element_of(address), machine.row_of(address)).second);
  }
}
