// C++ codelets with packed types, ipu:: functions and __builtin_ipu_ on the model of a tile, against the host.
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

#include "compiler/codelet/compile.h"
#include "compiler/codelet/link.h"
#include "sim/model/tile.h"

using namespace tessera;

namespace {

constexpr std::uint32_t kText = 0x4c000, kData = 0x78000, kLists = 0x7c000, kState = 0x7c400, kStacks = 0x7d000,
                        kStackBytes = 1024, kIn = 0x80000, kOut = 0x90000;

// Each vertex reads floats or words at kIn and leaves its results at kOut.
constexpr const char* kCodelets = R"(
#include <poplar/Vertex.hpp>
#include <ipu_intrinsics>
#include <tessera/assembly.h>

struct Lanes : poplar::Vertex {
  poplar::Input<poplar::Vector<float, poplar::VectorLayout::ONE_PTR>> source;
  poplar::Output<poplar::Vector<float, poplar::VectorLayout::ONE_PTR>> target;
  void compute() {
    const float* in = source.data();
    float* out = target.data();
    const float2* pairs = reinterpret_cast<const float2*>(in);
    float2 a = pairs[0], b = pairs[1];
    float2* results = reinterpret_cast<float2*>(out);
    results[0] = a + b;
    results[1] = a - b * 2.0f;
    results[2] = a / b;
    results[3] = ipu::fma(a, b, float2{1.0f, 2.0f});
    results[4] = ipu::fmax(a, b);
    a[1] += 3.0f;
    results[5] = {a[1], a[0]};
    results[6] = -a;
    results[7] = (a < b) & b;
    float4 four(a, b);
    four *= float4{1.0f, 2.0f, 3.0f, 4.0f};
    results[8] = four.part[0];
    results[9] = four.part[1];
    out[20] = ipu::sum(b);
    out[21] = ipu::sqrt(in[4]);
    results[11] = ipu::clamp(a, -1.0f, 1.0f);
  }
};

struct Halves : poplar::Vertex {
  poplar::Input<poplar::Vector<half, poplar::VectorLayout::ONE_PTR>> source;
  poplar::Output<poplar::Vector<half, poplar::VectorLayout::ONE_PTR>> target;
  void compute() {
    const half* in = source.data();
    half* out = target.data();
    half4* results = reinterpret_cast<half4*>(out);
    const half4* p = reinterpret_cast<const half4*>(in);
    const half4 a = ipu::load_postinc(&p, 1), b = ipu::load_postinc(&p, 1);
    constexpr half4 kOffsets{1.0_h, 2.0_h, 3.0_h, 4.0_h};
    half4* q = results;
    ipu::store_postinc(&q, a + b, 1);
    ipu::store_postinc(&q, a * b + kOffsets, 1);
    half4 c = a;
    c[3] = in[0];
    c[0] *= 2.0_h;
    ipu::store_postinc(&q, c, 1);
    ipu::store_postinc(&q, half4(b.high(), a.low()), 1);
    ipu::store_postinc(&q, ipu::to_half(ipu::to_float(a)), 1);
    half* r = reinterpret_cast<half*>(q);
    ipu::store_postinc(&r, ipu::exp2(in[0]), 1);
    ipu::store_postinc(&r, ipu::fmax(in[0], in[1]), 1);
  }
};

// What the language has for vectors: a lane in any expression, bindings, conversions.
struct Language : poplar::Vertex {
  poplar::Input<poplar::Vector<float, poplar::VectorLayout::ONE_PTR>> source;
  poplar::Output<poplar::Vector<float, poplar::VectorLayout::ONE_PTR>> target;
  void compute() {
    const float2* in = reinterpret_cast<const float2*>(&source[0]);
    const float* same = &source[0];
    float* out = &target[0];
    float2 v = in[0];
    auto [x, y] = v * 2;
    static_assert(std::is_same<decltype(x), float>::value, "a lane by value");
    out[0] = x + y;
    out[1] = 2 * v[0] + v[1] * 2.0f - 1u;
    out[2] = std::max(v[0], 1.0f) + std::min(v[0], v[1]) + __builtin_ipu_max(v[0], 2.0f);
    out[3] = (v[0] < 3) + (0 < v[1]) * 2;
    v[0]++;
    --v[1];
    out[4] = v[0];
    out[5] = v[1];
    const float2 scaled = v * v[0];
    out[6] = scaled[1];
    const int2 whole = __builtin_convertvector(v, int2);
    const half2 rounded = __builtin_convertvector(v, half2);
    const float2 back = __builtin_convertvector(rounded, float2);
    out[7] = whole[0] + back[1];
    const int2 mask = (int2)(v < float2(0.0f));
    out[8] = mask[0] + 2 * mask[1];
    half4 four(1.0_h, 2.0_h, 3.0_h, 4.0_h);
    const auto [a, b, c, d] = four;
    out[9] = a + 10 * b + 100 * c + 1000.0f * d;
    half sum = four[3];
    sum += four[2];
    sum = 0.5f * sum * four[1];
    out[10] = sum + same[1] + (v[0] == four[0]);
  }
};

struct Accumulate : poplar::Vertex {
  poplar::Input<poplar::Vector<float, poplar::VectorLayout::ONE_PTR>> source;
  poplar::Output<poplar::Vector<float, poplar::VectorLayout::ONE_PTR>> target;
  void compute() {
    const float* in = source.data();
    float* out = target.data();
    const float2* p = reinterpret_cast<const float2*>(in);
    float2* q = reinterpret_cast<float2*>(out);
    __builtin_ipu_aacc_zero();
    for (unsigned i = 0; i < 4; ++i) {
      const float2 x = ipu::load_postinc(&p, 1);
      __builtin_ipu_f32v2mac(x, x);
    }
    q[0] = __builtin_ipu_f32v2gina(float2(0.0f), 0);
    __builtin_ipu_put_tas(0.5f);
    __builtin_ipu_f32v2axpy(p[-1], p[-2]);
    q[1] = __builtin_ipu_f32v2axpy(float2(0.0f), float2(0.0f));
    const float4* wide = reinterpret_cast<const float4*>(in);
    const float4 first = ipu::load128_postinc(&wide), second = ipu::load128_postinc(&wide);
    const float4 sum = first + second;
    q[2] = sum.part[0];
    q[3] = sum.part[1];
  }
};

// Sixteen outputs of the weights that the supervisor loaded, for sixteen inputs.
struct Matrix : poplar::Vertex {
  poplar::Input<poplar::Vector<half, poplar::VectorLayout::ONE_PTR>> source;
  poplar::Output<poplar::Vector<half, poplar::VectorLayout::ONE_PTR>> target;
  void compute() {
    const half4* x = reinterpret_cast<const half4*>(source.data());
    half4* r = reinterpret_cast<half4*>(target.data());
    const half4 zero(0.0_h);
    __builtin_ipu_aacc_zero();
    __builtin_ipu_f16v4hihov4amp(x[0], zero, 0);
    __builtin_ipu_f16v4hihov4amp(x[1], zero, 1);
    __builtin_ipu_f16v4hihov4amp(x[2], zero, 2);
    __builtin_ipu_f16v4hihov4amp(x[3], zero, 3);
    r[0] = __builtin_ipu_f16v4hihov4amp(zero, zero, 0);
    r[1] = __builtin_ipu_f16v4hihov4amp(zero, zero, 1);
    r[2] = __builtin_ipu_f16v4hihov4amp(zero, zero, 2);
    r[3] = __builtin_ipu_f16v4hihov4amp(zero, zero, 3);
  }
};

// A supervisor in C++: weights from 0xa0000, then all workers on their lists.
extern "C" void __tessera_worker();
template <unsigned n>
inline void load_weights(const void* weights) {
  if constexpr (n < 32) {
    xipu_ld128putcs(weights, n);
    load_weights<n + 1>(weights);
  }
}
extern "C" void supervisor_in_cpp() {
  load_weights<0>(reinterpret_cast<const void*>(0xa0000));
  xipu_runall(__tessera_worker, 0x7c000, 64);
  xipu_sync(0, 0);
  xipu_trap(1);
}

struct Bits : poplar::Vertex {
  poplar::Input<poplar::Vector<unsigned, poplar::VectorLayout::ONE_PTR>> source;
  poplar::Output<poplar::Vector<unsigned, poplar::VectorLayout::ONE_PTR>> target;
  void compute() {
    const unsigned* in = source.data();
    unsigned* out = target.data();
    out[0] = __builtin_ipu_shuf8x8lo(in[0], in[1]);
    out[1] = __builtin_ipu_roll8r(in[0], in[1]);
    out[2] = __builtin_ipu_bitrev8(in[0]);
    out[3] = __builtin_ipu_cms(in[1]);
    out[4] = __builtin_ipu_get_worker_id();
    __builtin_ipu_put(1, TESSERA_CSR_XPRNGSEED);
    const unsigned low = __builtin_ipu_urand32();
    __builtin_ipu_put(1, TESSERA_CSR_XPRNGSEED);
    out[5] = static_cast<unsigned>(__builtin_ipu_urand64()) == low;
    unsigned count = 0, turns = in[2];
    asm("xipu_rpt %1, 1\n addi %0, %0, 3" : "+r"(count) : "r"(turns));
    out[6] = count;
    ipu::AddressTriple triple(in, in + 2, out + 8);
    out[7] = reinterpret_cast<unsigned>(triple.address<2>()) - reinterpret_cast<unsigned>(out);
    // Copies one float2 with the paced instruction.
    const float2 first = ipu::load_store_pace(triple, float2(1.0f));
    ipu::AddressTriple next(in, in, out + 10);
    ipu::load_store_pace(next, first);
  }
};
)";

