// The matrix engine as the tile uses it: six workers in turn without gaps, instructions that do not retire, weights
// loaded while steps run, debug access between them. Against the model, which keeps up with it instruction by
// instruction.
#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <optional>
#include <vector>

#include "tb/amp/rtl_amp.h"
#include "tb/arithmetic/test_size.h"

namespace tessera::tb {
namespace {

using model::Accumulators;
using model::VectorResult;
using model::Weights;
using spec::Opcode;

// An instruction on its way, with what it will have done.
struct Flight {
  unsigned context;
  AmpCase c;
  bool retires;
  VectorResult result;
  Accumulators after;
};

bool has_result(Opcode op) {
  const auto syntax = spec::info(op).mnemonic;
  return syntax.find("mac") == syntax.npos && syntax.find("acc") == syntax.npos && syntax.find("aop") == syntax.npos;
}

// Drives one cycle after the other and compares what reaches M.
class Stream {
 public:
  explicit Stream(uint64_t seed) : operands_(seed) {}

  // One cycle in which `context` issues an instruction, unless `op` is empty.
  void step(unsigned context, std::optional<Opcode> op) {
    // Weights that were in W three cycles ago are visible in X1 now.
    if (loads_[2]) weights_[loads_[2]->first] = loads_[2]->second;
    loads_[2] = loads_[1];
    loads_[1] = loads_[0];
    loads_[0].reset();

    x1_.reset();
    rtl_.idle();
    if (op) {
      Flight f{context, {}, !operands_.one_in(8), {}, {}};
      f.c.acc = accumulators_[context];
      f.c.weights = weights_;
      operands_.next(*op, f.c);
      f.c.acc = accumulators_[context];  // the worker's own, and the tile's weights
      f.c.weights = weights_;
      f.after = f.c.acc;
      f.result = model::amp_execute(*op, f.c.number, f.c.a, f.c.b, f.c.control, f.c.weights, f.after);
      if (f.retires) accumulators_[context] = f.after;
      rtl_.issue(context, f.c);
      x1_ = f;
    }
    if (operands_.one_in(4)) load();
    rtl_.commit(m_ ? m_->retires : operands_.one_in(2));
    rtl_.cycle();
    m_ = x2_;
    x2_ = x1_;
    if (m_) compare(*m_);
  }

  // Three cycles without an instruction, so that all of them have left; then everything through the debugger.
  void drain() {
    for (int i = 0; i < 4; ++i) step(1, std::nullopt);
    while (loads_[0] || loads_[1] || loads_[2] || !rtl_.loads_done()) step(1, std::nullopt);
    for (unsigned context = 1; context <= 6; ++context) {
      if (rtl_.accumulators(context) != accumulators_[context]) ++mismatches_;
    }
    for (unsigned n = 0; n < 64; ++n) {
      if (rtl_.weight_word(2 * n) != static_cast<uint32_t>(weights_[n])) ++mismatches_;
      if (rtl_.weight_word(2 * n + 1) != weights_[n] >> 32) ++mismatches_;
    }
    for (int i = 0; i < 8; ++i) {  // and some of it written
      const unsigned context = 1 + operands_.below(6);
      const unsigned address = operands_.below(32);
      const uint32_t value = operands_.single();
      rtl_.set_accumulator(context, address, value);
      Accumulators& acc = accumulators_[context];
      (address < 16 ? acc.a[address] : acc.s[address - 16]) = value;
      const unsigned word = operands_.below(128);
      rtl_.set_weight_word(word, value);
      uint64_t& entry = weights_[word / 2];
      entry = word % 2 == 0 ? (entry & ~uint64_t{0xffffffff}) | value : (entry & 0xffffffffu) | uint64_t{value} << 32;
    }
  }

  uint64_t compared() const { return compared_; }
  uint64_t dropped() const { return dropped_; }
  uint64_t mismatches() const { return mismatches_; }
  const std::string& text() const { return text_; }
  AmpOperands& operands() { return operands_; }
  RtlAmp& rtl() { return rtl_; }

 private:
  void load() {
    if (loads_[0]) return;
    const unsigned n = operands_.below(64);
    const uint64_t data = operands_.halves();
    rtl_.load(n, data);
    loads_[0] = {n, data};
  }

  void compare(const Flight& f) {
    const VectorResult got = rtl_.result();
    ++compared_;
    dropped_ += !f.retires;
    if ((has_result(f.c.op) && got.value != f.result.value) || got.flags != f.result.flags) {
      if (++mismatches_ == 1) {
        char line[120];
        std::snprintf(line, sizeof line, "\n  context %u: RTL %016llx flags %02x, model %016llx flags %02x", f.context,
                      static_cast<unsigned long long>(got.value), got.flags,
                      static_cast<unsigned long long>(f.result.value), f.result.flags);
        text_ = text_of(f.c) + line;
      }
    }
  }

