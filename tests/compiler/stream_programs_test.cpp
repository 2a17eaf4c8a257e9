// Streams and host handles: data of any type and layout between host memory and tiles.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <numeric>

#include "compiler/passes/compile.h"
#include "tests/compiler/graph_builder.h"
#include "tests/compiler/program_runner.h"

using namespace tessera;
using namespace tessera::test;

namespace {

using Bytes = std::vector<std::uint8_t>;

ProgramRunner start(const GraphBuilder& builder, const std::vector<ProgramRef>& programs,
                    const std::string& machine_name = test_machine()) {
  const spec::Machine machine = spec::load_machine(machine_name);
  return ProgramRunner(compiler::compile(builder.graph, programs, machine), machine);
}

Bytes counting(std::size_t n, unsigned first = 1) {
  Bytes bytes(n);
  for (std::size_t i = 0; i < n; ++i) bytes[i] = static_cast<std::uint8_t>(first + i);
  return bytes;
}

}  // namespace

TEST_CASE("a FIFO to the device is read once per transfer, one from the device written once") {
  GraphBuilder b(4);
  const TensorRef v = b.variable("v", ElementType::kUnsignedInt, {{100, 0}, {300, 2}, {5, 3}});
  b.graph.streams.push_back({"in", ElementType::kUnsignedInt, 405, true, {}});
  b.graph.streams.push_back({"out", ElementType::kUnsignedInt, 405, false, {}});
  ProgramRunner runner =
      start(b, {program(graph::Repeat{
                   3, sequence({program(graph::CopyFromStream{0, v}), program(graph::CopyToStream{v, 1})})})});
  std::vector<Bytes> given, taken;
  runner.run(0, [&](const image::Stream& stream, Bytes& data) {
    CHECK(data.size() == 4 * 405);
    if (stream.use == image::StreamUse::kToDevice) {
      CHECK(stream.handle == "in");
      data = counting(data.size(), 10 * static_cast<unsigned>(given.size()));
      given.push_back(data);
    } else {
      CHECK(stream.handle == "out");
      taken.push_back(data);
    }
  });
  REQUIRE(given.size() == 3);
  CHECK(taken == given);
}

TEST_CASE("bytes at odd places go to and from the host without touching their neighbours") {
  GraphBuilder b(4);
  const TensorRef v = b.variable("v", ElementType::kUnsignedChar, {{7, 1}, {10, 0}, {6, 1}, {1, 2}});
  b.handles("all", v);
  const TensorRef middle = slice(v, 3, 20);
  b.handles("middle", middle);
  const TensorRef reversed{v.type, middle.view.reverse(0)};
  b.read_handle("reversed", reversed);
  ProgramRunner runner = start(b, {sequence({})});
  Bytes expected = counting(24);
  runner.write("all", expected);
  CHECK(runner.read<std::uint8_t>("all") == expected);
  const Bytes part = counting(17, 100);
  runner.write("middle", part);
  std::copy(part.begin(), part.end(), expected.begin() + 3);
  CHECK(runner.read<std::uint8_t>("all") == expected);
  CHECK(runner.read<std::uint8_t>("middle") == part);
  CHECK(runner.read<std::uint8_t>("reversed") == Bytes(part.rbegin(), part.rend()));
}

TEST_CASE("a matrix is written and read in its own order, whatever the mapping") {
  GraphBuilder b(4);
  const TensorRef v = b.variable("v", ElementType::kUnsignedShort, {{12, 3}, {12, 0}});
  const std::array<std::size_t, 2> shape{4, 6};
  const std::array<unsigned, 2> swap{1, 0};
  const TensorRef matrix{v.type, v.view.reshape(shape)}, transposed{v.type, matrix.view.dim_shuffle(swap)};
  b.write_handle("transposed", transposed);
  b.read_handle("matrix", matrix);
  ProgramRunner runner = start(b, {sequence({})});
  std::vector<std::uint16_t> values(24);
  std::iota(values.begin(), values.end(), std::uint16_t{7});
  runner.write("transposed", values);
  const auto result = runner.read<std::uint16_t>("matrix");
  for (std::size_t r = 0; r < 4; ++r)
    for (std::size_t c = 0; c < 6; ++c) CHECK(result[6 * r + c] == values[4 * c + r]);
}