class Tile {
 public:
  Tile() {
    library_ = compiler::compile_codelet_text(kCodelets, "packed.cpp");
    compiler::append(library_, compiler::compile_codelets({SUPERVISOR_START_SOURCE}));
    const auto runtime = compiler::load_runtime_library();
    image_ = compiler::link_tile_text(
        {&library_, &runtime},
        {"supervisor_start", "supervisor_in_cpp", compiler::kWorkerSymbol, "__vertex_Matrix", "__vertex_Lanes",
         "__vertex_Halves", "__vertex_Language", "__vertex_Accumulate", "__vertex_Bits"},
        {kText, kData});
    put(image_.text_base, image_.text);
    put(image_.rodata_base, image_.rodata);
    put(image_.data_base, image_.data);
  }

  // Runs one vertex in worker 2, which has `in` and `out` as its state.
  void run(const std::string& vertex, const std::string& supervisor = "supervisor_start") {
    constexpr std::uint32_t worker = 2;
    for (unsigned w = 0; w < 6; ++w) set(kLists + 64 * w + 8, 0);
    const std::uint32_t list = kLists + 64 * worker;
    set(list, kStacks + kStackBytes);
    set(list + 4, kStacks);
    set(list + 8, image_.symbols.at("__vertex_" + vertex));
    set(list + 12, kState);
    set(list + 16, 0);
    set(kState, kIn);
    set(kState + 4, kOut);
    chip::TileInputs in;
    chip::TileOutputs out;
    in.debug_valid = in.debug_write = true;
    in.debug_space = chip::DebugSpace::kControl;
    in.debug_wdata = image_.symbols.at(supervisor);
    tile_.step(in, out);
    in.debug_valid = in.debug_write = false;
    for (in.cycle = 1; in.cycle < 100000 && tile_.exception().cause == 0; ++in.cycle) tile_.step(in, out);
    INFO("pc " << std::hex << tile_.exception().pc << " value " << tile_.exception().value);
    REQUIRE(static_cast<unsigned>(tile_.exception().cause) == 2);  // the supervisor's trap
    REQUIRE(static_cast<unsigned>(tile_.exception().context) == 0);
  }
  void set(std::uint32_t address, std::uint32_t word) { tile_.state().memory.write_word(address, word); }
  void set_float(unsigned i, float value) { set(kIn + 4 * i, std::bit_cast<std::uint32_t>(value)); }
  std::uint32_t word(std::uint32_t address) const {
    return static_cast<std::uint32_t>(tile_.peek(address & ~7u) >> 8 * (address & 4));
  }
  float result(unsigned i) const { return std::bit_cast<float>(word(kOut + 4 * i)); }
  std::uint32_t half_result(unsigned i) const { return word(kOut + 4 * (i / 2)) >> 16 * (i % 2) & 0xffff; }

