// libpoplar's runner of programs against a fake chip: marks, transfers, failures, and cards one after another and at
// once.
#include <signal.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <poplar/exceptions.hpp>
#include <thread>

#include "fake_steps.h"
#include "rtl/spec/machine.h"
#include "sw/poplar/executable_runner.h"
#include "sw/poplar/stream_table.h"

namespace {

using namespace tessera;
using card::Card;
using image::StreamUse;
using runtime::ExecutableRunner;
using test::Step;

constexpr uint32_t kBase = 0x4c000, kMark = kBase + 0x800, kData = kBase + 0x900;
constexpr uint32_t kEvents = kBase + 0xa00;  // words 0, wants stream 0, produced stream 1

constexpr uint32_t step(Step what) { return static_cast<uint32_t>(what); }

card::CardOptions fake(const std::string& machine) {
  return {.machine = machine, .backend = "fake", .inspect = "", .inspect_over = nullptr, .say = nullptr};
}

std::shared_ptr<Card> make_card() {
  ::setenv("TESSERA_MACHINE_BIN", FAKE_MACHINE, 1);
  return std::make_shared<Card>(fake("mk2-4"));
}

// `body` between the start's host sync and the one that says the program is done.
image::Executable program(const std::vector<std::array<uint32_t, 4>>& body) {
  image::Executable executable;
  executable.chip().machine = "mk2-4";
  executable.host.bytes = 64;
  for (const auto use : {StreamUse::kToDevice, StreamUse::kFromDevice}) {
    image::Stream stream;
    stream.handle = use == StreamUse::kToDevice ? "in" : "out";
    stream.use = use;
    stream.type = graph::ElementType::kUnsignedInt;
    stream.elements = 2;
    stream.bytes = 8;
    stream.host_offset = use == StreamUse::kToDevice ? 16 : 32;
    stream.pieces = {{0, stream.host_offset, 8}};
    executable.host.streams.push_back(stream);
  }
  executable.host.phases = {{0}, {1}};
  std::vector<uint32_t> steps;
  const auto add = [&](std::array<uint32_t, 4> words) { steps.insert(steps.end(), words.begin(), words.end()); };
  add({step(Step::kHostSync), kMark, 0, 0});
  for (const auto& words : body) add(words);
  add({step(Step::kHostWrite), 0, 1, kEvents});
  add({step(Step::kAgain), 0, 0, 0});
  executable.chip().tiles.resize(4);
  executable.chip().tiles[0].segments = {{kBase, steps},
                                         {kEvents, {image::kEventDone, image::event_of(0), image::event_of(1)}}};
  return executable;
}

// Takes two words from "in" and gives them back on "out".
const std::vector<std::array<uint32_t, 4>> kEcho = {
    {step(Step::kHostWrite), 0, 1, kEvents + 4}, {step(Step::kHostSync), kData, 0, 0},
    {step(Step::kHostRead), 16, 2, kData},       {step(Step::kHostWrite), 32, 2, kData},
    {step(Step::kHostWrite), 0, 1, kEvents + 8}, {step(Step::kHostSync), kData, 0, 0}};

void no_transfer(const image::Stream& stream, std::span<std::byte>, uint32_t) { FAIL("asked for " << stream.handle); }

void run_echo(const std::shared_ptr<Card>& card, uint32_t times) {
  const image::Executable executable = program(kEcho);
  ExecutableRunner runner(executable);
  runner.prepare(card);
  runner.deploy({});
  runtime::StreamTable streams(executable.host, false);
  uint32_t in[2], out[2] = {};
  streams.connect("in", in);
  streams.connect("out", out);
  for (uint32_t i = 0; i < times; ++i) {
    in[0] = i;
    in[1] = 2 * i;
    runner.run(0, "echo", [&](const image::Stream& stream, std::span<std::byte> window, uint32_t) {
      stream.use == StreamUse::kToDevice ? streams.fill(stream, window) : streams.drain(stream, window);
    });
    REQUIRE(out[0] == i);
    REQUIRE(out[1] == 2 * i);
  }
}

TEST_CASE("the mark of a program is its number plus one") {
  const auto card = make_card();
  const image::Executable executable = program({});
  ExecutableRunner runner(executable);
  runner.prepare(card);
  runner.deploy({});
  for (uint32_t number : {0u, 4u, 1u}) {
    runner.run(number, "program", no_transfer);
    card->use("looking", [&](card::Client& client) { CHECK(client.peek(0, kMark, 1).at(0) == number + 1); });
  }
}

TEST_CASE("what a tile at work refuses stays that, with the machine's name, and the card goes on") {
  const auto card = make_card();
  card->start();
  const auto refused = [](card::Client&) { throw card::AtWork("tile 2 is at work"); };
  CHECK_THROWS_AS(card->use("reading a tile", refused), card::AtWork);
  CHECK_THROWS_WITH(
      card->use("reading a tile", refused),
      Catch::Matchers::ContainsText("mk2-4") && Catch::Matchers::ContainsText(", reading a tile: tile 2 is at work"));
  card->use("looking", [](card::Client& client) { CHECK(client.peek(0, kData, 1).size() == 1); });
}

TEST_CASE("transfers pass through the window in the order the tiles ask for them") { run_echo(make_card(), 5); }

TEST_CASE("programs run one after another on one card, and on cards at once from threads") {
  const auto card = make_card();
  run_echo(card, 2);
  run_echo(card, 2);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([] { run_echo(make_card(), 3); });
  for (std::thread& thread : threads) thread.join();
}

TEST_CASE("a card that was stopped is started again by the next program") {
  const auto card = make_card();
  run_echo(card, 1);
  card->stop();
  run_echo(card, 1);
}

TEST_CASE("an exception of a tile is an application error with tile, cause and superstep; a fresh load works") {
  const auto card = make_card();
  image::Executable executable = program({{step(Step::kExcept), 8, 3, 0}});
  ExecutableRunner runner(executable);
  runner.prepare(card);
  runner.deploy({});
  CHECK_THROWS_AS(runner.run(0, "program 0", no_transfer), poplar::application_runtime_error);
  CHECK_FALSE(runner.loaded());
  runner.deploy({});
  CHECK_THROWS_WITH(runner.run(0, "program 0", no_transfer),
                    Catch::Matchers::ContainsText("Tile 3, supervisor: address exception") &&
                        Catch::Matchers::ContainsText("superstep 1") &&
                        Catch::Matchers::ContainsText("while running program 0"));
  run_echo(card, 1);
}

TEST_CASE("a deadlock tells who waits for what, a passed budget who computes") {
  const auto card = make_card();
  image::Executable executable = program({{step(Step::kDeadlock), 0, 0, 0}});
  executable.chip().info.names = {"", "Copy(a, b)"};
  executable.chip().info.steps = {{0, 0x4c000, 1}};
  ExecutableRunner runner(executable);
  runner.prepare(card);
  runner.deploy({});
  CHECK_THROWS_WITH(runner.run(0, "program 0", no_transfer),
                    Catch::Matchers::ContainsText("Deadlock") &&
                        Catch::Matchers::ContainsText("tile 0 waits at internal sync, in Copy(a, b)") &&
                        Catch::Matchers::ContainsText("tile 1 computing"));
  const image::Executable spinning = program({{step(Step::kBudget), 0, 0, 0}});
  ExecutableRunner spinner(spinning);
  spinner.prepare(card);
  spinner.limit({.compute = 1000});
  spinner.deploy();
  CHECK_THROWS_WITH(spinner.run(0, "program 0", no_transfer),
                    Catch::Matchers::ContainsText("Tile 0 computed for more than its cycle budget") &&
                        Catch::Matchers::ContainsText("target.computeBudget"));
}

TEST_CASE("a program for more chips than the device has is refused before anything is loaded") {
  image::Executable executable = program(kEcho);
  executable.chips.resize(4);
  ExecutableRunner runner(executable);
  runner.prepare(make_card());
  CHECK_THROWS_WITH(runner.deploy({}), "the program is for 4 chips, the device has 1");
  CHECK_FALSE(runner.loaded());
}

TEST_CASE("an event that the program does not have is told, not followed") {
  image::Executable executable = program(kEcho);
  executable.host.phases.resize(1);
  ExecutableRunner runner(executable);
  runner.prepare(make_card());
  runner.deploy({});
  CHECK_THROWS_AS(runner.run(0, "program 0", [](const image::Stream&, std::span<std::byte>, uint32_t) {}),
                  poplar::unknown_runtime_error);
}

TEST_CASE("what a transfer throws passes through, and the program must be loaded again") {
  const image::Executable executable = program(kEcho);
  ExecutableRunner runner(executable);
  runner.prepare(make_card());
  runner.deploy({});
  CHECK_THROWS_WITH(
      runner.run(0, "program 0",
                 [](const image::Stream&, std::span<std::byte>, uint32_t) { throw std::runtime_error("mine"); }),
      "mine");
  CHECK_FALSE(runner.loaded());
  runner.deploy({});
  CHECK(runner.loaded());
}

TEST_CASE("another program on the card ends the first one's right to it") {
  const auto card = make_card();
  const image::Executable executable = program({});
  ExecutableRunner first(executable), second(executable);
  first.prepare(card);
  first.deploy({});
  second.prepare(card);
  second.deploy({});
  CHECK_THROWS_WITH(first.run(0, "program 0", no_transfer),
                    Catch::Matchers::ContainsText("not on the device any more"));
  second.run(0, "program 0", no_transfer);
}

TEST_CASE("a killed machine is a recoverable error that names process and signal, and loading again works") {
  const auto card = make_card();
  const image::Executable executable = program({{step(Step::kSpin), 0, 0, 0}});
  ExecutableRunner runner(executable);
  runner.prepare(card);
  runner.deploy({});
  const pid_t pid = card->pid();
  std::thread killer([&] {
    ::usleep(50000);
    ::kill(pid, SIGKILL);
  });
  try {
    runner.run(0, "program 0", no_transfer);
    FAIL("the machine was killed");
  } catch (const poplar::recoverable_runtime_error& error) {
    CHECK(error.getRecoveryAction() == poplar::RecoveryAction::IPU_RESET);
    CHECK_THAT(error.what(), Catch::Matchers::ContainsText("process " + std::to_string(pid)) &&
                                 Catch::Matchers::ContainsText("signal 9 (Killed)") &&
                                 Catch::Matchers::ContainsText("while running program 0"));
  }
  killer.join();
  run_echo(card, 2);
}

TEST_CASE("a machine that is not known is told when the card is started") {
  ::setenv("TESSERA_MACHINE_BIN", FAKE_MACHINE, 1);
  Card card(fake("mk9"));
  CHECK_THROWS_AS(card.start(), card::CannotAttach);
  CHECK_THROWS_WITH(card.start(), Catch::Matchers::ContainsText("mk9"));
}

}  // namespace
