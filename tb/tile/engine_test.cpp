// What the tile keeps for the arithmetic (docs/reference/arithmetic.md): weights and when steps see them, stream
// latches, generators and who draws, float exceptions, debug space 5.
#include <catch2/catch.hpp>

#include "worker_code.h"

using namespace tessera::test;
using tessera::spec::Opcode;

namespace {

constexpr unsigned kBreak = 1, kFloat = 5, kAddress = 8;
constexpr uint64_t kOnes = 0x3c003c003c003c00;  // four f16 of 1
constexpr uint32_t kOne = 0x3f800000, kTwo = 0x40000000, kFour = 0x40800000;
constexpr unsigned kXfpctl = 0x801, kXprng0 = 0x809, kXprngseed = 0x80D, kXf8 = 0x80E, kXf8i = 0x80F;

uint64_t triple(uint32_t a0, uint32_t a1, uint32_t a2) {
  return uint64_t{a0 / 8} | uint64_t{a1 / 8} << 21 | uint64_t{a2 / 8} << 42;
}

uint64_t rotl(uint64_t v, unsigned n) { return v << n | v >> (64 - n); }
struct Generator {
  uint64_t s0, s1;
  explicit Generator(uint32_t seed) : s0(uint64_t{~seed} << 32 | seed), s1(rotl(s0, 13)) {}
  uint64_t next() {
    const uint64_t both = s0 & s1, t = s0 ^ s1, drawn = t ^ (rotl(both, 1) | rotl(both, 2));
    s0 = rotl(s0, 55) ^ t ^ t << 14;
    s1 = rotl(t, 36);
    return drawn;
  }
};

}  // namespace

TEST_CASE("Debug space 5 reads and writes accumulators, latches and weights of each context") {
  WorkerCode tile;
  for (unsigned c = 1; c < 7; ++c)
    for (unsigned n = 0; n < 38; ++n) {
      CHECK(tile.vector(n, c) == 0);
      tile.set_vector(n, 1000 * c + n, c);
    }
  // Of its repeat the first and the last pc and the passes left.
  using tessera::spec::DebugVector;
  for (unsigned c = 1; c < 7; ++c) {
    tile.set_vector(DebugVector::kRepeatFirst, 0x4c000 + 64 * c, c);
    tile.set_vector(DebugVector::kRepeatLast, 0x4d000 + 64 * c, c);
    tile.set_vector(DebugVector::kRepeatLeft, 10 + c, c);
  }
  for (unsigned c = 1; c < 7; ++c) {
    CHECK(tile.vector(DebugVector::kRepeatFirst, c) == 0x4c000 + 64 * c);
    CHECK(tile.vector(DebugVector::kRepeatLast, c) == 0x4d000 + 64 * c);
    CHECK(tile.vector(DebugVector::kRepeatLeft, c) == 10 + c);
  }
  for (unsigned n = 0; n < 128; ++n) tile.set_vector(n, 100000 + n, 0);
  for (unsigned c = 1; c < 7; ++c) {
    for (unsigned n = 0; n < 38; ++n) CHECK(tile.vector(n, c) == 1000 * c + n);
    for (unsigned n = 41; n < 128; ++n) CHECK(tile.vector(n, c) == 0);
  }
  for (unsigned n = 0; n < 128; ++n) CHECK(tile.vector(n, 0) == 100000 + n);
  CHECK(tile.vector(128 + 5, 2) == 2005);
}

