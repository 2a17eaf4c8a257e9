// The text of PrintTensor.
#include <catch2/catch.hpp>
#include <numeric>
#include <sstream>

#include "sw/poplar/print_tensor.h"

namespace {

using tessera::graph::ElementType;
using tessera::graph::PrintFormat;

template <class T>
std::string text(ElementType type, std::vector<uint64_t> shape, std::vector<T> values, PrintFormat format = {}) {
  std::ostringstream os;
  tessera::runtime::print_tensor(os, "t", type, shape, reinterpret_cast<const std::byte*>(values.data()), format);
  return os.str();
}

std::vector<int> count(int n) {
  std::vector<int> values(n);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

TEST_CASE("floats have seven digits after the point, integers none") {
  CHECK(text<float>(ElementType::kFloat, {4}, {7, 6, 5.5, -4}) == "t: [7.0000000 6.0000000 5.5000000 -4.0000000]\n");
  CHECK(text<int>(ElementType::kInt, {3}, {10, -11, 12}) == "t: [10 -11 12]\n");
  CHECK(text<uint8_t>(ElementType::kBool, {2}, {1, 0}) == "t: [1 0]\n");
  CHECK(text<int8_t>(ElementType::kSignedChar, {2}, {65, -1}) == "t: [65 -1]\n");
  CHECK(text<uint64_t>(ElementType::kUnsignedLongLong, {1}, {~uint64_t{0}}) == "t: [18446744073709551615]\n");
}

TEST_CASE("a value without dimensions stands alone") { CHECK(text<int>(ElementType::kInt, {}, {42}) == "t: 42\n"); }

TEST_CASE("rows stand on lines of their own, indented by their depth") {
  CHECK(text<float>(ElementType::kFloat, {2, 2}, {5, 4.5, 4, 3.5}) ==
        "t: [\n [5.0000000 4.5000000]\n [4.0000000 3.5000000]\n]\n");
  CHECK(text<int>(ElementType::kInt, {1, 2, 1}, {1, 2}) == "t: [\n [\n  [1]\n  [2]\n ]\n]\n");
}

TEST_CASE("halves are printed by their value") {
  CHECK(text<uint16_t>(ElementType::kHalf, {5}, {0x3c00, 0xc000, 0x0001, 0x7c00, 0xfe00}) ==
        "t: [1.0000000 -2.0000000 0.0000001 inf nan]\n");
}

TEST_CASE("very large values switch to powers of ten") {
  CHECK(text<float>(ElementType::kFloat, {2}, {1e10f, 1}) == "t: [1.0000000e+10 1.0000000e+00]\n");
}

TEST_CASE("long tensors show their edges only") {
  CHECK(text<int>(ElementType::kInt, {1001}, count(1001)) == "t: [0 1 2 ... 998 999 1000]\n");
  PrintFormat format;
  format.summarise_threshold = 3;
  format.edge_items = 1;
  CHECK(text<int>(ElementType::kInt, {3, 3}, count(9), format) == "t: [\n [0 ... 2]\n ...\n [6 ... 8]\n]\n");
}

TEST_CASE("long rows are broken at the line width") {
  PrintFormat format;
  format.max_line_width = 10;
  CHECK(text<int>(ElementType::kInt, {6}, {100, 101, 102, 103, 104, 105}, format) ==
        "t: [100 101\n 102 103\n 104 105]\n");
}

TEST_CASE("separator, brackets and digits are those of the format") {
  PrintFormat format;
  format.separator = ',';
  format.open = '(';
  format.close = ')';
  format.digits = 1;
  CHECK(text<float>(ElementType::kFloat, {2}, {1, 2}, format) == "t: (1.0,2.0)\n");
}

}  // namespace
