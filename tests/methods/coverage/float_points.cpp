// Points of rounding, stochastic rounding, overflow of halves and the formats of f8.
#include <set>

#include "functional_points.h"
#include "point_names.h"

namespace tessera::test {
namespace {

using spec::Opcode;
using spec::Rounding;
using spec::Unit;

constexpr uint8_t kOverflow = 4, kInexact = 1;
constexpr unsigned kModes = 5, kDynamic = 7;
constexpr std::string_view kModeNames[] = {"to nearest even", "towards zero", "down", "up", "to nearest, ties away"};

bool has_field(Opcode opcode) { return spec::rounding_of(spec::info(opcode).format) != Rounding::Frm; }

std::string rounding_name(const std::string& what, unsigned mode, bool by_frm) {
  return "rounding: " + what + " " + std::string(kModeNames[mode]) + (by_frm ? " by frm" : " by its own mode") +
         ", inexact";
}

std::string chance_name(Opcode opcode, bool by_chance) {
  return "rounding to f16: " + std::string(spec::info(opcode).mnemonic) + (by_chance ? " by chance" : " to nearest");
}

std::string overflow_name(bool packed, unsigned mode) {
  return std::string("overflow of halves: ") + (packed ? "packed" : "matrix") +
         ", xfpctl[5:4] = " + std::to_string(mode);
}

std::string format_name(Opcode opcode, unsigned formats) {
  const bool weights = spec::info(opcode).unit == Unit::Amp;
  return "f8: " + std::string(spec::info(opcode).mnemonic) + (formats & 1 ? " 1-5-2" : " 1-4-3") +
         (!weights      ? ""
          : formats & 2 ? ", weights 1-5-2"
                        : ", weights 1-4-3");
}

std::string scale_name(Opcode opcode, unsigned f8) {
  const unsigned scale = f8 >> 8 & 63;
  return std::string("f8: scale of ") + (spec::info(opcode).unit == Unit::Amp ? "sums" : "conversions") +
         (scale == 0    ? " zero"
          : scale == 31 ? " largest"
          : scale == 32 ? " smallest"
          : scale & 32  ? " negative"
                        : " positive");
}

}  // namespace

void FunctionalPoints::add_rounding() {
  for (unsigned n = 0; n < spec::kOpcodes; ++n) {
    const auto opcode = static_cast<Opcode>(n);
    const auto what = rounding_class(opcode);
    if (what.empty()) continue;
    for (unsigned mode = 0; mode < kModes; ++mode) {
      add(rounding_name(what, mode, true));
      if (has_field(opcode)) add(rounding_name(what, mode, false));
    }
  }
}

void FunctionalPoints::count_rounding(const model::FloatContext& floats, const model::Decoded& d,
                                      const chip::Retire& record) {
  if (!(record.flags & kInexact) || d.opcode == Opcode::Illegal) return;
  if (floats.stochastic() && may_round_by_chance(d.opcode)) return;
  const auto what = rounding_class(d.opcode);
  if (what.empty()) return;
  const auto mode = model::rounding_mode(d, floats.frm);
  if (!mode) return;
  const auto from = spec::rounding_of(spec::info(d.opcode).format);
  const unsigned field = from == Rounding::HighField ? spec::rm_high_of(d.word) : spec::rm_of(d.word);
  hit(rounding_name(what, *mode, from == Rounding::Frm || field == kDynamic));
}

void FunctionalPoints::add_float_control() {
  for (unsigned n = 0; n < spec::kOpcodes; ++n) {
    const auto opcode = static_cast<Opcode>(n);
    if (may_round_by_chance(opcode))
      for (const bool by_chance : {false, true}) add(chance_name(opcode, by_chance));
    if (has_f8(opcode)) {
      for (unsigned formats = 0; formats < (spec::info(opcode).unit == Unit::Amp ? 4u : 2u); ++formats)
        add(format_name(opcode, formats));
      for (const unsigned scale : {0u, 1u, 31u, 32u, 63u}) add(scale_name(opcode, scale << 8));
    }
  }
  for (const bool packed : {true, false})
    for (unsigned mode = 0; mode < 4; ++mode) add(overflow_name(packed, mode));
}

void FunctionalPoints::count_float_control(const model::FloatContext& floats, const model::Decoded& d,
                                           const chip::Retire& record) {
  if (d.unit != Unit::Packed && d.unit != Unit::Amp) return;
  if (may_round_by_chance(d.opcode)) hit(chance_name(d.opcode, floats.stochastic()));
  if (makes_halves(d.opcode) && (record.flags & kOverflow))
    hit(overflow_name(d.unit == Unit::Packed, floats.half_overflow()));
  if (!has_f8(d.opcode)) return;
  hit(format_name(d.opcode, floats.f8 & (d.unit == Unit::Amp ? 3 : 1)));
  hit(scale_name(d.opcode, floats.f8));
}

}  // namespace tessera::test