TEST_CASE("A step issued six cycles after a weight load sees it, five cycles after does not") {
  // The supervisor loads CW[0] between steps of a worker; in which step the accumulator first grows by more says when.
  for (const bool wide : {false, true}) {
    WorkerCode tile;
    tile.set_memory(kData, kOnes);
    tile.set_memory(kData + 8, kOnes);
    for (unsigned c = 1; c < 7; ++c) tile.set_f(1, kOnes, c);
    Program p;
    p.load_immediate(1, kWorker);
    p.load_immediate(2, kData);
    p.add(Opcode::Run, {.rs1 = 1, .rs2 = 0});
    for (int i = 0; i < 40; ++i) p.add(Opcode::Addi);
    p.add(wide ? Opcode::Ld128putcs : Opcode::Ld64putcs, {.rs1 = 2, .imm = 0});
    p.add(Opcode::Sync, {.imm = 0});
    p.add(Opcode::Ebreak);
    Program w = WorkerCode::worker();
    for (int i = 0; i < 20; ++i) w.add(Opcode::F32v2gina, {.rd = 2, .rs1 = 3, .imm = 0});  // A[0], A[1] = 0
    for (int i = 0; i < 20; ++i)
      w.words[i] = tessera::spec::encode(Opcode::F16v4sisoslic, {.rd = 2, .rs1 = 1, .rs2 = 3, .imm = 0});
    w.add(Opcode::Exit);
    REQUIRE(tile.run(w, p) == kBreak);
    uint64_t load = 0;
    for (const auto& r : tile.records)
      if (r.context == 0 && r.pc == kCode + 4 * (p.words.size() - 3)) load = r.cycle;
    REQUIRE(load > 0);
    // r = A[0] before the step: 4 once a step with new weights lies three steps back (tap 0 alone has weights: one
    // back).
    unsigned checked = 0;
    uint64_t previous = 0;
    for (const auto& r : tile.records) {
      if (r.context != 1 || !r.writes) continue;
      const bool seen = previous != 0 && previous >= load + 6;
      CHECK(static_cast<uint32_t>(r.data) == (seen ? kFour : 0));
      checked += seen;
      previous = r.cycle;
    }
    CHECK(checked > 3);
    CHECK(tile.vector64(0, 0) == kOnes);
    CHECK(tile.vector64(2, 0) == (wide ? kOnes : 0));
  }
}

TEST_CASE("A tile waits for its weight loads before it is idle, and shows them") {
  WorkerCode tile;
  tile.set_memory(kData + 16 * 31, 0x1111222233334444);
  tile.set_memory(kData + 16 * 31 + 8, 0x5555666677778888);
  Program p;
  p.load_immediate(2, kData);
  for (int i = 0; i < 8; ++i) p.add(Opcode::Addi);
  p.add(Opcode::Ld128putcs, {.rs1 = 2, .imm = 31});
  p.add(Opcode::Ebreak);  // stops the tile in the cycle in which the weights are in W
  CHECK(tile.run(WorkerCode::worker(), p) == kBreak);
  CHECK(tile.vector64(124, 0) == 0x1111222233334444);
  CHECK(tile.vector64(126, 0) == 0x5555666677778888);
  Program bad;
  bad.load_immediate(2, kData + 8);
  bad.add(Opcode::Ld128putcs, {.rs1 = 2, .imm = 0});
  CHECK(tile.run(WorkerCode::worker(), bad) == kAddress);
  CHECK(tile.exception_value() == kData + 8);
}

TEST_CASE("A paced step uses the latches of before, stores the old R and fills X and P") {
  WorkerCode tile;
  tile.set_memory(kData, kOnes);
  tile.set_memory(kData + 8, uint64_t{kTwo} << 32 | kOne);
  tile.set_vector(36, 0xabcd);  // R
  for (unsigned n = 0; n < 16; ++n) tile.set_vector(16 + n, kFour, 1);
  for (unsigned n = 0; n < 128; ++n) tile.set_vector(n, 0x3c003c00, 0);
  tile.set_f(1, triple(kData, kData + 8, kData + 0x100));
  const auto pace = [](unsigned phase, unsigned enables) {
    return tessera::spec::Operands{.rs1 = 1,
                                   .imm = tessera::spec::pace_immediate(
                                       {phase, 0, 0, 0, (enables & 1) != 0, (enables & 2) != 0, (enables & 4) != 0})};
  };
  Program w = WorkerCode::worker();
  w.add(Opcode::F16v4sisoamppace, pace(1, 7));  // x = 0: A stays; R = S[0], S[1]
  w.add(Opcode::F16v4sisoamppace, pace(1, 4));  // x = ones: A += 4, p = 1, 2 enter S[6], S[7]
  w.add(Opcode::Exit);
  REQUIRE(tile.run(w) == kBreak);
  CHECK(tile.memory(kData + 0x100) == 0xabcd);
  CHECK(tile.memory(kData + 0x108) == (uint64_t{kFour} << 32 | kFour));
  CHECK(tile.f(1) == triple(kData + 8, kData + 16, kData + 0x110));
  CHECK(tile.vector64(32) == kOnes);
  CHECK(tile.vector64(34) == (uint64_t{kTwo} << 32 | kOne));
  CHECK(tile.vector64(36) == (uint64_t{kFour} << 32 | kFour));
  for (unsigned u = 0; u < 16; ++u) CHECK(tile.vector(u) == (u < 8 ? kFour : 0));
  CHECK(tile.vector(16 + 6) == kOne);
  CHECK(tile.vector(16 + 7) == kTwo);
  const auto records = tile.retired();
  CHECK((!records[0].writes && records[0].base_float && records[0].stores && records[0].address == kData + 0x100));
  Program clear = WorkerCode::worker();
  clear.add(Opcode::Zacc);
  clear.add(Opcode::Exit);
  REQUIRE(tile.run(clear) == kBreak);
  for (unsigned n = 0; n < 38; ++n) CHECK(tile.vector(n) == 0);
}

