// Copies of random views between random layouts, run on model tiles and compared with the same copy made on the host by
// a list of elements that shares nothing with the views of the compiler.
#include <catch2/catch.hpp>
#include <random>

#include "compiler/passes/compile.h"
#include "tests/compiler/graph_builder.h"
#include "tests/compiler/program_runner.h"
#include "tests/poplar/index_model.h"

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
      const View source = view(variables[from], from, n, true), target = view(variables[to], to, n, false);
      steps.push_back(copy(source.tensor, target.tensor));
      apply(source.shows, target.shows, size, expected);
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

  // A view as the compiler gets it, and what it shows, worked out one element at a time.
  struct View {
    TensorRef tensor;
    index_model::Model shows;
  };

  // n elements of one variable: a slice, possibly strided, reversed or (sources) repeated.
  View view(const TensorRef& v, graph::VariableId variable, std::size_t n, bool source) {
    const std::size_t elements = v.view.num_elements();
    const index_model::Model all = index_model::whole(variable, {elements});
    if (source && below(4) == 0) {
      const std::size_t element = below(elements);
      return {{v.type, v.view.slice(0, element, element + 1).broadcast(0, n)},
              index_model::broadcast(index_model::slice(all, 0, element, element + 1), 0, n)};
    }
    if (2 * n <= elements && below(3) == 0) {
      const std::size_t begin = below(elements - 2 * n + 1);
      return {{v.type, v.view.slice(0, begin, begin + 2 * n).sub_sample(0, 2)},
              index_model::sub_sample(index_model::slice(all, 0, begin, begin + 2 * n), 0, 2)};
    }
    const std::size_t begin = below(elements - n + 1);
    const TensorView part = v.view.slice(0, begin, begin + n);
    const index_model::Model shows = index_model::slice(all, 0, begin, begin + n);
    if (below(3) == 0) return {{v.type, part.reverse(0)}, index_model::reverse(shows, 0)};
    return {{v.type, part}, shows};
  }

  // All elements are read before any is written.
  static void apply(const index_model::Model& source, const index_model::Model& target, std::size_t size,
                    std::vector<std::vector<std::uint8_t>>& data) {
    std::vector<std::uint8_t> moved;
    for (const index_model::Element& e : source.elements)
      for (std::size_t byte = 0; byte < size; ++byte) moved.push_back(data[e.variable][e.element * size + byte]);
    auto from = moved.begin();
    for (const index_model::Element& e : target.elements)
      for (std::size_t byte = 0; byte < size; ++byte) data[e.variable][e.element * size + byte] = *from++;
  }

  std::mt19937 random_;
  spec::Machine machine_;
};

}  // namespace

TEST_CASE("random copies of words, halves and bytes equal the host's") {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    INFO("seed " << seed);
    RandomCopies copies(seed, seed % 5 == 0 ? "mk2-16" : seed % 5 == 1 ? "mk1-4" : seed % 5 == 2 ? "small-4" : "mk2-4");
    copies.run(ElementType::kUnsignedInt, 40);
    copies.run(ElementType::kUnsignedShort, 40);
    copies.run(ElementType::kChar, 40);
    if (seed % 10 == 0) copies.run(ElementType::kUnsignedInt, 1000);  // enough small pieces to be packed
  }
}
