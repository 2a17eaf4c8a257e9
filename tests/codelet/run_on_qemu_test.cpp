// Linked codelets run on QEMU's rv32, a machine that knows nothing of this project: calling convention, state layout,
// start order, runtime library. Results are compared on the tile side with bits computed on the host.
#include <catch2/catch.hpp>
#include <cstring>
#include <map>

#include "compiler/codelet/compile.h"
#include "compiler/codelet/link.h"
#include "compiler/codelet/subprocess.h"
#include "compiler/codelet/toolchain.h"
#include "temporary_directory.h"

extern "C" {
float device_expf(float), device_logf(float), device_sinf(float), device_tanhf(float), device_powf(float, float);
}

using namespace tessera;

namespace {

constexpr std::uint32_t kRam = 0x80000000, kText = 0x80001000, kData = 0x80080000, kList = 0x80200000,
                        kHeap = 0x80210000, kEnd = 0x80280000;

constexpr const char* kCodelets = R"(
#include <poplar/Vertex.hpp>
#include <cmath>
using namespace poplar;

template <class T> struct Equal : Vertex {
  Input<Vector<T>> a;
  Input<Vector<T, VectorLayout::ONE_PTR>> b;
  bool compute() {
    for (unsigned i = 0; i < a.size(); ++i) if (a[i] != b[i]) return false;
    return a.size() != 0;
  }
};
template struct Equal<unsigned>;
template struct Equal<long long>;

struct Functions : Vertex {
  Input<Vector<float>> x;
  Output<Vector<float, VectorLayout::ONE_PTR>> y;
  float exponent;
  void compute() {
    for (unsigned i = 0; i < x.size(); ++i) {
      float *to = &y[5 * i];
      to[0] = std::exp(x[i]), to[1] = std::log(x[i]), to[2] = std::sin(x[i]), to[3] = std::tanh(x[i]);
      to[4] = std::pow(x[i], exponent);
    }
  }
};

struct Divide : MultiVertex {
  Vector<Input<Vector<long long>>> operands;
  Vector<Output<long long>> results;
  InOut<half> scale;
  bool compute(unsigned worker) {
    for (unsigned i = 0; i < operands[0].size(); ++i) results[i] = operands[0][i] / operands[1][i];
    *scale = *scale * half(1.1f) + half(worker);
    return worker == 3;
  }
};
)";

// Tile memory under construction.
class Memory {
 public:
  Memory() : bytes_(kEnd - kRam) {}

  void put(std::uint32_t address, const void* data, std::size_t size) {
    REQUIRE(address >= kRam);
    REQUIRE(address + size <= kEnd);
    if (size != 0) std::memcpy(&bytes_[address - kRam], data, size);
  }
  void word(std::uint32_t address, std::uint32_t value) { put(address, &value, 4); }

  // Space for values, aligned to 8; returns its address.
  template <class T>
  std::uint32_t place(const std::vector<T>& values) {
    const std::uint32_t at = next_;
    put(at, values.data(), values.size() * sizeof(T));
    next_ += static_cast<std::uint32_t>(values.size() * sizeof(T) + 15) / 8 * 8;
    return at;
  }

  // An emulation started at `start`; true if every vertex of the list gave 1.
  bool run(std::uint32_t start) {
    const std::uint32_t offset = start - kRam;  // jal x0, offset
    word(kRam, 0x6f | (offset & 0xff000) | (offset & 0x800) << 9 | (offset & 0x7fe) << 20);
    const TemporaryDirectory directory;
    const std::string image = directory.write("image.bin", std::string(bytes_.begin(), bytes_.end()));
    const auto result =
        compiler::run_tool({compiler::find_tool("qemu-system-riscv32", "qemu-system-misc"), "-machine", "virt", "-cpu",
                            "rv32,Zfh=true,zba=true,zbb=true", "-display", "none", "-serial", "none", "-monitor",
                            "none", "-bios", "none", "-device", "loader,file=" + image + ",addr=0x80000000"});
    INFO(result.output);
    CHECK(result.status <= 1);
    return result.status == 0;
  }

 private:
  std::vector<std::uint8_t> bytes_;
  std::uint32_t next_ = kHeap;
};

