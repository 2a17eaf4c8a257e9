// Checkpoints go from model to RTL and back: the second chip goes on exactly as the first.

#include <catch2/catch.hpp>

#include "sim/engine/lockstep_chip.h"
#include "sim/engine/model_chip.h"
#include "sim/port/system_checkpoint.h"
#include "snapshot_walk.h"
#include "tb/chip/chip_programs.h"
#include "tb/chip/event_list.h"

using namespace tessera;
using namespace tessera::test;
using chip::Backend;
using chip::StopReason;

namespace {

constexpr uint64_t kLimit = 1000000;

// Runs to the end, answering a host sync; what is told goes to `events`.
uint64_t finish(chip::Chip& chip, HostMemory& host, EventList& events) {
  chip.attach(&host);
  chip.observe(&events);
  auto stop = chip.run(kLimit, 0);
  if (stop.reason == StopReason::kHostSync) {
    chip.mark(stop.cycle + 77, 0x321);
    stop = chip.run(kLimit, 0);
  }
  chip.observe(nullptr);
  return stop.cycle;
}

// `one` stands at a boundary; a fresh chip of `backend` takes over, and both run to the end.
void hand_over(chip::Chip& one, HostMemory& host, Backend backend) {
  const auto m = one.machine();
  const auto checkpoint =
      chip::deserialize_checkpoint(chip::serialize(chip::take_checkpoint(one)), m);  // as from a file
  const auto other = chip::make_chip(backend, m);
  chip::put_checkpoint(*other, checkpoint);
  REQUIRE(other->cycle() == one.cycle());
  REQUIRE(account(other->counters()) == account(one.counters()));
  CHECK(other->memory_hash() == one.memory_hash());
  HostMemory other_host = host;
  EventList expected(m.tiles()), events(m.tiles());
  const uint64_t end = finish(one, host, expected);
  CHECK(finish(*other, other_host, events) == end);
  CHECK(expected.size() > 10);
  CHECK(events.difference(expected) == "");
  CHECK(account(other->counters()) == account(one.counters()));
  CHECK(other->memory_hash() == one.memory_hash());
}

struct Way {
  Backend from, to;
};

}  // namespace

TEST_CASE("A superstep boundary goes from chip to chip") {
  const auto m = spec::load_machine("mk2-4");
  const auto way = GENERATE(Way{Backend::kModel, Backend::kModel}, Way{Backend::kModel, Backend::kRtl},
                            Way{Backend::kRtl, Backend::kModel});
  const auto programs = {std::pair(ring_program(m, 1), 1u), std::pair(consensus_program(m), 3u),
                         std::pair(mixed_memory_program(m, 19), 1u)};
  for (const auto& [program, superstep] : programs) {
    const auto one = chip::make_chip(way.from, m);
    HostMemory host(m);
    one->attach(&host);
    load_and_start(*one, program);
    one->stop_at_superstep(superstep);
    REQUIRE(one->run(kLimit, 0).reason == StopReason::kSuperstep);
    hand_over(*one, host, way.to);
  }
}

TEST_CASE("A host sync goes from chip to chip, and the mark of an earlier one with the state") {
  const auto m = spec::load_machine("mk2-4");
  const auto way = GENERATE(Way{Backend::kModel, Backend::kRtl}, Way{Backend::kRtl, Backend::kModel});
  ChipProgram program(m.tiles());
  for (unsigned t = 0; t < m.tiles(); ++t) {
    TileProgram& p = program[t];
    p.delay(20);
    p.sync(4);
    p.sync(2);
    p.csr_read(9, spec::Csr::Xmark);
    p.sw(9, kResult);
    p.sync(4);
    p.csr_read(10, spec::Csr::Xmark);
    p.sw(10, kResult + 4);
    p.trap(3);
  }
  for (const bool at_host : {true, false}) {
    const auto one = chip::make_chip(way.from, m);
    HostMemory host(m);
    load_and_start(*one, program);
    one->stop_at_superstep(1);
    auto stop = one->run(kLimit, 0);
    REQUIRE(stop.reason == StopReason::kHostSync);
    if (!at_host) {
      one->mark(stop.cycle + 10, 0x1234);
      REQUIRE(one->run(kLimit, 0).reason == StopReason::kSuperstep);
    }
    one->stop_at_superstep(chip::Chip::kNoSuperstep);
    hand_over(*one, host, way.to);
    if (!at_host) CHECK(one->debug_read(1, chip::DebugSpace::kMemory, 0, kResult) == 0x1234);
  }
}

TEST_CASE("Packets go on behind a checkpoint as without it") {
  const auto m = spec::load_machine(GENERATE("mk2-4", "mk2-16"));
  const auto way = GENERATE(Way{Backend::kModel, Backend::kModel}, Way{Backend::kModel, Backend::kRtl},
                            Way{Backend::kRtl, Backend::kModel});
  constexpr unsigned kLong = 200;
  ChipProgram program(m.tiles(), TileProgram(Places(m)));
  for (unsigned t = 0; t < m.tiles(); ++t) {
    TileProgram& p = program[t];
    const uint32_t address = 0x1000 * t;
    p.data(p.places().sent,
           {spec::PacketHeader{.words = kLong, .tile = t, .kind = spec::PacketKind::kWriteHost}.encode(), address, t});
    p.data(p.places().result,
           {spec::PacketHeader{.words = kLong, .tile = t, .kind = spec::PacketKind::kReadHost}.encode(), address,
            p.places().received});
    for (int round = 0; round < 2; ++round) {
      p.sync(3);
      p.li(9, kLong);
      p.csr_write(spec::Csr::Xcount, 9);
      p.hsend(p.places().sent, kLong + 2);
      p.hsend(p.places().result, 3);
      p.sync(5);
      p.sync(4);
    }
    p.trap(1);
  }
  const auto one = chip::make_chip(way.from, m);
  HostMemory host(m);
  one->attach(&host);
  load_and_start(*one, program);
  REQUIRE(one->run(kLimit, 0).reason == StopReason::kHostSync);
  hand_over(*one, host, way.to);
}

