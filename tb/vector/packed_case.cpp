#include "tb/vector/packed_case.h"

#include <cstdio>

#include "tb/float/check.h"
#include "tb/vector/packed_reference.h"

namespace tessera::tb {

using model::FpFormat;
using model::FpOp;
using model::RoundingMode;
using spec::Opcode;

namespace {

// The scalar operation whose operands suit an instruction's lanes.
FpOp like(const PackedName& name) {
  const std::string& operation = name.operation;
  if (operation.starts_with("fm") || operation == "fnma") return operation == "fms" ? FpOp::FMSUB : FpOp::FMADD;
  if (operation.starts_with("mul")) return FpOp::FMUL;
  if (operation == "toi32") return FpOp::FCVT_W_F;
  if (operation == "toui32") return FpOp::FCVT_WU_F;
  return FpOp::FADD;
}

}  // namespace

// An f32 in the range of f16 or around it: some f16 with bits below it.
uint32_t PackedStream::single_near_half() {
  const uint32_t half = operands_.number(FpFormat::F16) & 0xffff;
  const uint32_t wide = model::fp_execute(FpOp::FCVT_S_H, FpFormat::F32, RoundingMode::RNE, half, 0, 0).value;
  const uint32_t low[] = {0, 0x1000, 0x0fff, 0x1001, 0x1fff, static_cast<uint32_t>(operands_.bits()) & 0x1fff};
  const uint32_t exponent_shift = operands_.below(4) == 0 ? operands_.below(12) << 23 : 0;
  return (wide | low[operands_.below(6)]) - exponent_shift;
}

model::FloatControl PackedStream::control() {
  model::FloatControl control;
  const uint64_t r = operands_.bits();
  control.rm = rounding_modes()[operands_.below(5)];
  control.stochastic = (r & 3) == 0;
  control.half_overflow = (r >> 2 & 1) != 0 ? static_cast<unsigned>(r >> 3 & 3) : 0;
  control.f8 = static_cast<uint32_t>(r >> 5) & 0x3fff;
  if ((r >> 20 & 3) != 0) control.f8 = (control.f8 & 3) | (operands_.below(9) + 60) % 64 << 8;  // scale -4 to 4
  control.random = operands_.bits();
  if ((r >> 22 & 7) == 0) control.random = (r >> 25 & 1) != 0 ? ~uint64_t{0} : 0;
  control.tas = static_cast<uint32_t>(operands_.bits());
  return control;
}

PackedCase PackedStream::next(Opcode op) {
  const PackedName name = packed_name(op);
  PackedCase result = {.op = op, .control = control()};
  result.a = operands_.bits();
  result.b = operands_.bits();
  result.c = operands_.bits();
  if (name.operation == "sufromui" || name.operation.starts_with("from")) {
    for (const unsigned shift : {0u, 32u}) {
      result.a = (result.a & ~(uint64_t{0xffffffff} << shift)) | uint64_t{operands_.integer()} << shift;
    }
    return result;
  }
  if (name.width == 8) return result;

  const FpFormat format = name.width == 16 ? FpFormat::F16 : FpFormat::F32;
  const FpOp fp_op = like(name);
  const bool neighbours = name.operation == "sum" || name.operation == "maxc";
  const bool to_half = name.operation == "tof16";
  const uint64_t lane_bits = (uint64_t{1} << name.width) - 1;
  const auto put = [&](uint64_t& reg, unsigned lane, uint32_t value) {
    const unsigned shift = lane * name.width;
    reg = (reg & ~(lane_bits << shift)) | (value & lane_bits) << shift;
  };
  for (unsigned lane = 0; lane < 64 / name.width; ++lane) {
    const Case c = operands_.next(fp_op, format, result.control.rm);
    put(result.a, lane, to_half && operands_.below(4) != 0 ? single_near_half() : c.a);
    put(result.b, lane, to_half && operands_.below(4) != 0 ? single_near_half() : c.b);
    put(result.c, lane, c.c);
  }
  if (neighbours) {
    for (unsigned lane = 0; lane < 64 / name.width; lane += 2) {
      const Case c = operands_.next(fp_op, format, result.control.rm);
      put(result.a, lane, c.a);
      put(result.a, lane + 1, c.b);
    }
  }
  return result;
}

void PackedComparison::note(const PackedCase& c, const char* who, model::VectorResult got, model::VectorResult want) {
  if (++mismatches_ > 5) return;
  const std::string mnemonic(spec::info(c.op).mnemonic);
  char line[320];
  std::snprintf(
      line, sizeof line,
      "%s %s a=%016llx b=%016llx c=%016llx stochastic %d half overflow %u xf8 %04x random %016llx: %s %016llx "
      "flags %02x, reference %016llx flags %02x\n",
      mnemonic.c_str(), name_of(c.control.rm), static_cast<unsigned long long>(c.a),
      static_cast<unsigned long long>(c.b), static_cast<unsigned long long>(c.c), c.control.stochastic,
      c.control.half_overflow, c.control.f8, static_cast<unsigned long long>(c.control.random), who,
      static_cast<unsigned long long>(got.value), got.flags, static_cast<unsigned long long>(want.value), want.flags);
  text_ += line;
}

}  // namespace tessera::tb