struct Program {
  Program() {
    library = compiler::compile_codelet_text(kCodelets, "codelets.cpp");
    compiler::append(library, compiler::compile_codelets({QEMU_START_SOURCE}));
    std::vector<std::string> entries = {"qemu_start"};
    for (const auto& codelet : library.codelets) entries.push_back(codelet.entry_symbol);
    image = compiler::link_tile_text({&library}, entries, {kText, kData});
    memory.put(image.text_base, image.text.data(), image.text.size());
    memory.put(image.rodata_base, image.rodata.data(), image.rodata.size());
    memory.put(image.data_base, image.data.data(), image.data.size());
  }

  // Adds a vertex; `fields` gives the words of each field.
  void add(const std::string& name, const std::map<std::string, std::vector<std::uint32_t>>& fields) {
    const graph::CodeletInfo* codelet = compiler::find_codelet(library, name);
    REQUIRE(codelet != nullptr);
    REQUIRE(codelet->fields.size() == fields.size());
    const std::uint32_t state = memory.place(std::vector<std::uint8_t>(codelet->state_size));
    for (const auto& field : codelet->fields) {
      const auto& words = fields.at(field.name);
      memory.put(state + field.offset, words.data(), words.size() * 4);
    }
    memory.word(kList + 8 * vertices, image.symbols.at(codelet->entry_symbol));
    memory.word(kList + 8 * vertices + 4, state);
    ++vertices;
  }
  bool run() { return memory.run(image.symbols.at("qemu_start")); }

  compiler::CodeletLibrary library;
  compiler::LinkedText image;
  Memory memory;
  unsigned vertices = 0;
};

std::uint32_t bits(float x) {
  std::uint32_t word;
  std::memcpy(&word, &x, 4);
  return word;
}

// Runs Functions over some arguments and compares; `error` is added to one expected word.
bool functions_agree(std::uint32_t error) {
  Program program;
  std::vector<float> x;
  std::vector<std::uint32_t> expected;
  for (int i = 1; i < 400; ++i) {
    const float v = static_cast<float>(i) * static_cast<float>(i) * 0x1.2345p-9f;
    x.push_back(v);
    for (float y : {device_expf(v), device_logf(v), device_sinf(v), device_tanhf(v), device_powf(v, 0.37f)}) {
      expected.push_back(bits(y));
    }
  }
  expected[777] += error;
  const auto count = static_cast<std::uint32_t>(x.size());
  const std::uint32_t y = program.memory.place(std::vector<float>(5 * x.size()));
  program.add("Functions", {{"x", {program.memory.place(x), count}}, {"y", {y}}, {"exponent", {bits(0.37f)}}});
  program.add("Equal<unsigned int>", {{"a", {y, 5 * count}}, {"b", {program.memory.place(expected)}}});
  return program.run();
}

}  // namespace

TEST_CASE("float functions give the host's bits on rv32") {
  CHECK(functions_agree(0));
  CHECK_FALSE(functions_agree(1));
}

TEST_CASE("lists, 64-bit division, half state and the worker number work on rv32") {
  Program program;
  std::vector<long long> n, d, q;
  for (long long i = 1; i < 200; ++i) {
    n.push_back((i % 2 ? -1 : 1) * i * i * i * i * 987654321), d.push_back(i % 3 ? i * 31 : -i * 8589934592);
    q.push_back(n.back() / d.back());
  }
  const auto count = static_cast<std::uint32_t>(n.size());
  const std::uint32_t results = program.memory.place(std::vector<long long>(n.size()));
  std::vector<std::uint32_t> pointers;
  for (std::uint32_t i = 0; i < count; ++i) pointers.push_back(results + 8 * i);
  const std::uint32_t operands =
      program.memory.place(std::vector<std::uint32_t>{program.memory.place(n), count, program.memory.place(d), count});
  // 2 * 1.1 in half: 1.1 is 0x3c66, twice that 0x4066; plus 3 is 5.199219, 0x4533.
  const std::uint32_t scale = program.memory.place(std::vector<std::uint32_t>{0x4000});
  program.add("Divide",
              {{"operands", {operands, 2}}, {"results", {program.memory.place(pointers), count}}, {"scale", {scale}}});
  program.add("Equal<long long>", {{"a", {results, count}}, {"b", {program.memory.place(q)}}});
  program.add("Equal<unsigned int>",
              {{"a", {scale, 1}}, {"b", {program.memory.place(std::vector<std::uint32_t>{0x4533})}}});
  CHECK(program.run());
}