  AmpOperands operands_;
  RtlAmp rtl_;
  std::array<Accumulators, 7> accumulators_{};
  Weights weights_{};
  std::optional<std::pair<unsigned, uint64_t>> loads_[3];  // in W one, two, three cycles ago
  std::optional<Flight> x1_, x2_, m_;
  uint64_t compared_ = 0, dropped_ = 0, mismatches_ = 0;
  std::string text_;
};

TEST_CASE("six workers run steps and accumulator instructions in turn while weights change") {
  Stream stream(arithmetic_seed() + 7);
  const std::vector<Opcode> all = amp_instructions(true);
  const uint64_t rounds = case_count(200, 20000);
  for (uint64_t round = 0; round < rounds; ++round) {
    for (unsigned i = 0; i < 300; ++i) {
      const unsigned context = 1 + i % 6;
      std::optional<Opcode> op;
      if (!stream.operands().one_in(10)) op = all[stream.operands().below(static_cast<uint32_t>(all.size()))];
      stream.step(context, op);
    }
    stream.drain();
  }
  std::printf("streams: %llu instructions, %llu of them not retired, %llu differences\n",
              static_cast<unsigned long long>(stream.compared()), static_cast<unsigned long long>(stream.dropped()),
              static_cast<unsigned long long>(stream.mismatches()));
  INFO(stream.text());
  CHECK(stream.mismatches() == 0);
  CHECK(stream.compared() > rounds * 200);
  CHECK(stream.dropped() > stream.compared() / 16);
}

// A load issued in cycle 0 is in W in cycle 5; a step issued in cycle k is in X1 in cycle k + 2. Debug reads show what
// the step has done.
TEST_CASE("a step issued six cycles after a weight load is the first to see it") {
  for (const bool wide : {false, true}) {
    for (unsigned issued = 0; issued < 12; ++issued) {
      RtlAmp rtl;
      rtl.commit(true);
      AmpCase c{};
      c.op = Opcode::F16v4sisoamp;
      c.number = wide ? 3 : 2;
      c.a = 0x3c00;  // 1, 0, 0, 0
      bool busy_after_w = false;
      for (unsigned cycle = 0; cycle < 20; ++cycle) {
        rtl.idle();
        if (cycle == 5 && wide) rtl.load_pair(2, 0x3800, 0x4000);
        if (cycle == 5 && !wide) rtl.load(2, 0x4000);
        if (cycle == issued + 2) rtl.issue(3, c);
        rtl.cycle();
        if (cycle == 5) busy_after_w = !rtl.loads_done();
      }
      INFO("issued " << issued << " cycles after the load, wide " << wide);
      CHECK(busy_after_w);
      CHECK(rtl.loads_done());
      CHECK(rtl.accumulator(3, 0) == (issued >= 6 ? 0x40000000u : 0u));
    }
  }
}

TEST_CASE("reset and zacc clear accumulators, reset also the weights; other workers keep theirs") {
  RtlAmp rtl;
  for (unsigned context = 1; context <= 6; ++context) {
    for (unsigned i = 0; i < 32; ++i) rtl.set_accumulator(context, i, 0x3f800000u + context * 32 + i);
  }
  for (unsigned i = 0; i < 128; ++i) rtl.set_weight_word(i, 1 + i);
  AmpCase c{};
  c.op = Opcode::Zacc;
  for (const bool retires : {false, true}) {
    rtl.issue(2, c);
    rtl.commit(retires);
    rtl.cycle();
    rtl.idle();
    rtl.cycle();
    rtl.cycle();
    for (unsigned context = 1; context <= 6; ++context) {
      for (unsigned i = 0; i < 32; ++i) {
        const uint32_t kept = 0x3f800000u + context * 32 + i;
        CHECK(rtl.accumulator(context, i) == (retires && context == 2 ? 0u : kept));
      }
    }
  }
  // One accumulator of the cleared worker is written: the others are still 0.
  rtl.set_accumulator(2, 21, 5);
  for (unsigned i = 0; i < 32; ++i) CHECK(rtl.accumulator(2, i) == (i == 21 ? 5u : 0u));
  for (unsigned i = 0; i < 128; ++i) CHECK(rtl.weight_word(i) == 1 + i);
  rtl.reset();
  for (unsigned context = 1; context <= 6; ++context) CHECK(rtl.accumulators(context) == Accumulators{});
  for (unsigned i = 0; i < 128; ++i) CHECK(rtl.weight_word(i) == 0);
  CHECK(rtl.loads_done());
}

}  // namespace
}  // namespace tessera::tb