TEST_CASE("Lockstep goes on from a checkpoint of the model, finding no difference") {
  const auto m = spec::load_machine("mk2-4");
  const auto one = chip::make_model_chip(m);
  load_and_start(*one, consensus_program(m));
  one->stop_at_superstep(2);
  one->run(kLimit, 0);
  const auto pair =
      chip::make_lockstep_chip(chip::make_chip(Backend::kRtl, m), chip::make_chip(Backend::kModel, m), {});
  chip::put_checkpoint(*pair, chip::take_checkpoint(*one));
  CHECK(pair->run(kLimit, 0).cycle == one->run(kLimit, 0).cycle);
  CHECK(pair->memory_hash() == one->memory_hash());
}

TEST_CASE("A file gives the checkpoint back; any flipped byte and another machine are one line") {
  const auto m = spec::load_machine("mk2-4");
  const auto one = chip::make_model_chip(m);
  load_and_start(*one, consensus_program(m));
  one->stop_at_superstep(2);
  one->run(kLimit, 0);
  const auto bytes = chip::serialize(chip::take_checkpoint(*one));
  CHECK(bytes.size() < 200'000);
  const auto other = chip::make_model_chip(m);
  chip::put_checkpoint(*other, chip::deserialize_checkpoint(bytes, m));
  CHECK(chip::serialize(chip::take_checkpoint(*other)) == bytes);
  CHECK(one->run(kLimit, 0).cycle == other->run(kLimit, 0).cycle);
  CHECK(one->memory_hash() == other->memory_hash());

  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    auto damaged = bytes;
    damaged[i < 24 ? i : random() % bytes.size()] ^= static_cast<uint8_t>(1u << random() % 8);
    CHECK_THROWS_AS(chip::deserialize_checkpoint(damaged, m), chip::BadCheckpoint);
  }
  for (const size_t size : {size_t{0}, size_t{11}, bytes.size() / 2, bytes.size() - 1})
    CHECK_THROWS_AS(chip::deserialize_checkpoint({bytes.begin(), bytes.begin() + size}, m), chip::BadCheckpoint);
  CHECK_THROWS_WITH(chip::deserialize_checkpoint(bytes, spec::load_machine("mk2-16")),
                    "the checkpoint is of machine mk2-4, the chip is mk2-16");
  CHECK_THROWS_AS(chip::put_checkpoint(*chip::make_model_chip(spec::load_machine("mk2-16")),
                                       chip::deserialize_checkpoint(bytes, m)),
                  chip::BadCheckpoint);
  CHECK_THROWS_WITH(chip::load_checkpoint("no/such/file", m), "no/such/file: cannot be read");
}

TEST_CASE("A file holds the chips of a system, each as it was; a system of one chip refuses it") {
  const auto m = spec::load_machine("mk2-4");
  std::vector<chip::Checkpoint> chips;
  for (const unsigned superstep : {1u, 2u}) {
    const auto one = chip::make_model_chip(m);
    load_and_start(*one, consensus_program(m));
    one->stop_at_superstep(superstep);
    one->run(kLimit, 0);
    chips.push_back(chip::take_checkpoint(*one));
  }
  const auto bytes = chip::serialize(chips);
  const auto read = chip::deserialize_checkpoints(bytes);
  REQUIRE(read.size() == 2);
  CHECK(chip::serialize(read) == bytes);
  for (const size_t id : {0u, 1u}) {
    CHECK(chip::serialize(read[id]) == chip::serialize(chips[id]));
    CHECK(chip::serialize(read[id]) != chip::serialize(chips[1 - id]));
  }
  CHECK_THROWS_WITH(chip::deserialize_checkpoint(bytes, m), "the checkpoint is of a system of 2 chips, this one has 1");
  auto older = chip::serialize(chips[0]);
  older[8] = 1;
  CHECK_THROWS_WITH(chip::deserialize_checkpoint(older, m),
                    Catch::Matchers::StartsWith("the checkpoint has format version 1, known is "));
}

TEST_CASE("Taking a checkpoint changes nothing, and is refused between boundaries") {
  const auto m = spec::load_machine("mk2-4");
  const auto backend = GENERATE(Backend::kModel, Backend::kRtl);
  const auto chip = chip::make_chip(backend, m), plain = chip::make_chip(backend, m);
  load_and_start(*chip, consensus_program(m));
  load_and_start(*plain, consensus_program(m));
  CHECK_THROWS_AS(chip::take_checkpoint(*chip), std::logic_error);
  chip->stop_at_superstep(1);
  chip->run(kLimit, 0);
  chip::take_checkpoint(*chip);
  CHECK(chip->run(kLimit, 0).cycle == plain->run(kLimit, 0).cycle);
  CHECK(account(chip->counters()) == account(plain->counters()));
  CHECK(chip->memory_hash() == plain->memory_hash());
}
