// Cost of views of a tensor of 10^8 elements: time (mean of many calls: one takes microseconds, and the first of all
// loads the library's code), and bytes allocated by one.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <new>
#include <poplar/Graph.hpp>
#include <poplar/Target.hpp>

#include "figure.h"

namespace {
std::atomic<size_t> allocated{0};
}

// Never in line: g++ would see free() of what operator new gave, and warn.
[[gnu::noinline]] void* operator new(size_t bytes) {
  allocated += bytes;
  if (void* p = std::malloc(bytes)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, size_t) noexcept { std::free(p); }

namespace {

constexpr unsigned kCalls = 2000;

template <class Make>
bool measure(const std::string& name, Make make) {
  const size_t before = allocated;
  const poplar::Tensor view = make();
  const double megabytes = static_cast<double>(allocated - before) / 1e6;
  const auto start = std::chrono::steady_clock::now();
  for (unsigned i = 0; i < kCalls; ++i) make();
  const double ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count() / kCalls;
  const nlohmann::json context = {{"elements", view.numElements()}};
  const bool fast = print_figure("tensor-view-" + name + "-time", ms, "ms", Goal::kAtMost, 1.0, context);
  const bool small = print_figure("tensor-view-" + name + "-memory", megabytes, "MB", Goal::kAtMost, 1.0, context);
  return fast && small;
}

}  // namespace

int main() {
  poplar::Graph graph(poplar::Target::createIPUTarget(1, 16, "ipu2"));
  const poplar::Tensor t = graph.addVariable(poplar::FLOAT, {10000, 10000}, "large");
  bool ok = measure("transpose", [&] { return t.transpose(); });
  ok &= measure("broadcast", [&] { return t.broadcast(10, 0); });
  ok &= measure("slice", [&] { return t.slice({1, 1}, {9999, 9999}); });
  ok &= measure("transposed-broadcast-slice", [&] { return t.transpose().broadcast(3, 1).slice(5, 9000, 0); });
  return ok ? 0 : 1;
}