TEST_CASE("A step that faults leaves latches, accumulators, triple and generator") {
  WorkerCode tile;
  tile.set_vector(32, 0x3c00);
  tile.set_vector(0, 0x3c00, 0);
  tile.set_f(1, triple(8, kData, kData));
  tile.set_csr(kXfpctl, 8);
  const uint32_t before = tile.csr(kXprng0);
  Program w = WorkerCode::worker();
  w.add(Opcode::F16v4hihov4amppace, {.rs1 = 1, .imm = tessera::spec::pace_immediate({1, 0, 0, 0, true, false, false})});
  REQUIRE(tile.run(w) == kAddress);
  CHECK(tile.vector(0) == 0);
  CHECK(tile.vector(32) == 0x3c00);
  CHECK(tile.f(1) == triple(8, kData, kData));
  CHECK(tile.csr(kXprng0) == before);
}

TEST_CASE("A step whose address is bad excepts by it, whatever flags it would trap on") {
  WorkerCode tile;
  tile.set_csr(0x802, 7, 0);
  tile.set_vector(32, 0x7c01);  // a signalling NaN
  tile.set_vector(0, 0x3c00, 0);
  tile.set_f(1, triple(8, kData, kData));
  Program w = WorkerCode::worker();
  w.add(Opcode::F16v4hihov4amppace, {.rs1 = 1, .imm = tessera::spec::pace_immediate({1, 0, 0, 0, true, false, false})});
  REQUIRE(tile.run(w) == kAddress);
  CHECK(tile.exception_value() == 8);
  CHECK(tile.csr(1) == 0);
  // And by its flags where it is good.
  tile.set_f(1, triple(kData, kData, kData));
  tile.set_vector(32, 0x7c01);
  REQUIRE(tile.run(w) == kFloat);
  CHECK(tile.exception_value() == 0x10);
}

