// Random programs on two model tiles: one is stepped through every cycle, the other runs alone, unobserved, as long as
// nothing comes in. They have to stand in the same state wherever the second one stops.
#include <catch2/catch.hpp>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "program_generator.h"
#include "random.h"
#include "rtl/spec/machine.h"
#include "rtl/spec/words.h"
#include "sim/model/tile.h"
#include "surroundings_of_tile.h"
#include "tb/tier.h"

using namespace tessera;

namespace {

constexpr unsigned kTile = 3, kSegments = 16;
constexpr uint64_t kSegmentCycles = 30000;

struct Value {
  std::string name;
  uint64_t value;
  bool operator==(const Value&) const = default;
};

// All that decides on what a tile does from `cycle` on, but for its memory.
std::vector<Value> values_of(const model::TileState& tile, uint64_t cycle) {
  std::vector<Value> values;
  const auto add = [&](std::string name, uint64_t value) { values.push_back({std::move(name), value}); };
  for (unsigned c = 0; c < model::kContexts; ++c) {
    const auto name = [c](const std::string& what) { return what + " of context " + std::to_string(c); };
    const auto& context = tile.contexts[c];
    for (unsigned n = 0; n < 32; ++n) add(name("x" + std::to_string(n)), context.x[n]);
    add(name("pc"), context.pc);
    add(name("stack limit"), context.stack_limit);
    add(name("pass"), context.pass);
    if (c == model::kSupervisor) continue;
    const auto& floats = tile.floats[c];
    for (unsigned n = 0; n < 32; ++n) add(name("f" + std::to_string(n)), floats.f[n]);
    add(name("fflags"), floats.fflags);
    add(name("frm"), floats.frm);
    add(name("control"), floats.control);
    add(name("f8"), floats.f8);
    add(name("tas"), floats.tas);
    for (const uint32_t stride : floats.strides) add(name("stride"), stride);
    add(name("random s0"), floats.random.s0);
    add(name("random s1"), floats.random.s1);
    add(name("repeat left"), floats.repeat.left);
    if (floats.repeat.left != 0) add(name("repeat"), uint64_t{floats.repeat.first} << 32 | floats.repeat.last);
    for (const uint32_t sum : floats.engine.accumulators.a) add(name("accumulator a"), sum);
    for (const uint32_t sum : floats.engine.accumulators.s) add(name("accumulator s"), sum);
    add(name("latch x"), floats.engine.x);
    add(name("latch p"), floats.engine.p);
    add(name("latch r"), floats.engine.r);
  }
  for (unsigned n = 0; n < 128; ++n) add("weights " + std::to_string(n), tile.weights.word(n));
  for (uint64_t age = 1; age <= model::kToM; ++age) {
    const auto& issued = tile.pipeline[(cycle - age) & 7];
    add("valid, " + std::to_string(age) + " cycles old", issued.valid);
    if (!issued.valid) continue;
    add("pc in the pipeline", issued.pc);
    add("context in the pipeline", issued.context);
    add("active in the pipeline", issued.active);
    add("cycle in the pipeline", issued.cycle);
    add("word in the pipeline", issued.d.word);
  }
  for (uint64_t age = 1; age <= 8; ++age) {  // what a start of the debugger looks at
    const auto& issued = tile.pipeline[(cycle - age) & 7];
    add("ends in the pipeline", issued.ends > cycle ? issued.ends : 0);
  }
  add("drained", tile.drained > cycle ? tile.drained : 0);
  add("active", tile.workers.active());
  add("changing", tile.workers.changing());
  add("held", tile.held);
  add("stepping", tile.stepping);
  add("stopping", tile.stopping);
  add("triggered", tile.triggers.triggered());
  add("exception", tile.exception.cause);
  add("pc of the exception", tile.exception.pc);
  add("cycle of the exception", tile.exception.cycle);
  add("parity due", tile.parity.due > cycle ? tile.parity.due : 0);
  return values;
}

// What is written to memory, as who wants no records is told.
class Stores : public chip::Observer {
 public:
  bool wants_records() const override { return false; }
  void retire(unsigned, const chip::Retire& r) override {
    if (r.mem_write) write(r.mem_address, r.mem_data, r.mem_strobe);
  }
  void stored(unsigned tile, uint32_t address, uint64_t data, uint8_t strobe) override {
    REQUIRE(tile == kTile);
    REQUIRE(address % 8 == 0);
    ++told_;
    write(address, data, strobe);
  }
  void port_write(unsigned, const chip::PortWrite& w) override {
    write(w.address & ~7u, uint64_t{w.data} << (8 * (w.address & 4)), w.address & 4 ? 0xf0 : 0x0f);
  }
  void forget(uint32_t address) { words_.erase(address & ~7u); }  // changed otherwise
  void compare(const model::ModelTile& tile) const {
    for (const auto& [address, word] : words_) {
      INFO("word at " << address);
      for (unsigned byte = 0; byte < 8; ++byte)
        if (word.known >> byte & 1)
          REQUIRE((tile.peek(address) >> (8 * byte) & 0xff) == (word.data >> (8 * byte) & 0xff));
    }
  }
  uint64_t told() const { return told_; }

