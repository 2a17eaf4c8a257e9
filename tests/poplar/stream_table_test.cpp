// Host ends of streams: rings, callbacks, order of calls, sizes, pieces.
#include <catch2/catch.hpp>
#include <cstring>
#include <poplar/exceptions.hpp>

#include "sw/poplar/stream_table.h"

namespace {

using namespace tessera;
using image::StreamUse;
using runtime::StreamTable;

// Stream "in" to the device and "out" from it, four ints a transfer. The window holds the second half first.
image::HostLayout layout() {
  image::HostLayout layout;
  layout.bytes = 64;
  for (const auto& [handle, use] : {std::pair("in", StreamUse::kToDevice), std::pair("out", StreamUse::kFromDevice)}) {
    image::Stream stream;
    stream.handle = handle;
    stream.use = use;
    stream.type = graph::ElementType::kInt;
    stream.elements = 4;
    stream.bytes = 16;
    stream.pieces = {{0, 24, 8}, {8, 16, 8}};
    layout.streams.push_back(stream);
  }
  return layout;
}

struct Bench {
  explicit Bench(bool prefetch = false) : table(streams, prefetch) {}
  image::HostLayout streams = layout();
  std::array<int, 16> window{};
  StreamTable table;

  std::span<std::byte> bytes() { return std::as_writable_bytes(std::span(window)); }
  std::vector<int> filled() {
    table.fill(streams.streams[0], bytes());
    return {window[6], window[7], window[4], window[5]};
  }
  void drain(std::vector<int> values) {
    window[6] = values[0];
    window[7] = values[1];
    window[4] = values[2];
    window[5] = values[3];
    table.drain(streams.streams[1], bytes());
  }
};

// Two replicas, each with a window of its own.
struct ReplicaBench {
  explicit ReplicaBench(const std::vector<std::string>& broadcasts) : table(streams, 0, 2, broadcasts) {}
  image::HostLayout streams = layout();
  StreamTable table;

