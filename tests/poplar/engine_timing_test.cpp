// How long runs take, what of them the execution profile counts, and what ends or bounds them, on what TESSERA_BACKEND
// and TESSERA_MACHINE say (4 tiles).
#include <catch2/catch.hpp>
#include <poplar/exceptions.hpp>
#include <tessera/machine.hpp>
#include <thread>

#include "scaling.h"

namespace {

using namespace poplar;
using namespace poplar::program;
using Catch::Matchers::ContainsText;
using tessera::test::attach, tessera::test::count, tessera::test::scaled, tessera::test::Scaling;

// Runs of one program, each of the same cycles.
struct Runs {
  Device device = attach();
  Scaling scaling{device.getTarget(), 2};
  Engine& engine = scaling.engine;

  Runs() { engine.load(device); }
  std::uint64_t machine() const { return tessera::machineCounters(device).cycles; }
  std::uint64_t run() {
    const std::uint64_t before = machine();
    scaling.run(count(1));
    return machine() - before;
  }
  // Of which the parts are the sum.
  std::uint64_t profiled() const {
    const ProfileValue cycles = engine.getExecutionProfile()["cycles"];
    std::uint64_t parts = 0;
    for (const char* part : {"compute", "sync", "exchange", "transfer", "host"}) parts += cycles[part].asUint();
    CHECK(parts == cycles["total"].asUint());
    return cycles["total"].asUint();
  }
};

TEST_CASE_METHOD(Runs, "the execution profile counts from its reset, and nothing while it is disabled") {
  run();
  CHECK(profiled() == machine());
  engine.resetExecutionProfile();
  CHECK(profiled() == 0);
  const std::uint64_t first = run();
  CHECK(profiled() == first);
  engine.disableExecutionProfiling();
  engine.disableExecutionProfiling();
  run();
  CHECK(profiled() == first);
  engine.enableExecutionProfiling();
  const std::uint64_t third = run();
  CHECK(profiled() == first + third);
  engine.disableExecutionProfiling();
  engine.resetExecutionProfile();
  run();
  CHECK(profiled() == 0);
  engine.load(device);  // still disabled
  run();
  CHECK(profiled() == 0);
  engine.enableExecutionProfiling();
  CHECK(profiled() == 0);
  const std::uint64_t last = run();
  CHECK(profiled() == last);
}

TEST_CASE_METHOD(Runs, "time stamps tell cycles of the device between them") {
  const Engine::TimerTimePoint start = engine.getTimeStamp();
  const std::uint64_t cycles = run();
  const std::string text = engine.reportTiming(start, engine.getTimeStamp());
  CHECK_THAT(text, ContainsText(" ms on the host, " + std::to_string(cycles) + " cycles ("));
  Scaling fresh(device.getTarget(), 2);
  CHECK_THAT(fresh.engine.reportTiming(fresh.engine.getTimeStamp(), fresh.engine.getTimeStamp()),
             ContainsText("on the host") && !ContainsText("cycles"));
}

TEST_CASE_METHOD(Runs, "a callback or another thread stops a run") {
  Graph graph(device.getTarget());
  const Tensor t = graph.addVariable(INT, {}, "t");
  graph.setTileMapping(t, 0);
  const DataStream in = graph.addHostToDeviceFIFO("in", INT, 1);
  Engine endless(graph, Loop(Copy(in, t)));
  int calls = 0;
  endless.connectStreamToCallback("in", [&](void*) {
    if (++calls == 3) endless.stop();
  });
  endless.stop();  // no run: nothing
  endless.load(device);
  CHECK_THROWS_WITH(endless.run(0, "loop"), ContainsText("Engine::stop has ended program 'loop'"));
  CHECK(calls == 3);
  CHECK_THROWS_WITH(endless.run(), ContainsText("call Engine::load again"));
  endless.load(device);
  std::thread other;
  endless.connectStreamToCallback("in", [&](void*) {
    if (!other.joinable()) other = std::thread([&] { endless.stop(); });
  });
  CHECK_THROWS_AS(endless.run(), application_runtime_error);
  other.join();
}

TEST_CASE_METHOD(Runs, "options of a run hold for it alone, those of prepare until the next") {
  const RuntimeOptions short_of_time({{"target.hostSyncTimeout", "1ns"}});
  std::vector<float> in = count(1), out(in.size());
  engine.connectStream("to", in.data(), in.data() + in.size());
  engine.connectStream("from", out.data(), out.data() + out.size());
  CHECK_THROWS_AS(engine.run(0, "", short_of_time), application_runtime_error);
  engine.load(device);
  engine.run();
  CHECK(out == scaled(1, 2));
  engine.prepare(device, short_of_time);
  CHECK_THROWS_AS(engine.deploy(), application_runtime_error);
  engine.prepare(device);
  engine.deploy();
  CHECK_NOTHROW(engine.run(0, "", RuntimeOptions()));
  CHECK_THROWS_WITH(RuntimeOptions({{"target.workerStackSizeInBytes", "64"}}),
                    ContainsText("workerStackSizeInBytes") && ContainsText("compiler"));
  CHECK_THROWS_AS(RuntimeOptions({{"noSuch", "1"}}), invalid_option);
  CHECK_THROWS_WITH(engine.run(0, "", RuntimeOptions({{"prng.seed", "7"}})), ContainsText("Engine::prepare"));
  const RuntimeOptions reports({{"autoReport.all", "true"}});
  CHECK_THROWS_WITH(engine.run(0, "", reports), ContainsText("Engine::run: autoReport.*"));
}

// Waits in its fetch until it is told.
struct Waiting : ResumableStreamCallback {
  Result prefetch(void*) override { return Result::NotAvailable; }
  void fetch(void* data) override {
    wait();
    *static_cast<int*>(data) = value;
  }
  int value = 0;
};

TEST_CASE("a resumable callback waits for another thread") {
  const Device device = attach();
  Graph graph(device.getTarget());
  const Tensor t = graph.addVariable(INT, {}, "t");
  graph.setTileMapping(t, 0);
  graph.createHostRead("t", t);
  Engine engine(graph, Copy(graph.addHostToDeviceFIFO("in", INT, 1), t));
  auto owned = std::make_unique<Waiting>();
  Waiting& waiting = *owned;
  engine.connectStreamToCallback("in", std::move(owned));
  engine.load(device);
  std::thread teller([&] {
    while (!waiting.isAwaiting()) std::this_thread::yield();
    waiting.value = 42;
    waiting.notify();
  });
  engine.run();
  teller.join();
  CHECK_FALSE(waiting.isAwaiting());
  int got = 0;
  engine.readTensor("t", &got, &got + 1);
  CHECK(got == 42);
}

}  // namespace
