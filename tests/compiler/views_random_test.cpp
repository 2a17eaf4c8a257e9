// Random programs as they are, each block for itself, against the same with views in memory that is shared: what the
// host sees is the same, wherever it is not undefined.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "compiler/passes/memory/allocate.h"
#include "compiler/passes/memory/find_lives.h"
#include "compiler/passes/memory/views.h"
#include "tb/random/random.h"
#include "tb/tier.h"
#include "tests/compiler/random_lives.h"

using namespace tessera;
using namespace tessera::compiler;

namespace {

constexpr unsigned kRuns = 30;

struct Byte {
  std::uint8_t value = 0;
  bool known = false;
  bool operator==(const Byte&) const = default;
};
using Bytes = std::vector<Byte>;

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t z = (a ^ (b + 0x9e3779b97f4a7c15ull + (a << 6) + (a >> 2))) * 0xbf58476d1ce4e5b9ull;
  return z ^ z >> 29;
}

// Regions that a vertex reads: inputs, what it changes, and outputs that something else gives values as well.
std::vector<bool> find_read(const ir::Program& program) {
  std::vector<bool> given(program.blocks.size());
  for (ir::BlockId block = 0; block < given.size(); ++block) given[block] = program.blocks[block].copied;
  for (const ir::Content& content : program.contents) given[content.at.block] = true;
  for (std::size_t i = 0; i < program.host_transfers.size(); ++i)
    if (ir::is_to_device(program.host.streams[i].use))
      for (const ir::HostRun& run : program.host_transfers[i].runs) given[run.at.block] = true;
  std::vector<bool> read;
  for (const ir::Region& region : program.regions)
    read.push_back(region.access != graph::FieldKind::kOutput || given[region.at.block]);
  return read;
}

// Runs a program on memory that `address` gives it; random decisions are those of the seed.
template <class Address>
class Machine {
 public:
  // What nobody has given a value is undefined, or, without `knows`, something.
  Machine(const ir::Program& program, const std::vector<bool>& read, const Address& address, bool knows,
          std::uint64_t seed)
      : program_(program), read_(read), address_(address), knows_(knows), random_(seed) {}

  std::vector<Bytes> run() {
    for (const ir::Content& content : program_.contents) {
      Bytes bytes;
      for (const std::uint8_t value : content.bytes) bytes.push_back({value, true});
      put(content.at, bytes);
    }
    for (unsigned i = 0; i < kRuns; ++i)
      run(program_.entries[random_.below(static_cast<std::uint32_t>(program_.entries.size()))].body);
    return std::move(seen_);
  }

 private:
  Bytes get(const ir::Place& at, std::uint32_t bytes) {
    Bytes result;
    for (std::uint32_t i = 0; i < bytes; ++i) {
      const auto key = address_({at.block, at.offset + i});
      const auto [byte, fresh] = memory_.try_emplace(key);
      if (fresh && !knows_) byte->second = {static_cast<std::uint8_t>(mixed(key, 7)), true};
      result.push_back(byte->second);
    }
    return result;
  }
  void put(const ir::Place& at, const Bytes& bytes) {
    for (std::uint32_t i = 0; i < bytes.size(); ++i) memory_[address_({at.block, at.offset + i})] = bytes[i];
  }

  void run(std::uint32_t body) {
    for (const ir::Step& step : program_.bodies[body]) run(step);
  }
  void run(const ir::Step& step) {
    ++time_;
    switch (step.kind) {
      case ir::StepKind::kRepeat:
        for (std::uint32_t turns = 1 + random_.below(3); turns > 0; --turns) run(step.bodies[0]);
        return;
      case ir::StepKind::kWhile:
        for (std::uint32_t turns = random_.below(3);; --turns) {
          run(step.bodies[0]);
          seen_.push_back(get(step.flag, 4));
          if (turns == 0) return;
          run(step.bodies[1]);
        }
      case ir::StepKind::kIf:
        seen_.push_back(get(step.flag, 4));
        return run(step.bodies[random_.below(2)]);
      case ir::StepKind::kCall:
        return run(program_.functions[step.index]);
      case ir::StepKind::kCopy:
        return move(program_.exchanges[step.index]);
      case ir::StepKind::kCompute:
        return compute(step.index);
      case ir::StepKind::kHost:
        for (const std::uint32_t t : step.transfers)
          if (!ir::is_to_device(program_.host.streams[t].use)) transfer(t, false);
        for (const std::uint32_t t : step.transfers)
          if (ir::is_to_device(program_.host.streams[t].use)) transfer(t, true);
        return;
      default:  // what is forgotten is undefined where that is known
        if (!knows_) return;
        for (const ir::Span& span : step.undefined) put(span.at, Bytes(span.bytes));
    }
  }

  void move(const ir::Exchange& exchange) {
    std::vector<Bytes> values;
    for (const ir::Move& m : exchange.moves) values.push_back(get(m.source, m.bytes));
    for (std::size_t i = 0; i < values.size(); ++i) put(exchange.moves[i].target, values[i]);
  }

