// Faults as text: every site, times by cycle and superstep, and errors that name the line.
#include "inspect/faults/fault_list.h"

#include <catch2/catch.hpp>

#include "rtl/spec/machine.h"

using namespace tessera;
using Catch::Matchers::Equals;
using inspect::BadFault;
using inspect::parse_faults;

TEST_CASE("each line is one fault, and is written as it is read") {
  const auto m = spec::load_machine("mk2-4");
  const std::string lines[] = {
      "memory tile=3 address=0x80010 bit=5 cycle=1200",
      "register tile=0 context=2 name=t2 bit=31 superstep=4",
      "register tile=1 context=6 name=ft11 bit=0,40,63 superstep=4+120",
      "csr tile=2 context=1 name=xtas bit=30 cycle=0",
      "csr tile=2 context=0 name=xgc bit=0 cycle=0",
      "exchange tile=2 bit=7 cycle=77",
      "exchange tile=2 bit=valid cycle=77",
      "packet-out tile=2 bit=0,1,2,3 cycle=77",
      "packet-in tile=2 bit=28 superstep=0",
      "memory tile=3 address=0x80010 bit=5 cycle=1200 side=rtl",
      "exchange tile=2 bit=7 superstep=4+120 side=model",
  };
  for (const auto& line : lines) {
    const auto faults = parse_faults(line, m);
    REQUIRE(faults.size() == 1);
    CHECK(text(faults[0]) == line);
  }
}

TEST_CASE("comments and empty lines are none; ranges of bits are bits") {
  const auto m = spec::load_machine("mk2-4");
  const auto faults = parse_faults("# a list\n\n  exchange tile=1 cycle=5 bit=3-5,9 # three and one\n", m);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].flip.mask == 0x238);
  CHECK(faults[0].flip.tile == 1);
  CHECK(faults[0].cycle == 5);
}

TEST_CASE("a line that is no fault of the machine is refused by its number") {
  const auto m = spec::load_machine("mk2-4");
  const std::pair<const char*, const char*> cases[] = {
      {"memry tile=1 bit=1 cycle=1", "'memry' is no site: memory, register, csr, exchange, packet-out or packet-in"},
      {"memory tile=1 bit=1 cycle=1", "address= is missing"},
      {"memory tile=9 address=0x80000 bit=1 cycle=1", "fault: there is no tile 9 in mk2-4"},
      {"memory tile=1 address=0x100 bit=1 cycle=1", "fault: there is no memory word at 0x100"},
      {"memory tile=1 address=0x80000 bit=32 cycle=1", "fault: there are no such bits (0x100000000) in memory words"},
      {"memory tile=1 address=0x80000 bit=1", "cycle= or superstep= is missing"},
      {"memory tile=1 address=0x80000 bit=1 cycle=1 cycle=2", "cycle is given twice"},
      {"memory tile=1 address=0x80000 bit=1 cycle=1 name=x1", "this site has no name="},
      {"memory tile=1 address=0x80000 bit=valid cycle=1", "bit 'valid' is no number"},
      {"memory tile=1 address=0x80000 bit=7-4 cycle=1", "'7-4' are no bits"},
      {"exchange tile=1 bit=1 cycle=soon", "cycle 'soon' is no number"},
      {"exchange tile=1 bit 1", "'bit' is not of the form key=value"},
      {"register tile=1 context=0 name=x0 bit=1 cycle=1", "fault: there is no register zero to flip"},
      {"register tile=1 context=0 name=f3 bit=1 cycle=1", "fault: there is no register ft3 in context 0"},
      {"register tile=1 context=7 name=x3 bit=1 cycle=1", "fault: there is no context 7"},
      {"register tile=1 context=1 name=b0 bit=1 cycle=1",
       "name=b0 is no register, such as a0, sp or fa5 (x10, x2, f15)"},
      {"csr tile=1 context=1 name=cycle bit=1 cycle=1", "fault: there is no CSR 0xc00 to flip in context 1"},
      {"csr tile=1 context=0 name=frm bit=1 cycle=1", "fault: there is no CSR 0x2 to flip in context 0"},
      {"csr tile=1 context=1 name=frm bit=3 cycle=1", "fault: there are no such bits (0x8) in this CSR"},
      {"memory tile=1 address=0x80000 bit=5 cycle=1 side=left", "side=left is none: rtl or model"},
      {"csr tile=1 context=1 name=mstatus bit=3 cycle=1", "there is no CSR mstatus"},
  };
  for (const auto& [line, why] : cases) {
    const auto all = std::string("exchange tile=0 bit=0 cycle=0\n\n") + line;
    CHECK_THROWS_WITH(parse_faults(all, m, "list.txt"), Equals(std::string("list.txt:3: ") + why));
  }
  CHECK_THROWS_WITH(inspect::read_faults("/nowhere/list.txt", m), Equals("/nowhere/list.txt: cannot be read"));
}
