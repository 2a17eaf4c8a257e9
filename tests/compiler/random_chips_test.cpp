// Random programs on the tiles of four chips leave what they leave on as many tiles of one.
#include <catch2/catch.hpp>
#include <iostream>
#include <random>
#include <set>

#include "compiler/passes/compile.h"
#include "tb/random/random.h"
#include "tests/compiler/codelet_source.h"
#include "tests/compiler/program_runner.h"
#include "tests/compiler/system_runner.h"

using namespace tessera;
using namespace tessera::test;

namespace {

constexpr std::uint32_t kTiles = 16, kTilesOfChip = 4;

const char* const kCodelets = R"(
  template <class T> struct Mix : Vertex {
    Input<Vector<T>> a, b; InOut<Vector<T>> out;
    bool compute() {
      for (unsigned i = 0; i < out.size(); ++i) out[i] = static_cast<T>(3 * out[i] + a[i] + 7 * b[i]);
      return out[0] & 1;
    }
  };
  template struct Mix<unsigned char>; template struct Mix<unsigned short>; template struct Mix<unsigned>;)";

struct Piece {
  std::size_t begin, end;
  std::uint32_t tile;
};

class RandomProgram {
 public:
  explicit RandomProgram(std::uint64_t seed) : random_(seed), b(kTiles) {
    add_codelets(b, kCodelets);
    for (int i = 0; i < 3; ++i)
      for (const ElementType type :
           {ElementType::kUnsignedChar, ElementType::kUnsignedShort, ElementType::kUnsignedInt})
        add_variable(type);
    flag_ = b.variable("flag", ElementType::kInt, {{1, below(kTiles)}});
    b.handles("flag", flag_);
    program = steps(2);
  }

  // Values of everything at the beginning.
  std::vector<std::uint8_t> values(std::size_t variable) const {
    std::mt19937 random(static_cast<std::uint32_t>(variable));
    std::vector<std::uint8_t> bytes(variables_[variable].view.num_elements() *
                                    graph::size_of(variables_[variable].type));
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
    return bytes;
  }
  std::size_t variables() const { return variables_.size(); }

 private:
  std::uint32_t below(std::size_t n) { return static_cast<std::uint32_t>(random_() % n); }

  void add_variable(ElementType type) {
    std::vector<std::pair<std::size_t, std::uint32_t>> parts;
    std::vector<Piece> pieces;
    std::size_t begin = 0;
    for (std::uint32_t i = 2 + below(4); i > 0; --i) {
      const std::size_t elements = 1 + below(below(3) == 0 ? 300 : 20);
      parts.emplace_back(elements, below(kTiles));
      pieces.push_back({begin, begin + elements, parts.back().second});
      begin += elements;
    }
    const std::string name = "v" + std::to_string(variables_.size());
    variables_.push_back(b.variable(name, type, parts));
    pieces_.push_back(pieces);
    b.handles(name, variables_.back());
  }

  std::size_t of_type(std::size_t like) { return 3 * below(variables_.size() / 3) + like % 3; }

  ProgramRef copy_some() {
    const std::size_t from = below(variables_.size()), to = of_type(from);
    if (from == to) return sequence({});
    const std::size_t n = variables_[from].view.num_elements(), m = variables_[to].view.num_elements();
    const std::size_t length = 1 + below(std::min(n, m)), at = below(n - length + 1), put = below(m - length + 1);
    return copy(slice(variables_[from], at, at + length), slice(variables_[to], put, put + length));
  }

