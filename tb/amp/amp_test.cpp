// amp.sv against the exact reference and the model: each instruction on weighted operands, value, flags and all
// accumulators.
#include <catch2/catch.hpp>
#include <cstdio>
#include <string>

#include "tb/amp/rtl_amp.h"
#include "tb/arithmetic/exact_amp.h"
#include "tb/arithmetic/test_size.h"

namespace tessera::tb {
namespace {

using model::Accumulators;
using model::VectorResult;
using spec::Opcode;

// The engine and what it holds, so that only what a case changes is written.
class Bench {
 public:
  // Brings accumulators of the context and weights to those of the case.
  void prepare(unsigned context, const AmpCase& c) {
    Accumulators& holds = accumulators_[context];
    for (unsigned u = 0; u < 16; ++u) {
      if (holds.a[u] != c.acc.a[u]) rtl_.set_accumulator(context, u, c.acc.a[u]);
      if (holds.s[u] != c.acc.s[u]) rtl_.set_accumulator(context, 16 + u, c.acc.s[u]);
    }
    holds = c.acc;
    for (unsigned n = 0; n < 64; n += 2) {
      const bool first = weights_[n] != c.weights[n];
      const bool second = weights_[n + 1] != c.weights[n + 1];
      if (first && second) {
        rtl_.load_pair(n, c.weights[n], c.weights[n + 1]);
      } else if (first || second) {
        rtl_.load(n + second, c.weights[n + second]);
      } else {
        continue;
      }
      rtl_.cycle();
    }
    weights_ = c.weights;
    while (!rtl_.loads_done()) rtl_.cycle();
  }

  // Executes the case; the accumulators after it are in `acc`.
  VectorResult execute(unsigned context, const AmpCase& c, Accumulators& acc) {
    rtl_.issue(context, c);
    rtl_.cycle();
    rtl_.idle();
    rtl_.cycle();
    const VectorResult result = rtl_.result();
    rtl_.commit(true);
    rtl_.cycle();
    rtl_.commit(false);
    acc = rtl_.accumulators(context);
    accumulators_[context] = acc;
    return result;
  }

 private:
  RtlAmp rtl_;
  Accumulators accumulators_[7];
  model::Weights weights_{};
};

bool gives_result(Opcode op) {
  switch (op) {
    case Opcode::F32v2mac:
    case Opcode::F16v2cmac:
    case Opcode::F16v4cmac:
    case Opcode::F32v2aop:
    case Opcode::F16v4acc:
    case Opcode::F32v2acc:
    case Opcode::Zacc:
      return false;
    default:
      return true;
  }
}

std::string difference(const AmpCase& c, const char* who, VectorResult got, const Accumulators& got_acc,
                       VectorResult want, const Accumulators& want_acc) {
  char line[160];
  std::string text = text_of(c);
  std::snprintf(line, sizeof line, "\n  RTL %016llx flags %02x, %s %016llx flags %02x",
                static_cast<unsigned long long>(got.value), got.flags, who, static_cast<unsigned long long>(want.value),
                want.flags);
  text += line;
  for (unsigned u = 0; u < 16; ++u) {
    if (got_acc.a[u] != want_acc.a[u] || got_acc.s[u] != want_acc.s[u]) {
      std::snprintf(line, sizeof line, "\n  unit %2u: RTL A %08x S %08x, %s A %08x S %08x", u, got_acc.a[u],
                    got_acc.s[u], who, want_acc.a[u], want_acc.s[u]);
      text += line;
    }
  }
  return text;
}

void compare(Opcode op, uint64_t count) {
  AmpOperands operands(arithmetic_seed() + 100 + static_cast<uint64_t>(op));
  Bench bench;
  AmpCase c{};
  for (uint64_t& w : c.weights) w = operands.bits();
  uint64_t mismatches = 0;
  uint64_t with_flags = 0;
  std::string text;
  for (uint64_t i = 0; i < count; ++i) {
    const unsigned context = 1 + static_cast<unsigned>(i % 6);
    operands.next(op, c);
    bench.prepare(context, c);
    Accumulators got_acc;
    Accumulators exact_acc = c.acc;
    Accumulators model_acc = c.acc;
    VectorResult got = bench.execute(context, c, got_acc);
    const VectorResult exact = exact_amp(op, c.number, c.a, c.b, c.control, c.weights, exact_acc);
    const VectorResult model = model::amp_execute(op, c.number, c.a, c.b, c.control, c.weights, model_acc);
    if (!gives_result(op)) got.value = exact.value;
    if (!(got == exact) || !(got_acc == exact_acc)) {
      if (++mismatches == 1) text = difference(c, "reference", got, got_acc, exact, exact_acc);
    } else if (!(got == model) || !(got_acc == model_acc)) {
      if (++mismatches == 1) text = difference(c, "model", got, got_acc, model, model_acc);
    }
    with_flags += exact.flags != 0;
    c.acc = exact_acc;
  }
  std::printf("%-20s %llu cases, %llu with flags, %llu differences\n", std::string(spec::info(op).mnemonic).c_str(),
              static_cast<unsigned long long>(count), static_cast<unsigned long long>(with_flags),
              static_cast<unsigned long long>(mismatches));
  INFO(text);
  CHECK(mismatches == 0);
}

TEST_CASE("matrix steps, slim convolution and accumulators of the RTL equal reference and model") {
  for (const Opcode op : amp_instructions(false)) compare(op, case_count(8000, 1000000));
}

TEST_CASE("paced steps compute what the register forms compute") {
  for (const Opcode op : amp_instructions(true)) {
    if (spec::info(op).mnemonic.ends_with("pace")) compare(op, case_count(500, 1000000));
  }
}

}  // namespace
}  // namespace tessera::tb