  // What the replicas get, one after the other.
  std::vector<int> filled() {
    std::vector<int> all;
    for (uint32_t replica = 0; replica < 2; ++replica) {
      std::array<int, 16> window{};
      table.fill(streams.streams[0], std::as_writable_bytes(std::span(window)), replica);
      all.insert(all.end(), {window[6], window[7], window[4], window[5]});
    }
    return all;
  }
  void drain(int first) {
    for (uint32_t replica = 0; replica < 2; ++replica) {
      std::array<int, 16> window{};
      window[6] = first + static_cast<int>(replica);
      table.drain(streams.streams[1], std::as_writable_bytes(std::span(window)), replica);
    }
  }
};

// Gives its number and how often it has been called.
std::unique_ptr<poplar::StreamCallback> counting(int number, std::shared_ptr<int> calls = std::make_shared<int>(0)) {
  return poplar::StreamCallbackHandle([number, calls](void* data) {
           const int values[4] = {number, ++*calls, 0, 0};
           std::memcpy(data, values, sizeof values);
         })
      .release();
}

TEST_CASE("a buffer holds the transfers of all replicas in their order") {
  ReplicaBench b({});
  int data[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  b.table.connect("in", data, data + 12);
  CHECK(b.filled() == std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(b.filled() == std::vector<int>{9, 10, 11, 12, 1, 2, 3, 4});  // round the ring
  b.table.connect("in", data);
  b.filled();
  CHECK(b.filled() == std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8});
  int out[8] = {};
  b.table.connect("out", out);
  b.drain(7);
  CHECK(out[0] == 7);
  CHECK(out[4] == 8);
  CHECK_THROWS_WITH(b.table.connect("in", data, data + 7), Catch::Matchers::ContainsText("for each of 2 replicas"));
}

TEST_CASE("all replicas get the same transfer of a broadcast") {
  ReplicaBench b({"in"});
  int data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  b.table.connect("in", data, data + 8);
  CHECK(b.filled() == std::vector<int>{1, 2, 3, 4, 1, 2, 3, 4});
  CHECK(b.filled() == std::vector<int>{5, 6, 7, 8, 5, 6, 7, 8});
  b.table.connect("in", counting(3));
  CHECK(b.filled() == std::vector<int>{3, 1, 0, 0, 3, 1, 0, 0});
  CHECK_THROWS_WITH(b.table.connect("in", 1, counting(1)),
                    "stream 'in' has no replica 1: all get what is connected for replica 0");
}

TEST_CASE("each replica may have a callback of its own, or all share one") {
  ReplicaBench b({});
  b.table.connect("in", 1, counting(20));
  CHECK_FALSE(b.table.connected("in"));
  b.table.connect("in", 0, counting(10));
  CHECK(b.table.connected("in"));
  CHECK(b.filled() == std::vector<int>{10, 1, 0, 0, 20, 1, 0, 0});
  b.table.connect("in", counting(5));
  CHECK(b.filled() == std::vector<int>{5, 1, 0, 0, 5, 2, 0, 0});
  b.table.connect("in", 1, counting(6));  // those of all are no more
  CHECK_FALSE(b.table.connected("in"));
  CHECK_THROWS_AS(b.table.connect("in", 2, counting(1)), poplar::stream_connection_error);
}

TEST_CASE("a buffer of one transfer is used again and again") {
  Bench b;
  int data[4] = {1, 2, 3, 4};
  b.table.connect("in", data);
  CHECK(b.filled() == std::vector<int>{1, 2, 3, 4});
  data[0] = 9;
  CHECK(b.filled() == std::vector<int>{9, 2, 3, 4});
}

TEST_CASE("a range is a ring that transfers go round, also through its end") {
  Bench b;
  int data[6] = {1, 2, 3, 4, 5, 6};
  b.table.connect("in", data, data + 6);
  CHECK(b.filled() == std::vector<int>{1, 2, 3, 4});
  CHECK(b.filled() == std::vector<int>{5, 6, 1, 2});
  CHECK(b.filled() == std::vector<int>{3, 4, 5, 6});
  CHECK(b.filled() == std::vector<int>{1, 2, 3, 4});
  int out[6] = {};
  b.table.connect("out", out, out + 6);
  b.drain({1, 2, 3, 4});
  b.drain({5, 6, 7, 8});
  CHECK(std::vector<int>(out, out + 6) == std::vector<int>{7, 8, 3, 4, 5, 6});
}

TEST_CASE("connecting again starts at the start of the new range") {
  Bench b;
  int first[8] = {1, 2, 3, 4, 5, 6, 7, 8}, second[8] = {11, 12, 13, 14, 15, 16, 17, 18};
  b.table.connect("in", first, first + 8);
  b.filled();
  b.table.connect("in", second, second + 8);
  CHECK(b.filled() == std::vector<int>{11, 12, 13, 14});
}

TEST_CASE("unknown handles, and ranges too small or with half an element, are refused by name") {
  Bench b;
  int data[4];
  CHECK_THROWS_AS(b.table.connect("other", data), poplar::stream_connection_error);
  CHECK_THROWS_WITH(b.table.connect("other", data),
                    Catch::Matchers::ContainsText("'other'") && Catch::Matchers::ContainsText("'in', 'out'"));
  CHECK_THROWS_WITH(b.table.connect("in", data, data + 3), Catch::Matchers::ContainsText("16 bytes at a time"));
  CHECK_THROWS_WITH(b.table.connect("in", data, reinterpret_cast<char*>(data) + 18),
                    Catch::Matchers::ContainsText("part of one"));
  CHECK_THROWS_AS(b.filled(), poplar::stream_connection_error);
  CHECK_FALSE(b.table.connected("in"));
}

// Writes down what it is asked.
struct Recorder : poplar::StreamCallback {
  Recorder(std::string& log, unsigned available) : log(log), available(available) {}
  Result prefetch(void* buffer) override {
    log += "p";
    if (available == 0) return Result::NotAvailable;
    --available;
    return fill(buffer), Result::Success;
  }
  void fetch(void* buffer) override {
    log += "f";
    fill(buffer);
  }
  void complete() override { log += "c"; }
  void invalidatePrefetched() override { log += "i"; }
  void fill(void* buffer) {
    const int values[4] = {next, next, next, next};
    std::memcpy(buffer, values, sizeof values);
    ++next;
  }
  std::string& log;
  unsigned available;
  int next = 1;
};

TEST_CASE("without prefetch a callback is asked to fetch, then told") {
  Bench b;
  std::string log;
  b.table.connect("in", std::make_unique<Recorder>(log, 9));
  CHECK(b.filled() == std::vector<int>{1, 1, 1, 1});
  CHECK(b.filled() == std::vector<int>{2, 2, 2, 2});
  b.table.invalidate();
  CHECK(log == "fcfc");
}

TEST_CASE("with prefetch the next data is asked for ahead, used if there, and dropped at the end") {
  Bench b(true);
  std::string log;
  b.table.connect("in", std::make_unique<Recorder>(log, 1));
  CHECK(b.filled() == std::vector<int>{1, 1, 1, 1});  // fetch, complete, prefetch: there
  CHECK(b.filled() == std::vector<int>{2, 2, 2, 2});  // complete, prefetch: not there
  CHECK(b.filled() == std::vector<int>{3, 3, 3, 3});
  CHECK(log == "fcpcpfcp");
  b.table.connect("in", std::make_unique<Recorder>(log = "", 5));
  b.filled();
  b.table.invalidate();
  b.table.invalidate();
  CHECK(log == "fcpi");
}

TEST_CASE("asked at need, a callback prefetches what is wanted, or fetches what is not there yet") {
  Bench b;
  b.table.ask_at_need(true);
  std::string log;
  b.table.connect("in", std::make_unique<Recorder>(log, 1));
  CHECK(b.filled() == std::vector<int>{1, 1, 1, 1});  // there
  CHECK(b.filled() == std::vector<int>{2, 2, 2, 2});  // not there
  b.table.invalidate();
  CHECK(log == "pcpfc");  // nothing is left over
}

TEST_CASE("data from the device is handed to a callback") {
  Bench b;
  std::vector<int> seen;
  poplar::StreamCallbackHandle handle(
      [&](void* data) { seen.assign(static_cast<int*>(data), static_cast<int*>(data) + 4); });
  b.table.connect("out", handle.release());
  b.drain({4, 3, 2, 1});
  CHECK(seen == std::vector<int>{4, 3, 2, 1});
}

}  // namespace