 private:
  void put(std::uint32_t address, const std::vector<std::uint8_t>& bytes) {
    for (std::size_t i = 0; i < bytes.size(); i += 4) {
      std::uint32_t value = 0;
      for (std::size_t k = i; k < bytes.size() && k < i + 4; ++k) value |= std::uint32_t{bytes[k]} << 8 * (k - i);
      set(address + static_cast<std::uint32_t>(i), value);
    }
  }

  compiler::CodeletLibrary library_;
  compiler::LinkedText image_;
  model::ModelTile tile_{spec::load_machine("mk2-4"), 0};
};

// Of a number that f16 has, not subnormal.
std::uint32_t half_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return value == 0 ? 0 : (bits >> 16 & 0x8000) | ((bits >> 23 & 0xff) - 112) << 10 | (bits >> 13 & 0x3ff);
}

}  // namespace

TEST_CASE("float2 and float4 compute lane by lane as float does") {
  Tile tile;
  const float a[] = {1.5f, -7.25f}, b[] = {0.3f, 12.0f};
  for (unsigned i = 0; i < 2; ++i) {
    tile.set_float(i, a[i]);
    tile.set_float(2 + i, b[i]);
  }
  tile.set_float(4, 2.0f);
  tile.run("Lanes");
  const float changed[] = {a[0], a[1] + 3.0f};
  for (unsigned i = 0; i < 2; ++i) {
    INFO("lane " << i);
    CHECK(tile.result(i) == a[i] + b[i]);
    const float doubled = b[i] * 2.0f;
    CHECK(tile.result(2 + i) == a[i] - doubled);
    CHECK(tile.result(4 + i) == a[i] / b[i]);
    CHECK(tile.result(6 + i) == std::fma(a[i], b[i], i == 0 ? 1.0f : 2.0f));
    CHECK(tile.result(8 + i) == std::fmax(a[i], b[i]));
    CHECK(tile.result(10 + i) == changed[1 - i]);
    CHECK(tile.result(12 + i) == -changed[i]);
    CHECK(tile.result(14 + i) == (changed[i] < b[i] ? b[i] : 0.0f));
    CHECK(tile.result(16 + i) == changed[i] * static_cast<float>(i + 1));
    CHECK(tile.result(18 + i) == b[i] * static_cast<float>(i + 3));
    CHECK(tile.result(22 + i) == std::fmin(std::fmax(changed[i], -1.0f), 1.0f));
  }
  CHECK(tile.result(20) == b[0] + b[1]);
  CHECK(tile.result(21) == std::sqrt(2.0f));
}

