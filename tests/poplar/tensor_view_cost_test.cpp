// What views of a tensor of 10^8 elements allocate: a few pieces, never something an element. How long they take is
// measured by ./run bench first-light (tensor-view-*).
#include <catch2/catch.hpp>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include "compiler/graph/tensor_view.h"

namespace {
std::size_t allocated_bytes = 0, allocations = 0;
}

[[gnu::noinline]] void* operator new(std::size_t bytes) {
  allocated_bytes += bytes;
  ++allocations;
  if (void* p = std::malloc(bytes)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace {

using tessera::graph::TensorView;
using Shape = std::vector<std::size_t>;

constexpr std::size_t kSide = 10000;

struct Case {
  std::string name;
  std::function<TensorView(const TensorView&)> make;
  std::size_t elements;
};

TensorView transpose(const TensorView& v) { return v.dim_shuffle(std::vector<unsigned>{1, 0}); }

TensorView concat(const std::vector<TensorView>& views, unsigned dim) {
  std::vector<const TensorView*> pointers;
  for (const TensorView& v : views) pointers.push_back(&v);
  return TensorView::concat(pointers, dim);
}

TensorView broadcast(const TensorView& v) { return v.broadcast(0, 7); }
TensorView rows(const TensorView& v) { return v.slice(0, 1, kSide - 1); }
TensorView columns(const TensorView& v) { return v.slice(1, 1, kSide - 1); }
TensorView row(const TensorView& v) { return v.index(17); }
TensorView reshaped(const TensorView& v) { return v.reshape(Shape{10, 1000, 100, 100}); }
TensorView cut_off_borders(const TensorView& v) {
  return transpose(v).flatten().slice(0, 12345, kSide * kSide - 54321);
}
TensorView reshaped_and_shuffled(const TensorView& v) {
  return transpose(v).reshape(Shape{100, 100, 2, 5000}).dim_shuffle(std::vector<unsigned>{3, 1, 0, 2});
}
TensorView reversed(const TensorView& v) { return v.reverse(0).reverse(1); }
TensorView sub_sampled(const TensorView& v) { return v.sub_sample(1, 7).sub_sample(0, 3); }
TensorView upsampled(const TensorView& v) { return v.upsample(1, 3); }
TensorView joined_rows(const TensorView& v) { return concat({v, v.reverse(0)}, 0); }
TensorView joined_columns(const TensorView& v) { return concat({v, transpose(v)}, 1); }
TensorView shuffled_columns(const TensorView& v) { return transpose(joined_columns(v)).slice(0, 5, 2 * kSide - 5); }

const std::vector<Case> kCases = {
    {"transpose", transpose, kSide* kSide},
    {"broadcast", broadcast, 7 * kSide* kSide},
    {"slice of rows", rows, (kSide - 2) * kSide},
    {"slice of columns", columns, (kSide - 2) * kSide},
    {"one row", row, kSide},
    {"reshape", reshaped, kSide* kSide},
    {"flattened transpose, cut off its borders", cut_off_borders, kSide* kSide - 12345 - 54321},
    {"transpose, reshaped and shuffled", reshaped_and_shuffled, kSide* kSide},
    {"reverse of both dimensions", reversed, kSide* kSide},
    {"sub-sampling", sub_sampled, 1429 * 3334},
    {"upsampling", upsampled, 3 * kSide* kSide},
    {"concat of rows", joined_rows, 2 * kSide* kSide},
    {"concat of columns", joined_columns, 2 * kSide* kSide},
    {"shuffle of a concat of columns", shuffled_columns, (2 * kSide - 10) * kSide},
};

}  // namespace

TEST_CASE("views of a tensor of 10^8 elements cost a few allocations of less than 1 MB") {
  const TensorView large = TensorView::whole(0, Shape{kSide, kSide});
  for (const Case& c : kCases) {
    INFO(c.name);
    const std::size_t bytes_before = allocated_bytes, before = allocations;
    const TensorView view = c.make(large);
    const std::size_t bytes = allocated_bytes - bytes_before, number = allocations - before;
    CHECK(view.num_elements() == c.elements);
    CHECK(number < 1000);
    CHECK(bytes < 1000000);
  }
}

TEST_CASE("asking a transposed tensor of 10^8 elements for its elements' range costs no walk over them") {
  const TensorView view = transpose(TensorView::whole(3, Shape{kSide, kSide}));
  const std::size_t before = allocated_bytes;
  const std::vector<tessera::graph::VariableRun> runs = view.covering_runs();
  CHECK(runs == std::vector<tessera::graph::VariableRun>{{3, 0, kSide * kSide}});
  CHECK_FALSE(view.contains_aliases());
  CHECK(view.first_variable() == 3);
  CHECK(allocated_bytes - before < 1000000);
}
