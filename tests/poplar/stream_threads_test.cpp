// Engines whose stream callbacks have threads of their own, on what TESSERA_BACKEND says, mk2-4. The calls of one
// callback: callback_threads_test.cpp. docs/user/options.md names the cases.
#include <atomic>
#include <catch2/catch.hpp>
#include <mutex>
#include <set>
#include <stdexcept>
#include <tessera/machine.hpp>
#include <thread>

#include "answering_callback.h"
#include "scaling.h"

using namespace poplar;
using namespace poplar::program;
using Catch::Matchers::ContainsText;
using tessera::test::Answer, tessera::test::attach, tessera::test::Results;

namespace {

const std::vector<OptionFlags> kOthers = {
    {{"streamCallbacks.multiThreadMode", "dedicated"}},
    {{"streamCallbacks.multiThreadMode", "dedicated"}, {"streamCallbacks.numWorkerThreads", "1"}},
    {{"streamCallbacks.multiThreadMode", "collaborative"}},
    {{"streamCallbacks.multiThreadMode", "collaborative"}, {"streamCallbacks.numWorkerThreads", "0"}},
    {{"streamCallbacks.multiThreadMode", "collaborative"}, {"exchange.enablePrefetch", "true"}}};

// in -> out in each of four turns.
struct Echo {
  Device device = attach();
  Graph graph{device.getTarget()};
  Repeat turns = [this] {
    const Tensor t = graph.addVariable(INT, {}, "t");
    graph.setTileMapping(t, 0);
    return Repeat(4, Sequence({Copy(graph.addHostToDeviceFIFO("in", INT, 1), t),
                               Copy(t, graph.addDeviceToHostFIFO("out", INT, 1))}));
  }();
};

}  // namespace

TEST_CASE_METHOD(Echo,
                 "on threads of their own callbacks may wait for results, and neither results nor cycles change") {
  struct Outcome {
    std::vector<int> results;
    std::uint64_t cycles;
    bool operator==(const Outcome&) const = default;
  };
  const auto outcome = [&](const OptionFlags& options) {
    Results results;
    results.add(0);  // what the first turn answers
    Engine engine(graph, turns, options);
    engine.connectStreamToCallback("in", std::make_unique<Answer>(results));
    engine.connectStreamToCallback("out", [&](void* data) {
      for (unsigned i = 0; i < 100; ++i) std::this_thread::yield();
      results.add(*static_cast<int*>(data));
    });
    engine.load(device);
    const auto before = tessera::machineCounters(device).cycles;
    for (unsigned run = 0; run < 3; ++run) engine.run();
    return Outcome{results.all(), tessera::machineCounters(device).cycles - before};
  };
  const Outcome usual = outcome({});
  CHECK(usual.results == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  for (const OptionFlags& options : kOthers) {
    CAPTURE(options);
    CHECK(outcome(options) == usual);
  }
}

TEST_CASE_METHOD(Echo, "streamCallbacks.multiThreadMode says which threads call, for an engine or for one run") {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  const auto call = [&](void*) {
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
  };
  const auto here = std::this_thread::get_id();
  Engine engine(graph, turns);
  for (const char* stream : {"in", "out"}) engine.connectStreamToCallback(stream, call);
  engine.load(device);
  engine.run();
  CHECK(threads == std::set{here});
  threads.clear();
  engine.run(0, "", RuntimeOptions({{"streamCallbacks.multiThreadMode", "dedicated"}}));
  CHECK(threads.size() == 1);  // all that only fetch: on that which does what the run waits for
  CHECK(threads.count(here) == 0);
  threads.clear();
  engine.run();
  engine.run(0, "", RuntimeOptions({{"streamCallbacks.multiThreadMode", "collaborative"}}));
  CHECK(threads == std::set{here});
}

TEST_CASE_METHOD(Echo, "what a callback throws on a thread of its own ends the run") {
  struct Failing : StreamCallback {
    Result prefetch(void* buffer) override {
      if (++number == 3) throw std::out_of_range("no third batch");
      *static_cast<int*>(buffer) = number;
      return Result::Success;
    }
    void fetch(void*) override {}
    int number = 0;
  };
  for (const OptionFlags& options : kOthers) {
    CAPTURE(options);
    Results results;
    Engine engine(graph, turns, options);
    engine.connectStreamToCallback("in", std::make_unique<Failing>());
    engine.connectStreamToCallback("out", [&](void* data) { results.add(*static_cast<int*>(data)); });
    engine.load(device);
    CHECK_THROWS_AS(engine.run(), std::out_of_range);
    CHECK(results.all() == std::vector<int>{1, 2});
    CHECK_THROWS_WITH(engine.run(), ContainsText("call Engine::load again"));
    engine.connectStreamToCallback("in", std::make_unique<Answer>(results));
    engine.load(device);
    engine.run();
    CHECK(results.all() == std::vector<int>{1, 2, 2, 3, 3, 4});
  }
}

TEST_CASE_METHOD(Echo, "an engine is stopped while a prefetch is under way, and waits for it before it goes") {
  struct Held : StreamCallback {
    explicit Held(std::atomic<int>& state) : state(state) {}
    ~Held() override { state = 3; }
    Result prefetch(void*) override {
      if (++number == 2) {
        state = 1;
        state.notify_all();
        state.wait(1);
      }
      return Result::Success;
    }
    void fetch(void*) override {}
    std::atomic<int>& state;  // 1: inside, 2: may go on, 3: gone
    int number = 0;
  };
  for (const char* mode : {"dedicated", "collaborative"}) {
    std::atomic<int> state = 0;
    std::thread opener;
    {
      Engine engine(graph, turns, {{"streamCallbacks.multiThreadMode", mode}});
      engine.connectStreamToCallback("in", std::make_unique<Held>(state));
      engine.connectStreamToCallback("out", [&](void*) {
        state.wait(0);
        engine.stop();
      });
      engine.load(device);
      CHECK_THROWS_WITH(engine.run(), ContainsText("Engine::stop has ended"));
      CHECK(state == 1);
      opener = std::thread([&] {
        state = 2;
        state.notify_all();
      });
    }
    CHECK(state == 3);
    opener.join();
  }
}
