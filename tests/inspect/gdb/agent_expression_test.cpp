// The stack code of breakpoints' conditions, with all known and with some of it unknown.
#include "inspect/gdb/agent_expression.h"

#include <catch2/catch.hpp>
#include <map>

#include "inspect/gdb/rsp.h"

using namespace tessera::inspect::gdb;

namespace {

struct Known : ExpressionState {
  std::map<unsigned, uint64_t> registers;
  std::map<uint32_t, uint8_t> bytes;
  std::optional<uint64_t> gdb_register(unsigned number) override {
    const auto at = registers.find(number);
    return at == registers.end() ? std::nullopt : std::optional(at->second);
  }
  std::optional<uint64_t> memory(uint32_t address, unsigned count) override {
    uint64_t value = 0;
    for (unsigned n = 0; n < count; ++n) {
      if (!bytes.contains(address + n)) return std::nullopt;
      value |= uint64_t{bytes[address + n]} << (8 * n);
    }
    return value;
  }
};

std::string code(const char* hex) { return *from_hex(hex); }

Verdict of(const char* hex) {
  Known state;
  state.registers = {{10, 5}, {11, 0xffffffff}};
  state.bytes = {{0x100, 0x34}, {0x101, 0x82}, {0x102, 0}, {0x103, 0}};
  return evaluate(code(hex), state);
}

}  // namespace

TEST_CASE("each operation gives what gdb's manual says") {
  const auto [what, hex] = GENERATE(table<const char*, const char*>({
      {"5 == 5",
       "2205220513"
       "27"},
      {"2 + 3 == 5", "220222030222051327"},
      {"7 - 2 == 5", "220722020322051327"},
      {"3 * 4 == 12", "2203220404220c1327"},
      {"-7 / 2 == -3", "22f9160822020522fd16081327"},
      {"7 / 2 == 3, unsigned", "220722020622031327"},
      {"-7 % 2 == -1", "22f9160822020722ff16081327"},
      {"7 % 2 == 1, unsigned", "220722020822011327"},
      {"1 << 4 == 16", "220122040922101327"},
      {"-16 >> 2 == -4", "22f0160822020a22fc16081327"},
      {"240 >> 4 == 15", "22f022040b220f1327"},
      {"!0", "22000e27"},
      {"6 & 3 == 2", "220622030f22021327"},
      {"6 | 3 == 7", "220622031022071327"},
      {"6 ^ 3 == 5", "220622031122051327"},
      {"~0 == -1", "22001222ff16081327"},
      {"-1 < 1", "22ff160822011427"},
      {"1 < -1, unsigned", "220122ff16081527"},
      {"$a0 == 5", "26000a22051327"},
      {"(int)$a1 == -1", "26000b162022ff16081327"},
      {"(unsigned char)$a1 == 255", "26000b2a0822ff1327"},
      {"*(unsigned char*)0x100 == 0x34", "2301001722341327"},
      {"*(short*)0x100 < 0", "23010018161022001427"},
      {"*(int*)0x100 == 0x8234", "230100192382341327"},
      {"0x12345678 == 0x12345678",
       "2412345678251234567812345678"
       "2a201327"},
      {"dup: 3 * 3 == 9", "2203280422091327"},
      {"swap: 5 - 3", "220322052b0322021327"},
      {"pick: 1 2 pick 1", "22012202320122011327"},
      {"rotate: 1 2 3 becomes 3 1 2", "2201220222033322021327"},
      {"pop", "220522002927"},
      {"goto over a zero", "220521000822002727"},
      {"if_goto taken",
       "2201200008220027"
       "220127"},
  }));
  INFO(what);
  CHECK(of(hex) == Verdict::kTrue);
}

TEST_CASE("code that cannot be executed is told apart from what is false") {
  CHECK(of("220027") == Verdict::kFalse);
  CHECK(of("27") == Verdict::kBroken);            // nothing on the stack
  CHECK(of("2201") == Verdict::kBroken);          // no end
  CHECK(of("22") == Verdict::kBroken);            // half an operand
  CHECK(of("220122000527") == Verdict::kBroken);  // 1 / 0
  CHECK(of("ff27") == Verdict::kBroken);
  CHECK(of("210000") == Verdict::kBroken);  // for ever
  CHECK(of("") == Verdict::kBroken);
}

TEST_CASE("what is not known leaves open only what depends on it") {
  CHECK(of("26001427") == Verdict::kUnknown);          // $s4
  CHECK(of("24000002001927") == Verdict::kUnknown);    // memory
  CHECK(of("260014220013220027") == Verdict::kFalse);  // it is not what ends
  Known nothing;
  CHECK(evaluate(Conditions{}, nothing) == Verdict::kTrue);
  CHECK(evaluate(Conditions{code("220027"), code("26001427")}, nothing) == Verdict::kUnknown);
  CHECK(evaluate(Conditions{code("220127"), code("26001427")}, nothing) == Verdict::kTrue);
  CHECK(evaluate(Conditions{code("220027"), code("220027")}, nothing) == Verdict::kFalse);
  // if ($s4) 0 else 0
  CHECK(evaluate(code("2600142000092200272200"
                      "27"),
                 nothing) == Verdict::kFalse);
  CHECK(evaluate(code("2600142000092200272201"
                      "27"),
                 nothing) == Verdict::kUnknown);
}

TEST_CASE("the registers of a code are known without executing it") {
  CHECK(registers_of(code("26000a26000b0222051327")) == std::vector<unsigned>{10, 11});
  CHECK(registers_of(code("2226260003")) == std::vector<unsigned>{3});
  CHECK(registers_of(code("2600")).empty());
}
