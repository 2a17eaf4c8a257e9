#include "tests/compiler/random_graphs/generate_vertices.h"

#include <numeric>

#include "tests/compiler/random_graphs/interpreter.h"

namespace tessera::test {
namespace {

constexpr std::uint32_t kInPalette = 4;

// Every codelet is in two of them, in different company.
std::vector<Instance> palette(std::uint32_t number) {
  const auto n = static_cast<std::uint32_t>(instances().size());
  std::uint32_t stride = number % 2 == 0 ? 7 : 11;
  while (std::gcd(stride, n) != 1) ++stride;
  std::vector<Instance> chosen;
  for (std::uint32_t i = 0; i < kInPalette; ++i)
    chosen.push_back(instances()[(number / 2 * kInPalette + i) * stride % n]);
  return chosen;
}

std::uint32_t palettes() {
  return 2 * ((static_cast<std::uint32_t>(instances().size()) + kInPalette - 1) / kInPalette);
}

}  // namespace

VertexGenerator::VertexGenerator(Random& random, Recipe& recipe, ViewGenerator& views)
    : random_(random), recipe_(recipe), views_(views), palette_(palette(random.below(palettes()))) {}

// Elements of one edge: equal for codelets that go element by element.
std::size_t VertexGenerator::edge_size(const Codelet& does, std::size_t all) {
  Lengths unequal;
  while (unequal.size() < does.fields.size()) unequal.push_back({all + unequal.size()});
  return does.fits(unequal) ? 1 + random_.below(6) : all;
}

// What vertices read is often what others read.
View VertexGenerator::edge(Kind kind, bool written, std::size_t size) {
  for (unsigned tries = random_.one_in(3) && !written ? 6 : 0; tries > 0 && !inputs_.empty(); --tries) {
    const View& same = inputs_[random_.below(static_cast<std::uint32_t>(inputs_.size()))];
    const Shown shown = show(recipe_, same);
    if (shown.kind == kind && shown.elements.size() == size) return same;
  }
  View made = views_.vector(kind, written, size);
  if (!written) inputs_.push_back(made);
  return made;
}

Vertex VertexGenerator::vertex(unsigned tile) {
  const Instance chosen = palette_[random_.below(static_cast<std::uint32_t>(palette_.size()))];
  const Codelet& does = codelet(chosen.first);
  Vertex made{chosen.first, chosen.second, tile, {}, {}};
  if (does.state != nullptr) made.state.push_back(views_.value(chosen.second));
  const std::size_t n = random_.one_in(12) ? 40 + random_.below(60) : 1 + random_.below(9);
  std::size_t scalars = 0;  // of the scalar list, which is as long as the vector beside it
  for (const Field& field : does.fields) {
    const bool written = field.access != Access::kInput;
    const Kind kind = kind_of(field, chosen.second);
    std::vector<View> edges;
    std::size_t size = field.arity == Arity::kVector && scalars > 0 ? scalars : edge_size(does, n);
    if (field.arity == Arity::kScalar || field.arity == Arity::kScalarList) size = 1;
    std::size_t entries = is_list(field) ? 1 + random_.below(4) : 1;
    if (field.arity == Arity::kScalarList) scalars = entries = 1 + random_.below(8);
    for (; entries > 0; --entries) edges.push_back(edge(kind, written, size));
    made.edges.push_back(std::move(edges));
  }
  return made;
}

unsigned VertexGenerator::add_compute_set() {
  ComputeSet set;
  const bool one_tile = random_.one_in(3);
  const unsigned home = random_.below(recipe_.tiles);
  const std::uint32_t wanted = 1 + random_.below(random_.one_in(4) ? 12 : 4);
  for (std::uint32_t tries = 2 * wanted; tries > 0 && set.vertices.size() < wanted; --tries) {
    ComputeSet with = set;
    with.vertices.push_back(vertex(one_tile ? home : random_.below(recipe_.tiles)));
    try {
      check_compute_set(recipe_, with);
      set = std::move(with);
    } catch (const Invalid&) {  // it wants what another vertex has
    }
  }
  recipe_.compute_sets.push_back(std::move(set));
  return static_cast<unsigned>(recipe_.compute_sets.size() - 1);
}

unsigned VertexGenerator::add_whole_palette() {
  ComputeSet set;
  std::set<Instance> wanted(palette_.begin(), palette_.end());
  wanted.insert({"CountDown", Kind::kInt});
  for (const Instance& instance : wanted) {
    const Codelet& does = codelet(instance.first);
    Vertex made{instance.first, instance.second, 0, {}, Values(does.state != nullptr ? 1 : 0)};
    for (const Field& field : does.fields) {
      recipe_.variables.push_back({kind_of(field, instance.second), {1}, {{1, 0}}, false, {}});
      made.edges.push_back({{static_cast<unsigned>(recipe_.variables.size() - 1), {}}});
    }
    set.vertices.push_back(std::move(made));
  }
  recipe_.compute_sets.push_back(std::move(set));
  return static_cast<unsigned>(recipe_.compute_sets.size() - 1);
}

unsigned VertexGenerator::add_count_down(const View& left, const View& more, const View& done) {
  const Vertex vertex{"CountDown", Kind::kInt, random_.below(recipe_.tiles), {{left}, {more}, {done}}, {}};
  recipe_.compute_sets.push_back(ComputeSet{{vertex}});
  return static_cast<unsigned>(recipe_.compute_sets.size() - 1);
}

}  // namespace tessera::test