 private:
  struct Word {
    uint64_t data = 0;
    uint8_t known = 0;
  };
  void write(uint32_t address, uint64_t data, uint8_t strobe) {
    Word& word = words_[address];
    word.known |= strobe;
    for (unsigned byte = 0; byte < 8; ++byte)
      if (strobe >> byte & 1) {
        const uint64_t mask = uint64_t{0xff} << (8 * byte);
        word.data = (word.data & ~mask) | (data & mask);
      }
  }
  std::map<uint32_t, Word> words_;
  uint64_t told_ = 0;
};

class Runs {
 public:
  Runs(const spec::Machine& machine, uint64_t seed)
      : stepped_(machine, kTile),
        alone_(machine, kTile),
        around_(seed ^ 0x5eed, kTile),
        random_(seed ^ 0xa10e),
        watched_(seed % 2 != 0) {}

  void run(const test::RandomProgram& program) {
    for (const auto& image : program.images) {
      stepped_.load(image.address, image.words);
      alone_.load(image.address, image.words);
    }
    for (uint32_t n = 0; n < 2 * program.weights.size(); ++n)
      debug({chip::DebugSpace::kVector, n, static_cast<uint32_t>(program.weights[n / 2] >> 32 * (n % 2)), 0});
    for (const uint32_t entry : program.entries) {
      debug({chip::DebugSpace::kControl, spec::DebugControl::kStart, entry, 0});
      around_.restart();
      const bool debugged = random_.one_in(8), struck = random_.one_in(16);
      for (uint64_t n = 0; n < kSegmentCycles && !out_.exception; ++n) {
        auto in = around_.inputs(cycle_, out_);
        if (struck && random_.one_in(256)) strike(program);
        if (debugged && random_.one_in(64)) interfere(in, program);
        step(in);
      }
      catch_up();
      compare_memory(program);
      if (watched_) stores_.compare(alone_);
    }
  }
  uint64_t cycles_alone() const { return cycles_alone_; }
  uint64_t cycles() const { return cycle_; }
  uint64_t stores() const { return stores_.told(); }

 private:
  struct Access {
    chip::DebugSpace space;
    uint32_t address, data;
    uint8_t context;
  };
  static void set(chip::TileInputs& in, const Access& access) {
    in.debug_valid = in.debug_write = true;
    in.debug_space = access.space;
    in.debug_address = access.address;
    in.debug_wdata = access.data;
    in.debug_context = access.context;
  }
  void debug(const Access& access) {
    chip::TileInputs in;
    set(in, access);
    step(in);
  }

  void step(chip::TileInputs in) {
    in.cycle = cycle_;
    const auto& state = stepped_.state();
    const bool quiet =
        !in.sync_ack && !in.packet_grant && !in.packet_valid && !in.exchange_valid && !in.pair_valid && !in.debug_valid;
    const bool may_run = quiet && !out_.exchanging && !state.sequencer.busy() && !state.packets.sending() &&
                         !state.words.packet_valid && !state.words.exchange_valid && !state.words.pair_valid;
    // Now and then it is caught up in between: then what is seen there is compared.
    if (!may_run || random_.one_in(200)) catch_up();
    stepped_.step(in, out_);
    ++cycle_;
    if (may_run) return;
    alone_.step(in, alone_out_);
    alone_cycle_ = cycle_;
    if (alone_.retire().valid) stores_.retire(kTile, alone_.retire());
    alone_.port_writes().each([&](const chip::PortWrite& write) { stores_.port_write(kTile, write); });
  }

