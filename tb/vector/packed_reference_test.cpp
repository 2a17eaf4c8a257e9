// The reference itself, with RTL's rival, the model: answers worked out by hand from docs/reference/arithmetic.md.
#include <catch2/catch.hpp>

#include "sim/model/float/packed.h"
#include "tb/vector/packed_case.h"
#include "tb/vector/packed_reference.h"

namespace tessera::tb {
namespace {

using model::RoundingMode;
using model::VectorResult;
using spec::Opcode;
namespace flag = model::fp_flag;

struct Known {
  const char* what;
  PackedCase c;
  VectorResult want;
};

// What differs from round to nearest even, f8 1-4-3 and no scale.
model::FloatControl mode(RoundingMode rm) { return {.rm = rm}; }
model::FloatControl overflow(unsigned half_overflow) { return {.half_overflow = half_overflow}; }
model::FloatControl f8(uint32_t xf8, unsigned half_overflow = 0) { return {.half_overflow = half_overflow, .f8 = xf8}; }
model::FloatControl stochastic(uint64_t random, unsigned half_overflow = 0) {
  return {.rm = RoundingMode::RTZ, .stochastic = true, .half_overflow = half_overflow, .random = random};
}

constexpr uint8_t OF_NX = flag::OF | flag::NX;
constexpr uint8_t UF_NX = flag::UF | flag::NX;

const Known kKnown[] = {
    {"lanes are independent", {Opcode::F32v2add, 0x3f80000040000000, 0x4000000040000000, 0, {}}, {0x4040000040800000}},
    {"f16v2 results are boxed", {Opcode::F16v2add, 0x3c003c003c003c00, 0x40003c00, 0, {}}, {0xffffffff42004000}},
    {"flags of all lanes",
     {Opcode::F16v4add, 0x7c01'0000'0000'7bff, 0x0000'0000'0000'7bff, 0, {}},
     {0x7e00000000007c00, flag::NV | OF_NX}},
    {"overflow to the largest",
     {Opcode::F16v2mul, 0xfbff7bff, 0x40004000, 0, overflow(1)},
     {0xfffffffffbff7bff, OF_NX}},
    {"overflow to NaN", {Opcode::F16v2mul, 0xfbff7bff, 0x40004000, 0, overflow(3)}, {0xffffffff7e007e00, OF_NX}},
    {"an infinite operand does not overflow", {Opcode::F16v2add, 0x7c00, 0x3c00, 0, overflow(2)}, {0xffffffff00007c00}},
    {"f32 overflows are not concerned",
     {Opcode::F32v2mul, 0x7f7fffff, 0x40000000, 0, overflow(2)},
     {0x000000007f800000, OF_NX}},
    {"lane 0 for all", {Opcode::F16v4mulb, 0x7e00'7e00'7e00'4000, 0x3c00'3e00'4000'4200, 0, {}}, {0x4000420044004600}},
    {"absadd", {Opcode::F32v2absadd, 0xbf800000c0000000, 0xbf80000040000000, 0, {}}, {0x4000000040800000}},
    {"absmax of a NaN", {Opcode::F16v2absmax, 0xfe00bc00, 0xc0003800, 0, {}}, {0xffffffff40003c00}},
    {"clamp", {Opcode::F32v2clamp, 0x41200000c1200000, 0x40000000bf800000, 0, {}}, {0x40000000bf800000}},
    {"clamp of a NaN is the lower bound", {Opcode::F16v2clamp, 0x3c007e00, 0x4000bc00, 0, {}}, {0xffffffff3c00bc00}},
    {"a signalling bound", {Opcode::F16v2clamp, 0x3c003c00, 0x7c010000, 0, {}}, {0xffffffff3c003c00, flag::NV}},
    {"unordered is not equal",
     {Opcode::F32v2cmpne, 0x7fc000003f800000, 0x7fc000003f800000, 0, {}},
     {0xffffffff00000000}},
    {"greater",
     {Opcode::F16v4cmpgt, 0x4000'3c00'bc00'7e00, 0x3c00'3c00'c000'0000, 0, {}},
     {0xffff0000ffff0000, flag::NV}},
    {"greater or equal",
     {Opcode::F16v4cmpge, 0x4000'3c00'bc00'8000, 0x3c00'3c00'c000'0000, 0, {}},
     {0xffffffffffffffff}},
    {"class", {Opcode::F16v4class, 0x7c00'8000'0001'7c01, 0, 0, {}}, {0x0080'0008'0020'0100}},
    {"sum of f16 is an f32", {Opcode::F16v2sum, 0x7bff7bff, 0, 0, {}}, {0xffffffff47ffe000}},
    {"and rounds",
     {Opcode::F16v4sum, 0x0001'7800'3c00'3c00, 0, 0, mode(RoundingMode::RUP)},
     {0x4700000140000000, flag::NX}},
    {"sum of f32", {Opcode::F32v2sum, 0x3f8000003f800000, 0, 0, {}}, {0xffffffff40000000}},
    {"maxc", {Opcode::F16v4maxc, 0x3c00'4000'bc00'c000, 0, 0, {}}, {0xffffffff4000bc00}},
    {"maxc of two halves", {Opcode::F16v2maxc, 0x3c00bc00, 0, 0, {}}, {0xffffffffffff3c00}},
    {"fnma", {Opcode::F32v2fnma, 0x4000000040000000, 0x4040000040400000, 0x40c0000041200000, {}}, {0x0000000040800000}},
    {"the third and fourth lane from rs2",
     {Opcode::F32v4tof16, 0x400000003f800000, 0x4080000040400000, 0, {}},
     {0x4400420040003c00}},
    {"upper lanes", {Opcode::F16v2tof32hi, 0x7c013c00ffffffff, 0, 0, {}}, {0x7fc000003f800000, flag::NV}},
    {"stochastic, carried",
     {Opcode::F32v2tof16, 0x3f8010003f801000, 0, 0, stochastic(0x7fff8000)},
     {0xffffffff3c003c01, flag::NX}},
    {"stochastic below the normals",
     {Opcode::F32v2tof16, 0x2b800000, 0, 0, stochastic(0xffff)},
     {0xffffffff00000001, UF_NX}},
    {"stochastic overflow",
     {Opcode::F32v2tof16, 0xc77ff000477ff000, 0, 0, stochastic(0x80008000)},
     {0xfffffffffc007c00, OF_NX}},
    {"stochastic overflow to the largest",
     {Opcode::F32v2tof16, 0xc77ff000477ff000, 0, 0, stochastic(0x7fff8000, 1)},
     {0xfffffffffbff7bff, OF_NX}},
    {"f8 1-4-3", {Opcode::F8v4tof16, 0x80'00'01'7f, 0, 0, f8(0)}, {0x7e00'0000'1400'5b80}},
    {"f8 1-5-2", {Opcode::F8v4tof16, 0x80'00'01'ff, 0, 0, f8(1)}, {0x7e00'0000'0080'fb00}},
    {"f8 scaled up", {Opcode::F8v2tof16, 0x40'c0, 0, 0, f8(0x0300)}, {0xffffffff4800c800}},
    {"f8 scaled out of range", {Opcode::F8v2tof16, 0x7f'ff, 0, 0, f8(0x1f00, 1)}, {0xffffffff7bfffbff, OF_NX}},
    {"to f8 1-4-3", {Opcode::F16v4tof8, 0x3c00'bc00'8000'1400, 0, 0, f8(0)}, {0xffffffff40c00001}},
    {"f8 saturates", {Opcode::F16v2tof8, 0x5c00'dc00, 0, 0, f8(0)}, {0xffffffffffff7fff, OF_NX}},
    {"or becomes NaN", {Opcode::F16v2tof8, 0x5c00'dc00, 0, 0, f8(0, 2)}, {0xffffffffffff8080, OF_NX}},
    {"infinities saturate without flags", {Opcode::F16v2tof8, 0x7c00'fc00, 0, 0, f8(1)}, {0xffffffffffff7fff}},
    {"NaNs become the f8 NaN", {Opcode::F16v2tof8, 0x7e00'7c01, 0, 0, f8(1)}, {0xffffffffffff8080, flag::NV}},
    {"zero has one f8", {Opcode::F16v2tof8, 0x8001'8000, 0, 0, f8(0)}, {0xffffffffffff0000, UF_NX}},
    {"to f8 scaled down", {Opcode::F16v2tof8, 0x4800'c800, 0, 0, f8(0x0300)}, {0xffffffffffff40c0}},
    {"the ends of (-1/2, 1/2)",
     {Opcode::F32v2sufromui, 0xffffffff00000000, 0, 0, mode(RoundingMode::RTZ)},
     {0x3f000000bf000000}},
    {"its middle", {Opcode::F32v2sufromui, 0x800000007fffffff, 0, 0, {}}, {0x2f000000af000000}},
    {"in f16", {Opcode::F16v4sufromui, 0xffff'8000'7fff'4000, 0, 0, {}}, {0x3800'0080'8080'b400}},
};

TEST_CASE("known answers of the packed instructions") {
  PackedReference reference;
  for (const Known& known : kKnown) {
    INFO(known.what << ": " << spec::info(known.c.op).mnemonic);
    const PackedCase& c = known.c;
    for (const VectorResult got :
         {reference.execute(c.op, c.a, c.b, c.c, c.control), model::packed_execute(c.op, c.a, c.b, c.c, c.control)}) {
      CHECK(got.value == known.want.value);
      CHECK(int{got.flags} == int{known.want.flags});
    }
  }
}

}  // namespace
}  // namespace tessera::tb