TEST_CASE("half4 computes lane by lane; pointers move with loads and stores") {
  Tile tile;
  const float a[] = {3, -2, 0.5f, 10}, b[] = {1, 4, -8, 0.25f};
  for (unsigned i = 0; i < 4; i += 2) {
    tile.set(kIn + 2 * i, half_bits(a[i]) | half_bits(a[i + 1]) << 16);
    tile.set(kIn + 8 + 2 * i, half_bits(b[i]) | half_bits(b[i + 1]) << 16);
  }
  tile.run("Halves");
  const float changed[] = {6, -2, 0.5f, 3}, joined[] = {b[2], b[3], a[0], a[1]};
  for (unsigned i = 0; i < 4; ++i) {
    INFO("lane " << i);
    CHECK(tile.half_result(i) == half_bits(a[i] + b[i]));
    CHECK(tile.half_result(4 + i) == half_bits(a[i] * b[i] + static_cast<float>(i + 1)));
    CHECK(tile.half_result(8 + i) == half_bits(changed[i]));
    CHECK(tile.half_result(12 + i) == half_bits(joined[i]));
    CHECK(tile.half_result(16 + i) == half_bits(a[i]));
  }
  CHECK(tile.half_result(20) == half_bits(8));
  CHECK(tile.half_result(21) == half_bits(3));
}