  ProgramRef compute_some() {
    const auto set = add_compute_set(b, "set" + std::to_string(sets_++));
    std::set<std::pair<std::size_t, std::size_t>> written;
    std::set<std::size_t> read;
    for (std::uint32_t i = 1 + below(4); i > 0; --i) {
      const std::size_t out = below(variables_.size()), x = of_type(out), y = of_type(out);
      const auto writes = [&](std::size_t v) {
        return std::ranges::any_of(written, [&](const auto& w) { return w.first == v; });
      };
      const std::size_t p = below(pieces_[out].size());
      if (x == out || y == out || writes(x) || writes(y) || read.contains(out) || !written.insert({out, p}).second)
        continue;
      read.insert({x, y});
      const Piece &to = pieces_[out][p], &a = pieces_[x][below(pieces_[x].size())],
                  &c = pieces_[y][below(pieces_[y].size())];
      const std::size_t length = std::min({to.end - to.begin, a.end - a.begin, c.end - c.begin});
      add_vertex(b, set, "Mix<" + std::string(name_of(variables_[out].type)) + ">", below(kTiles),
                 {{"a", slice(variables_[x], a.end - length, a.end)},
                  {"b", slice(variables_[y], c.begin, c.begin + length)},
                  {"out", slice(variables_[out], to.begin, to.begin + length)}});
    }
    return below(3) == 0 ? execute(set, flag_) : execute(set);
  }

  ProgramRef steps(unsigned depth) {
    std::vector<ProgramRef> all;
    for (std::uint32_t i = 2 + below(5); i > 0; --i) {
      const std::uint32_t kind = below(depth > 0 ? 10 : 7);
      if (kind < 4)
        all.push_back(copy_some());
      else if (kind < 7)
        all.push_back(compute_some());
      else if (kind == 7)
        all.push_back(program_of(graph::Repeat{1 + below(3), steps(depth - 1)}));
      else if (kind == 8)
        all.push_back(program_of(graph::If{flag_, steps(depth - 1), steps(depth - 1)}));
      else
        all.push_back(program_of(graph::Switch{flag_, {{1, steps(depth - 1)}}, steps(depth - 1)}));
    }
    return sequence(all);
  }
  template <class Op>
  static ProgramRef program_of(Op op) {
    return std::make_shared<const graph::Program>(graph::Program{"", std::move(op)});
  }

  std::mt19937_64 random_;
  std::vector<TensorRef> variables_;
  std::vector<std::vector<Piece>> pieces_;
  TensorRef flag_;
  unsigned sets_ = 0;

 public:
  GraphBuilder b;
  ProgramRef program;
};

using Bytes = std::vector<std::uint8_t>;

template <class Runner>
std::vector<Bytes> run(Runner&& runner, const RandomProgram& random) {
  const auto name = [](std::size_t v) { return "v" + std::to_string(v); };
  for (std::size_t v = 0; v < random.variables(); ++v) runner.write(name(v), random.values(v));
  runner.run(0);
  runner.run(0);
  std::vector<Bytes> result;
  for (std::size_t v = 0; v < random.variables(); ++v) result.push_back(runner.template read<std::uint8_t>(name(v)));
  result.push_back(runner.template read<std::uint8_t>("flag"));
  return result;
}

}  // namespace

TEST_CASE("a program leaves the same on tiles of four chips as on those of one") {
  const std::uint64_t seed = seed_from_environment(1);
  const char* limit = std::getenv("TESSERA_PROGRAMS");
  const std::uint64_t programs = limit != nullptr ? std::strtoull(limit, nullptr, 0) : 30;
  std::cout << "TESSERA_SEED=" << seed << ", " << programs << " programs" << std::endl;
  const spec::Machine one = spec::load_machine("mk2-16");
  const spec::System four = spec::load_system("mk2-4x4");
  for (std::uint64_t n = 0; n < programs; ++n) {
    INFO("TESSERA_SEED=" << seed + n);
    RandomProgram random(seed + n);
    compiler::GraphCompileOptions options;
    const std::vector<Bytes> wanted =
        run(ProgramRunner(compiler::compile(random.b.graph, {random.program}, one, options), one), random);
    options.chips = four.chips.size();
    options.optimise.merge_phases = n % 3 != 1;
    options.optimise.share_memory = n % 5 != 1;
    const chip::Backend backend = n % 10 == 9 ? chip::Backend::kRtl : chip::Backend::kModel;
    const std::vector<Bytes> found =
        run(SystemRunner(compiler::compile(random.b.graph, {random.program}, four.chips[0], options), four, backend),
            random);
    for (std::size_t v = 0; v < wanted.size(); ++v) {
      INFO("variable " << v);
      CHECK(found[v] == wanted[v]);
    }
  }
}