  void compute(std::uint32_t index) {
    std::vector<std::pair<ir::Place, Bytes>> results;
    for (const ir::Vertex& vertex : program_.computes[index].vertices) {
      std::uint64_t hash = mixed(index, vertex.tile);
      bool known = true;
      for (std::uint32_t r = vertex.first_region; r < vertex.first_region + vertex.regions; ++r) {
        if (!read_[r]) continue;
        for (const Byte& byte : get(program_.regions[r].at, 4 * program_.regions[r].elements)) {
          hash = mixed(hash, byte.value);
          known &= byte.known;
        }
      }
      for (std::uint32_t r = vertex.first_region; r < vertex.first_region + vertex.regions; ++r) {
        if (program_.regions[r].access == graph::FieldKind::kInput) continue;
        Bytes bytes;
        for (std::uint32_t i = 0; i < 4 * program_.regions[r].elements; ++i)
          bytes.push_back({static_cast<std::uint8_t>(mixed(hash, 100 * r + i) >> 20), known});
        results.emplace_back(program_.regions[r].at, std::move(bytes));
      }
    }
    for (const auto& [at, bytes] : results) put(at, bytes);
  }

  void transfer(std::uint32_t number, bool to_device) {
    for (const ir::HostRun& run : program_.host_transfers[number].runs) {
      if (!to_device) {
        seen_.push_back(get(run.at, 4 * run.words));
        continue;
      }
      Bytes bytes;
      for (std::uint32_t i = 0; i < 4 * run.words; ++i)
        bytes.push_back({static_cast<std::uint8_t>(mixed(mixed(time_, number), i) >> 13), true});
      put(run.at, bytes);
    }
  }

  const ir::Program& program_;
  const std::vector<bool>& read_;
  const Address& address_;
  bool knows_;
  tessera::test::Random random_;
  std::uint64_t time_ = 0;
  std::map<std::uint64_t, Byte> memory_;
  std::vector<Bytes> seen_;
};

template <class Address>
std::vector<Bytes> run(const ir::Program& program, const std::vector<bool>& read, const Address& address, bool knows,
                       std::uint64_t seed) {
  return Machine<Address>(program, read, address, knows, seed).run();
}

struct Counts {
  std::size_t views = 0, parts = 0, known = 0, unknown = 0;
};

void compare(std::uint64_t seed, Counts& counts) {
  const ir::Program program = test::random_program(seed, test::Copies::kNear);
  const std::vector<bool> read = find_read(program);
  const auto apart = [](const ir::Place& at) { return std::uint64_t{at.block} << 32 | at.offset; };
  const std::vector<Bytes> wanted = run(program, read, apart, true, seed);

  const Views views = find_views(program, {});
  ir::Program viewed = program;
  if (views.any()) use_views(views, viewed);
  for (ir::BlockId block = 0; block < views.homes.size(); ++block) {
    const bool view = !has_own_memory(views.homes, block);
    counts.views += view;
    counts.parts += view && program.blocks[views.homes[block].block].bytes != program.blocks[block].bytes;
  }
  const spec::Machine machine = spec::load_machine("mk2-4");
  compiler::Text text;
  text.text_end = machine.memory_base + 1000;
  text.data_base = machine.memory_end() - 16;
  ir::Blocks blocks = viewed.blocks;
  const Plans plans = plan_exchanges(viewed, blocks);
  Lives lives = find_lives(viewed, plans, blocks, true);
  add_lives(views, lives);
  const Layout layout =
      allocate({}, machine, text, viewed, lives, blocks, views.any() ? views.homes : own_homes(program.blocks.size()));
  const auto together = [&](const ir::Place& at) {
    return std::uint64_t{blocks[at.block].tile} << 32 | layout.address_of(at);
  };
  const std::vector<Bytes> seen = run(viewed, read, together, false, seed);

  REQUIRE(seen.size() == wanted.size());
  for (std::size_t i = 0; i < seen.size(); ++i)
    for (std::size_t b = 0; b < seen[i].size(); ++b) {
      if (!wanted[i][b].known) {
        ++counts.unknown;
        continue;
      }
      ++counts.known;
      if (seen[i][b].value == wanted[i][b].value) continue;
      CAPTURE(seed, i, b);
      FAIL("what the host sees is another value with views");
    }
}

}  // namespace

TEST_CASE("views change nothing that the host sees of random programs") {
  Counts counts;
  const std::uint64_t first = test::seed_from_environment(1);
  const auto programs = static_cast<unsigned>(test::in_tier(250, 2000));
  for (std::uint64_t seed = first; seed < first + programs; ++seed) compare(seed, counts);
  CAPTURE(first, counts.views, counts.parts, counts.known, counts.unknown);
  CHECK(counts.views > 2 * programs);
  CHECK(counts.parts > programs / 8);
  CHECK(counts.known > 5000 * programs);
}
