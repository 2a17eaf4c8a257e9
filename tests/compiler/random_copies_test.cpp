// Copies of random views between random layouts, run on model tiles and compared with the same copy made on the host.
#include <catch2/catch.hpp>
#include <random>

#include "compiler/passes/compile.h"
#include "tests/compiler/graph_builder.h"
#include "tests/compiler/program_runner.h"

using namespace tessera;
using namespace tessera::test;

namespace {

constexpr const char* kNames[] = {"u", "v", "w"};

class RandomCopies {
 public:
  RandomCopies(unsigned seed, const char* machine) : random_(seed), machine_(spec::load_machine(machine)) {}

  // A few copies of up to `most` elements between variables of one type, in one program.
  void run(ElementType type, std::uint32_t most) {
    const std::size_t size = graph::size_of(type);
    GraphBuilder b(machine_.tiles());
    std::vector<TensorRef> variables;
    std::vector<std::vector<std::uint8_t>> expected;
    for (int i = 0; i < 3; ++i) {
      const std::size_t elements = most + below(5 * most);
      variables.push_back(b.variable(kNames[i], type, parts(elements, 2 * most)));
      b.handles(kNames[i], variables.back());
      std::vector<std::uint8_t> bytes(elements * size);
      for (auto& byte : bytes) byte = static_cast<std::uint8_t>(below(256));
      expected.push_back(std::move(bytes));
    }
    std::vector<ProgramRef> steps;
    const std::vector<std::vector<std::uint8_t>> before = expected;
    for (int i = 0; i < 4; ++i) {
      const std::size_t n = 1 + below(most);
      const std::uint32_t from = below(3), to = (from + 1 + below(2)) % 3;
      const TensorRef source = view(variables[from], n, true), target = view(variables[to], n, false);
      steps.push_back(copy(source, target));
      apply(source.view, target.view, size, expected);
    }
    ProgramRunner runner(compiler::compile(b.graph, {sequence(steps)}, machine_), machine_);
    for (int i = 0; i < 3; ++i) runner.write(kNames[i], before[i]);
    runner.run(0);
    for (int i = 0; i < 3; ++i) CHECK(runner.read<std::uint8_t>(kNames[i]) == expected[i]);
  }

 private:
  std::uint32_t below(std::uint32_t n) { return random_() % n; }

  std::vector<std::pair<std::size_t, std::uint32_t>> parts(std::size_t elements, std::uint32_t largest) {
    std::vector<std::pair<std::size_t, std::uint32_t>> result;
    while (elements > 0) {
      const std::size_t n = std::min<std::size_t>(elements, 1 + below(below(3) == 0 ? largest : 9));
      result.push_back({n, below(machine_.tiles())});
      elements -= n;
    }
    return result;
  }

  // n elements of one variable: a slice, possibly strided, reversed or (sources) repeated.
  TensorRef view(const TensorRef& v, std::size_t n, bool source) {
    const std::size_t elements = v.view.num_elements();
    if (source && below(4) == 0) {
      const std::size_t element = below(elements);
      return {v.type, v.view.slice(0, element, element + 1).broadcast(0, n)};
    }
    if (2 * n <= elements && below(3) == 0) {
      const std::size_t begin = below(elements - 2 * n + 1);
      return {v.type, v.view.slice(0, begin, begin + 2 * n).sub_sample(0, 2)};
    }
    const std::size_t begin = below(elements - n + 1);
    TensorView part = v.view.slice(0, begin, begin + n);
    return {v.type, below(3) == 0 ? part.reverse(0) : part};
  }

  static void apply(const TensorView& source, const TensorView& target, std::size_t size,
                    std::vector<std::vector<std::uint8_t>>& data) {
    std::vector<std::uint8_t> moved;
    for (const graph::VariableRun& run : source.runs())
      moved.insert(moved.end(), data[run.variable].begin() + run.begin * size,
                   data[run.variable].begin() + run.end * size);
    std::size_t done = 0;
    for (const graph::VariableRun& run : target.runs()) {
      const std::size_t bytes = (run.end - run.begin) * size;
      std::copy_n(moved.begin() + done, bytes, data[run.variable].begin() + run.begin * size);
      done += bytes;
    }
  }

  std::mt19937 random_;
  spec::Machine machine_;
};

}  // namespace

TEST_CASE("random copies of words, halves and bytes equal the host's") {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    INFO("seed " << seed);
    RandomCopies copies(seed, seed % 5 == 0 ? "mk2-16" : "mk2-4");
    copies.run(ElementType::kUnsignedInt, 40);
    copies.run(ElementType::kUnsignedShort, 40);
    copies.run(ElementType::kChar, 40);
    if (seed % 10 == 0) copies.run(ElementType::kUnsignedInt, 1000);  // enough small pieces to be packed
  }
}