TEST_CASE("Generators: seeds, the sequence, and who draws") {
  WorkerCode tile;
  for (unsigned worker = 0; worker < 6; ++worker) {
    const Generator g(worker);
    CHECK(tile.csr(kXprng0, worker + 1) == static_cast<uint32_t>(g.s0));
    CHECK(tile.csr(kXprng0 + 1, worker + 1) == static_cast<uint32_t>(g.s0 >> 32));
    CHECK(tile.csr(kXprng0 + 2, worker + 1) == static_cast<uint32_t>(g.s1));
    CHECK(tile.csr(kXprng0 + 3, worker + 1) == static_cast<uint32_t>(g.s1 >> 32));
  }
  tile.set_csr(kXprngseed, 12345);
  CHECK(tile.csr(kXprngseed) == 0);
  Generator g(12345);
  tile.set_f(2, 0x3f803f803f803f80);
  tile.set_f(3, 0x8000);   // keep half
  tile.set_f(4, 0x10000);  // keep all
  Program w = WorkerCode::worker();
  w.add(Opcode::Urand64, {.rd = 10});
  w.add(Opcode::Urand32, {.rd = 11});
  w.add(Opcode::F16v4rmask, {.rd = 12, .rs1 = 2, .rs2 = 3});
  w.add(Opcode::F32v2rmask, {.rd = 13, .rs1 = 2, .rs2 = 4});
  w.add(Opcode::F32v2tof16, {.rd = 14, .rs1 = 2, .rm = 0});  // does not draw: xfpctl[3] is clear
  w.add(Opcode::F32v2grand, {.rd = 15});                     // two slots, one draw
  w.add(Opcode::Csrrwi, {.rd = 0, .rs1 = 8, .imm = static_cast<int>(kXfpctl) - 0x1000});
  w.add(Opcode::F32v2tof16, {.rd = 14, .rs1 = 2, .rm = 0});  // draws
  w.add(Opcode::F16v2gina, {.rd = 16, .rs1 = 2, .imm = 0});
  w.add(Opcode::F32v2gina, {.rd = 16, .rs1 = 2, .imm = 0});  // f32 does not
  w.add(Opcode::F16v4sihoamp, {.rd = 16, .rs1 = 2, .rs2 = 2, .imm = 1});
  w.add(Opcode::F16v4sisoamp, {.rd = 16, .rs1 = 2, .rs2 = 2, .imm = 1});
  w.add(Opcode::Urand64, {.rd = 17});
  w.add(Opcode::Exit);
  REQUIRE(tile.run(w) == kBreak);
  CHECK(tile.f(10) == g.next());
  CHECK(tile.x(1, 11) == static_cast<uint32_t>(g.next()));
  const uint64_t mask = g.next();
  uint64_t kept = 0;
  for (unsigned i = 0; i < 4; ++i)
    if ((mask >> 16 * i & 0xffff) < 0x8000) kept |= uint64_t{0x3f80} << 16 * i;
  CHECK(tile.f(12) == kept);
  g.next();
  CHECK(tile.f(13) == 0x3f803f803f803f80);
  for (int draws = 0; draws < 4; ++draws) g.next();  // grand, tof16, gina, sihoamp
  CHECK(tile.f(17) == g.next());
}

TEST_CASE("Launch gives f8 and float control from the initial registers and keeps the rest") {
  WorkerCode tile;
  tile.set_csr(kXf8i, 0xffffffff, 0);
  CHECK(tile.csr(kXf8i, 0) == 0x3f03);
  tile.set_csr(0x802, 0x7003a, 0);
  tile.set_csr(0x805, 0x1234);
  tile.set_vector(3, 77);
  Program w = WorkerCode::worker();
  w.add(Opcode::Exit);
  CHECK(tile.csr(kXf8) == 0);
  REQUIRE(tile.run(w) == kBreak);
  CHECK(tile.csr(kXf8) == 0x3f03);
  CHECK(tile.csr(kXfpctl) == 0x3a);
  CHECK(tile.csr(0x002) == 7);
  CHECK(tile.csr(0x805) == 0x1234);
  CHECK(tile.vector(3) == 77);
}

TEST_CASE("Trapped flags of packed, special and matrix instructions raise the float exception without effect") {
  struct Case {
    Opcode opcode;
    uint64_t operand;
    unsigned flags;
  };
  // Signalling NaN, the logarithm of zero, a signalling NaN.
  for (const auto& c : {Case{Opcode::F32v2add, 0x7f800001, 0x10}, Case{Opcode::F32ln, 0xffffffff00000000, 8},
                        Case{Opcode::F32v2mac, 0x7f800001, 0x10}}) {
    WorkerCode tile;
    tile.set_csr(0x802, 7, 0);
    tile.set_f(1, c.operand);
    Program w = WorkerCode::worker();
    const bool binary = c.opcode != Opcode::F32ln;
    w.add(c.opcode, {.rd = c.opcode == Opcode::F32v2mac ? 0u : 2u, .rs1 = 1, .rs2 = binary ? 1u : 0u});
    INFO(tessera::spec::info(c.opcode).mnemonic);
    CHECK(tile.run(w) == kFloat);
    CHECK(tile.exception_value() == c.flags);
    CHECK(tile.f(2) == 0);
    CHECK(tile.vector(0) == 0);
    CHECK(tile.csr(1) == 0);
  }
}
