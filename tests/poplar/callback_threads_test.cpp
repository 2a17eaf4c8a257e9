// Callbacks of streams on threads of their own: the order of their calls, prefetches that wait, exceptions, ends.
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstring>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "answering_callback.h"
#include "sw/poplar/stream_table.h"

namespace {

using namespace tessera;
using image::StreamUse;
using poplar::StreamCallback;
using runtime::CallbackMode, runtime::CallbackThreads, runtime::StreamTable;
using test::Answer, test::Results;

// Streams "a" and "b" to the device and "out" from it, one int a transfer.
struct Bench {
  explicit Bench(uint32_t ahead = 1) : table(layout, ahead) { table.ask_at_need(true); }
  image::HostLayout layout = [] {
    image::HostLayout all;
    for (const auto& [handle, use] : {std::pair("a", StreamUse::kToDevice), std::pair("b", StreamUse::kToDevice),
                                      std::pair("out", StreamUse::kFromDevice)}) {
      image::Stream stream;
      stream.handle = handle;
      stream.use = use;
      stream.type = graph::ElementType::kInt;
      stream.elements = 1;
      stream.bytes = 4;
      stream.pieces = {{0, 0, 4}};
      all.streams.push_back(stream);
    }
    return all;
  }();
  StreamTable table;

  int filled(unsigned stream = 0) {
    int value = 0;
    table.fill(layout.streams[stream], std::as_writable_bytes(std::span(&value, 1)));
    return value;
  }
  void drain(int value) { table.drain(layout.streams[2], std::as_bytes(std::span(&value, 1))); }
  void connect_out(std::function<void(int)> seen) {
    table.connect("out", poplar::StreamCallbackHandle([=](void* data) { seen(*static_cast<int*>(data)); }).release());
  }
};

struct Threads {
  CallbackMode mode;
  std::optional<unsigned> workers;
};
constexpr CallbackMode kRun = CallbackMode::kSingleThread, kDedicated = CallbackMode::kDedicated,
                       kCollaborative = CallbackMode::kCollaborative;
const std::vector<Threads> kOthers = {{kDedicated, {}},    {kDedicated, 1},     {kCollaborative, {}},
                                      {kCollaborative, 0}, {kCollaborative, 1}, {kCollaborative, 5}};

// Says at each `pause`-th prefetch that nothing is there.
struct Recorder : StreamCallback {
  Recorder(std::string& log, unsigned pause) : log(log), pause(pause) {}
  Result prefetch(void* buffer) override {
    log += "p";
    if (++asked % pause == 0) return Result::NotAvailable;
    return fill(buffer), Result::Success;
  }
  void fetch(void* buffer) override {
    log += "f";
    fill(buffer);
  }
  void complete() override { log += "c"; }
  void invalidatePrefetched() override { log += "i"; }
  void fill(void* buffer) { std::memcpy(buffer, &++next, sizeof next); }
  std::string& log;
  unsigned pause, asked = 0;
  int next = 0;
};

TEST_CASE("whatever threads call it, a callback gets the same calls in the same order") {
  struct Outcome {
    std::string log;
    std::vector<int> values;
    bool operator==(const Outcome&) const = default;
  };
  const auto outcome = [](const Threads& threads, uint32_t ahead, unsigned pause) {
    Outcome made;
    Bench b(ahead);
    b.table.call_on(threads.mode, threads.workers);
    b.table.connect("a", std::make_unique<Recorder>(made.log, pause));
    for (unsigned run = 0; run < 3; ++run) {
      for (unsigned i = 0; i < 7; ++i) made.values.push_back(b.filled());
      b.table.invalidate();
    }
    b.table.ask_ahead("a", 0);
    made.values.push_back(b.filled());  // after all that was owed
    return made;
  };
  CHECK(outcome({kRun, {}}, 1, 100).log ==
        "pcpcpcpcpcpcpcpi"
        "pcpcpcpcpcpcpcpi"
        "pcpcpcpcpcpcpcpi"
        "pc");
  CHECK(outcome({kRun, {}}, 1, 3).log.substr(0, 9) == "pcpcppcpc");
  CHECK(outcome({kRun, {}}, 2, 1).log.substr(0, 8) == "pfcppfcp");
  for (const Threads& threads : kOthers)
    for (const uint32_t ahead : {1, 2, 3})
      for (const unsigned pause : {100, 3, 4, 1}) {
        CAPTURE(ahead, pause, static_cast<int>(threads.mode), threads.workers.value_or(99));
        for (unsigned again = 0; again < 20; ++again)
          REQUIRE(outcome(threads, ahead, pause) == outcome({kRun, {}}, ahead, pause));
      }
}

TEST_CASE("a prefetch that waits for the result before it holds up nothing, however few the threads") {
  for (const Threads& threads : kOthers) {
    CAPTURE(static_cast<int>(threads.mode), threads.workers.value_or(99));
    Results results;
    Bench b;
    b.table.call_on(threads.mode, threads.workers);
    b.table.connect("a", std::make_unique<Answer>(results, 1));
    b.table.connect("b", std::make_unique<Answer>(results, 2));
    b.connect_out([&](int value) { results.add(value); });
    results.add(0);
    int expected = 0;
    for (unsigned run = 0; run < 3; ++run) {
      for (unsigned turn = 0; turn < 20; ++turn) {
        const int a = b.filled(0), also = b.filled(1);
        REQUIRE(a == expected + 1);
        REQUIRE(also == expected + 2);
        b.drain(expected = (a + also) % 1000);
      }
      b.table.invalidate();
    }
  }
}

TEST_CASE("no callback is called on the run's thread with dedicated ones, and on no other with one thread") {
  const auto callers = [](const Threads& threads) {
    std::mutex mutex;
    std::set<std::thread::id> ids;
    struct Noting : Recorder {
      Noting(std::string& log, std::function<void()> note) : Recorder(log, 2), note(std::move(note)) {}
      Result prefetch(void* buffer) override { return note(), Recorder::prefetch(buffer); }
      void fetch(void* buffer) override { note(), Recorder::fetch(buffer); }
      void complete() override { note(), Recorder::complete(); }
      void invalidatePrefetched() override { note(), Recorder::invalidatePrefetched(); }
      std::function<void()> note;
    };
    const auto note = [&] {
      const std::lock_guard lock(mutex);
      ids.insert(std::this_thread::get_id());
    };
    std::string log;
    Bench b;
    b.table.call_on(threads.mode, threads.workers);
    b.table.connect("a", std::make_unique<Noting>(log, note));
    b.connect_out([&](int) { note(); });
    for (unsigned turn = 0; turn < 9; ++turn) b.drain(b.filled());
    b.table.invalidate();
    b.table.ask_ahead("a", 0);
    b.filled();
    return ids;
  };
  const auto here = std::this_thread::get_id();
  CHECK(callers({kRun, {}}) == std::set{here});
  CHECK(callers({kCollaborative, 0}) == std::set{here});
  CHECK(callers({kCollaborative, 2}).count(here) == 1);
  const auto dedicated = callers({kDedicated, 2});
  CHECK(dedicated.count(here) == 0);
  CHECK(dedicated.size() <= 3);
}

// Its transfers are 1, 2, ..., but for one that it has none for.
struct Failing : StreamCallback {
  explicit Failing(int bad) : bad(bad) {}
  Result prefetch(void* buffer) override {
    if (++next == bad) throw std::runtime_error("there is no number " + std::to_string(bad));
    return std::memcpy(buffer, &next, sizeof next), Result::Success;
  }
  void fetch(void*) override {}
  int bad, next = 0;
};

TEST_CASE("what a callback throws is thrown where its transfer is wanted") {
  for (const Threads& threads : kOthers)
    for (const uint32_t ahead : {1, 2, 3}) {
      Bench b(ahead);
      b.table.call_on(threads.mode, threads.workers);
      b.table.connect("a", std::make_unique<Failing>(3));
      for (const int value : {1, 2}) CHECK(b.filled() == value);
      CHECK_THROWS_WITH(b.filled(), "there is no number 3");
      b.table.invalidate();
      CHECK(b.filled() > 3);
      b.table.connect("a", std::make_unique<Failing>(3));
      CHECK(b.filled() == 1);  // what nobody wants is not told
      b.table.invalidate();
      b.connect_out([](int value) { throw std::runtime_error("no use for " + std::to_string(value)); });
      CHECK_THROWS_WITH(b.drain(7), "no use for 7");
    }
}

// Its second prefetch returns when it is let.
struct Gate {
  std::atomic<bool> inside = false, open = false, gone = false;
  void come_in() { inside.wait(false); }
  void let() {
    open = true;
    open.notify_all();
  }
};
struct Held : StreamCallback {
  explicit Held(Gate& gate) : gate(gate) {}
  ~Held() override { gate.gone = true; }
  Result prefetch(void* buffer) override {
    if (++number == 2) {
      gate.inside = true;
      gate.inside.notify_all();
      gate.open.wait(false);
    }
    return std::memcpy(buffer, &number, sizeof number), Result::Success;
  }
  void fetch(void*) override {}
  void invalidatePrefetched() override { number = 0; }
  Gate& gate;
  int number = 0;
};

TEST_CASE("the end of a run waits for no prefetch; who needs the callback, or takes it away, does") {
  for (const CallbackMode mode : {kDedicated, kCollaborative}) {
    Gate next_run, connected_anew, destroyed;
    std::vector<std::thread> openers;
    const auto soon = [&](Gate& gate) {
      openers.emplace_back([&gate] {
        std::this_thread::yield();
        gate.let();
      });
    };
    {
      Bench b;
      b.table.call_on(mode, 1);
      const auto start = [&](Gate& gate) {
        b.table.connect("a", std::make_unique<Held>(gate));
        CHECK(b.filled() == 1);
        gate.come_in();
        b.table.invalidate();
        CHECK_FALSE(gate.gone);
      };
      start(next_run);
      soon(next_run);
      CHECK(b.filled() == 1);  // what came too late is dropped
      b.table.invalidate();
      start(connected_anew);
      CHECK(next_run.gone);
      soon(connected_anew);
      int data = 5;
      b.table.connect("a", &data);
      CHECK(connected_anew.gone);
      CHECK(b.filled() == 5);
      start(destroyed);
      b.table.call_on(kRun);  // as for a run with other options
      soon(destroyed);
    }
    CHECK(destroyed.gone);
    for (std::thread& opener : openers) opener.join();
  }
}

TEST_CASE("jobs are done by no more threads than may be, also when there may be fewer") {
  for (const unsigned most : {1u, 3u}) {
    std::atomic<unsigned> at_work = 0, done = 0;
    std::atomic<bool> too_many = false;
    CallbackThreads threads;
    threads.at_most(5);
    for (unsigned job = 0; job < 200; ++job) {
      if (job == 100) {
        while (done != 100) std::this_thread::yield();
        threads.at_most(most);
      }
      threads.post([&, limit = job < 100 ? 5 : most] {
        if (++at_work > limit) too_many = true;
        std::this_thread::yield();
        --at_work;
        ++done;
      });
    }
    while (done != 200) std::this_thread::yield();
    CHECK_FALSE(too_many);
  }
}

}  // namespace