TEST_CASE("packed values behave as the language's vectors") {
  Tile tile;
  const float x = 2.5f, y = -3.75f;
  tile.set_float(0, x);
  tile.set_float(1, y);
  tile.run("Language");
  const float first = x + 1, second = y - 1;
  const float expected[] = {2 * x + 2 * y,  2 * x + 2 * y - 1, x + y + x, 1,    first, second,
                            second * first, 3 + second,        -2,        4321, 7 + y};
  for (unsigned i = 0; i < 11; ++i) {
    INFO("result " << i);
    CHECK(tile.result(i) == expected[i]);
  }
}

TEST_CASE("accumulators and 128-bit loads") {
  Tile tile;
  const float x[] = {1, 2, 3, 4, 5, 6, 7, 8};
  for (unsigned i = 0; i < 8; ++i) tile.set_float(i, x[i]);
  tile.run("Accumulate");
  CHECK(tile.result(0) == 1 + 9 + 25 + 49);
  CHECK(tile.result(1) == 4 + 16 + 36 + 64);
  CHECK(tile.result(2) == 0.5f * 7 + 5);
  CHECK(tile.result(3) == 0.5f * 8 + 6);
  for (unsigned i = 0; i < 4; ++i) CHECK(tile.result(4 + i) == x[i] + x[4 + i]);
}

TEST_CASE("a supervisor in C++ loads weights, a worker steps the matrix engine") {
  Tile tile;
  const auto x = [](unsigned i) { return static_cast<float>(i) - 7; };
  const auto weight = [](unsigned output, unsigned input) { return static_cast<float>((output * 5 + input * 3) % 11); };
  for (unsigned i = 0; i < 16; i += 2) tile.set(kIn + 2 * i, half_bits(x(i)) | half_bits(x(i + 1)) << 16);
  for (unsigned u = 0; u < 16; ++u)
    for (unsigned i = 0; i < 16; i += 2)
      tile.set(0xa0000 + 32 * u + 2 * i, half_bits(weight(u, i)) | half_bits(weight(u, i + 1)) << 16);
  tile.run("Matrix", "supervisor_in_cpp");
  for (unsigned u = 0; u < 16; ++u) {
    float sum = 0;
    for (unsigned i = 0; i < 16; ++i) sum += x(i) * weight(u, i);
    INFO("output " << u);
    CHECK(tile.half_result(u) == half_bits(sum));
  }
}

TEST_CASE("bits, control registers, random numbers, repeat and address triples") {
  Tile tile;
  tile.set(kIn, 0x44332211);
  tile.set(kIn + 4, 0x000788ff);
  tile.set(kIn + 8, 5);
  tile.run("Bits");
  const auto out = [&](unsigned i) { return tile.word(kOut + 4 * i); };
  CHECK(out(0) == 0x8822ff11);
  CHECK(out(1) == 0xff443322);
  CHECK(out(2) == 0x22cc4488);
  CHECK(out(3) == 12);
  CHECK(out(4) == 2);
  CHECK(out(5) == 1);
  CHECK(out(6) == 15);
  CHECK(out(7) == 32);
  CHECK(out(8) == 0x3f800000);
  CHECK(out(9) == 0x3f800000);
  CHECK(out(10) == 0x44332211);
  CHECK(out(11) == 0x000788ff);
}