TEST_CASE("PrintTensor hands the tensor, its shape and title to the host") {
  GraphBuilder b(4);
  const TensorRef v = b.variable("v", ElementType::kUnsignedInt, {{4, 1}, {2, 2}});
  b.initial(v, {1, 2, 3, 4, 5, 6});
  const std::array<std::size_t, 2> shape{2, 3};
  graph::PrintFormat format;
  format.digits = 3;
  ProgramRunner runner = start(b, {program(graph::PrintTensor{"title", {v.type, v.view.reshape(shape)}, format})});
  unsigned printed = 0;
  runner.run(0, [&](const image::Stream& stream, Bytes& data) {
    ++printed;
    CHECK(stream.use == image::StreamUse::kPrint);
    CHECK(stream.handle == "title");
    CHECK(stream.shape == std::vector<std::uint64_t>{2, 3});
    CHECK(stream.print.digits == 3);
    CHECK(data.size() == 24);
    CHECK(data[4 * 5] == 6);
  });
  CHECK(printed == 1);
}

TEST_CASE("more words than xcount counts arrive on one tile") {
  GraphBuilder b(4);
  const TensorRef v = b.variable("v", ElementType::kUnsignedInt, {{70000, 2}});
  b.handles("v", v);
  ProgramRunner runner = start(b, {sequence({})}, "mk2-4");  // 280,000 bytes: more than a small tile has
  std::vector<std::uint32_t> values(70000);
  std::iota(values.begin(), values.end(), 3u);
  runner.write("v", values);
  CHECK(runner.read<std::uint32_t>("v") == values);
}

TEST_CASE("streams of one host phase bring more words to a tile than xcount counts, and take what was there") {
  GraphBuilder b(4);
  const TensorRef large = b.variable("large", ElementType::kUnsignedInt, {{40000, 2}}),
                  other = b.variable("other", ElementType::kUnsignedInt, {{30000, 2}, {3, 0}}),
                  odd = b.variable("odd", ElementType::kUnsignedChar, {{5, 2}, {9, 3}});
  const auto add = [&](const char* name, const TensorRef& v, bool to_device) {
    b.graph.streams.push_back({name, v.type, v.view.num_elements(), to_device, {}});
    return static_cast<graph::StreamId>(b.graph.streams.size() - 1);
  };
  const TensorRef middle = slice(odd, 1, 11);
  ProgramRunner runner =
      start(b,
            {program(graph::Repeat{2, sequence({program(graph::CopyToStream{other, add("taken", other, false)}),
                                                program(graph::CopyFromStream{add("large", large, true), large}),
                                                program(graph::CopyFromStream{add("middle", middle, true), middle}),
                                                program(graph::CopyFromStream{add("other", other, true), other})})}),
             sequence({program(graph::CopyToStream{large, add("large after", large, false)}),
                       program(graph::CopyToStream{odd, add("odd after", odd, false)}),
                       program(graph::CopyToStream{other, add("other after", other, false)})})},
            "mk2-4");
  CHECK(runner.executable().host.phases.size() == 2);
  std::vector<std::string> order;
  std::map<std::string, Bytes> given;
  unsigned transfers = 0;
  const auto transfer = [&](const image::Stream& stream, Bytes& data) {
    order.push_back(stream.handle);
    if (stream.use == image::StreamUse::kToDevice)
      given[stream.handle] = data = counting(data.size(), ++transfers);
    else if (stream.handle == "taken")  // of the turn before
      CHECK(data == (given.contains("other") ? given["other"] : Bytes(data.size())));
    else if (stream.handle == "odd after")
      CHECK(Bytes(data.begin() + 1, data.begin() + 11) == given["middle"]);
    else
      CHECK(data == given[stream.handle.substr(0, 5)]);
  };
  runner.run(0, transfer);
  runner.run(1, transfer);
  CHECK(order == std::vector<std::string>{"taken", "large", "middle", "other", "taken", "large", "middle", "other",
                                          "large after", "odd after", "other after"});
}