  void catch_up() {
    while (alone_cycle_ < cycle_) {
      const uint64_t from = alone_cycle_;
      alone_cycle_ = alone_.run_alone(from, cycle_, watched_ ? &stores_ : nullptr, kTile, alone_out_);
      cycles_alone_ += alone_cycle_ - from;
    }
    const auto one = values_of(stepped_.state(), cycle_), other = values_of(alone_.state(), cycle_);
    REQUIRE(one.size() == other.size());
    std::string others;
    for (size_t n = 0; n < one.size(); ++n)
      if (!(one[n] == other[n])) others += one[n].name + "; ";
    for (size_t n = 0; n < one.size(); ++n) {
      if (one[n] == other[n]) continue;
      FAIL(others << ": cycle " << cycle_ << ": " << one[n].name << " is " << one[n].value << " when stepped, "
                  << other[n].name << " is " << other[n].value << " when run alone");
    }
    REQUIRE(alone_out_.exception == out_.exception);
    REQUIRE(alone_out_.sync_request == out_.sync_request);
    REQUIRE(alone_out_.packet_request == out_.packet_request);
    REQUIRE(alone_out_.idle == out_.idle);
  }

  void compare_memory(const test::RandomProgram& program) {
    const auto& memory = stepped_.state().memory;
    for (uint32_t at = memory.base(); at < memory.end(); at += 8) {
      if (stepped_.peek(at) != alone_.peek(at) || stepped_.bad_bytes(at) != alone_.bad_bytes(at))
        FAIL("memory at " << at << " is " << stepped_.peek(at) << " when stepped, " << alone_.peek(at)
                          << " when run alone; seed " << program.seed);
    }
  }

  void strike(const test::RandomProgram& program) {
    const auto& image = program.images[random_.below(static_cast<uint32_t>(program.images.size()))];
    chip::Flip flip;
    flip.site = chip::FlipSite::kMemory;
    flip.address = image.address + 4 * random_.below(static_cast<uint32_t>(image.words.size()));
    flip.mask = uint64_t{1} << random_.below(32);
    catch_up();
    stepped_.flip(flip);
    alone_.flip(flip);
    stores_.forget(flip.address);
  }

  void interfere(chip::TileInputs& in, const test::RandomProgram& program) {
    using spec::DebugControl;
    const auto context = static_cast<uint8_t>(random_.below(7));
    if (random_.one_in(4)) {
      const auto& image = program.images[random_.below(static_cast<uint32_t>(program.images.size()))];
      const uint32_t pc = image.address + 4 * random_.below(static_cast<uint32_t>(image.words.size()));
      const spec::Breakpoint point{.enabled = !random_.one_in(3), .word_pc = pc / 4 & 0x3ffff};
      set(in, {chip::DebugSpace::kControl, DebugControl::kBreakpoint0, point.encode(), context});
    } else {
      const uint32_t what = random_.pick({DebugControl::kHalt, DebugControl::kResume, DebugControl::kResume,
                                          DebugControl::kResume, DebugControl::kStep});
      set(in, {chip::DebugSpace::kControl, what, 0, random_.one_in(3) ? uint8_t{spec::kAllContexts} : context});
    }
  }

  model::ModelTile stepped_, alone_;
  chip::TileOutputs out_, alone_out_;
  test::TileSurroundings around_;
  test::Random random_;
  const bool watched_;  // by an observer that wants no records
  Stores stores_;
  uint64_t cycle_ = 0, alone_cycle_ = 0, cycles_alone_ = 0;
};

}  // namespace

TEST_CASE("A model tile that runs alone, unobserved, stands where one stands that is stepped") {
  const uint64_t seed = test::seed_from_environment(1);
  std::cout << "TESSERA_SEED=" << seed << "\n";
  const uint64_t programs = test::in_tier(60, 1200);
  const auto machine = spec::load_machine("mk2-16");
  uint64_t cycles = 0, alone = 0, stores = 0;
  for (uint64_t n = 0; n < programs; ++n) {
    INFO("seed " << seed + n);
    Runs runs(machine, seed + n);
    runs.run(test::random_program(seed + n, kSegments));
    cycles += runs.cycles();
    alone += runs.cycles_alone();
    stores += runs.stores();
  }
  std::cout << programs << " programs, " << alone << " of " << cycles << " cycles alone, " << stores
            << " stores in bursts\n";
  CHECK(alone > cycles / 2);
  CHECK(stores > 20 * programs);
}
