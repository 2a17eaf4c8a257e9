// Handles of callbacks: what they are made from, how the callback is reached, and what a callback does that says
// nothing of its own.
#include <catch2/catch.hpp>
#include <memory>
#include <poplar/HostFunctionCallback.hpp>
#include <poplar/StreamCallback.hpp>
#include <thread>
#include <type_traits>

using namespace poplar;

namespace {

struct Counting : LegacyStreamCallback {
  void fetch(void* buffer) override { *static_cast<int*>(buffer) = ++calls; }
  int calls = 0;
};

struct Adding : HostCallback {
  void operator()(ArrayRef<const void*> inputs, ArrayRef<void*> outputs) override {
    *static_cast<int*>(outputs[0]) = *static_cast<const int*>(inputs[0]) + 1;
  }
};

struct Waiting : ResumableStreamCallback {
  Result prefetch(void*) override { return Result::NotAvailable; }
  void fetch(void*) override { wait(); }
};

}  // namespace

TEST_CASE("a callback that only fetches has nothing ahead, and hears nothing of it") {
  Counting counting;
  int value = 0;
  CHECK(counting.prefetch(&value) == StreamCallback::Result::NotAvailable);
  CHECK(value == 0);
  counting.fetch(&value);
  CHECK(value == 1);
  LegacyStreamCallback& legacy = counting;
  legacy.complete();
  legacy.invalidatePrefetched();
  CHECK(counting.calls == 1);
  CHECK(std::is_base_of<StreamCallbackBase, StreamCallback>::value);
}

TEST_CASE("a handle of a stream callback gives it out in every form, and lets go of it") {
  StreamCallbackHandle handle(std::unique_ptr<Counting>(new Counting));
  int value = 0;
  handle.get().fetch(&value);
  handle->fetch(&value);
  (*handle).fetch(&value);
  static_cast<StreamCallback&>(handle).fetch(&value);
  CHECK(value == 4);
  const std::unique_ptr<StreamCallback> released = handle.release();
  released->fetch(&value);
  CHECK(value == 5);
  StreamCallbackHandle function([](void* buffer) { *static_cast<int*>(buffer) = 77; });
  StreamCallbackHandle moved(std::move(function));
  moved->fetch(&value);
  CHECK(value == 77);
}

TEST_CASE("a handle of a host function's callback gives it out in every form, and lets go of it") {
  HostCallbackHandle handle(std::unique_ptr<Adding>(new Adding));
  int in = 1, out = 0;
  const void* inputs[] = {&in};
  void* outputs[] = {&out};
  const auto call = [&](HostCallback& callback) {
    out = 0;
    callback(inputs, outputs);
    return out;
  };
  CHECK(call(handle.get()) == 2);
  CHECK(call(*handle) == 2);
  CHECK(call(*handle.operator->()) == 2);
  CHECK(call(static_cast<HostCallback&>(handle)) == 2);
  CHECK(call(*handle.release()) == 2);
  HostCallbackHandle function([](ArrayRef<const void*> from, ArrayRef<void*> to) {
    *static_cast<int*>(to[0]) = *static_cast<const int*>(from[0]) * 10;
  });
  CHECK(call(*function) == 10);
}

TEST_CASE("a callback that waits is awaiting until it is notified, before or after") {
  Waiting waiting;
  CHECK_FALSE(waiting.isAwaiting());
  waiting.notify();
  waiting.fetch(nullptr);  // was told before
  std::thread other([&] { waiting.fetch(nullptr); });
  while (!waiting.isAwaiting()) std::this_thread::yield();
  waiting.notify();
  other.join();
  CHECK_FALSE(waiting.isAwaiting());
}
