// Eight-bit floats: their values on the host, tensors of them and their metadata, and their bytes through the model.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/Quarter.hpp>
#include <poplar/TypeConversion.hpp>
#include <sstream>
#include <utility>
#include <vector>

#include "tests/poplar/graph_fixture.h"

using namespace poplar;
using Catch::Matchers::ContainsText;
using Format = QuarterMetadata::Format;

namespace {

// The non-negative values of a format, smallest first, by their definition.
std::vector<double> values_of(Format format) {
  const int fractions = format == Format::F143 ? 8 : 4, bias = format == Format::F143 ? 8 : 16;
  std::vector<double> values;
  for (int field = 0; field < 128 / fractions; ++field)
    for (int fraction = 0; fraction < fractions; ++fraction)
      values.push_back(field == 0 ? std::pow(2.0, 1 - bias) * fraction / fractions
                                  : std::pow(2.0, field - bias) * (1 + 1.0 * fraction / fractions));
  return values;
}

}  // namespace

TEST_CASE("every quarter has its value, scaled, and the value gives it back") {
  for (const Format format : {Format::F143, Format::F152}) {
    for (const int scale : {-32, -1, 0, 5, 31}) {
      const QuarterMetadata metadata(format, scale);
      const std::vector<double> values = values_of(format);
      for (unsigned bits = 0; bits < 128; ++bits) {
        const double value = values[bits] * std::pow(2.0, scale);
        CHECK(quarter::fromBits(static_cast<std::uint8_t>(bits)).toFloat(metadata) == value);
        CHECK(quarter(value, metadata).bits() == bits);
        if (bits == 0) continue;
        CHECK(quarter::fromBits(static_cast<std::uint8_t>(bits | 128)).toFloat(metadata) == -value);
        CHECK(quarter(-value, metadata).bits() == (bits | 128));
      }
      CHECK(std::isnan(quarter::fromBits(0x80).toFloat(metadata)));
    }
  }
  CHECK(values_of(Format::F143).back() == 240);
  CHECK(values_of(Format::F152).back() == 57344);
}

TEST_CASE("between two quarters the nearest is taken, of two as near the even one") {
  for (const Format format : {Format::F143, Format::F152}) {
    const QuarterMetadata metadata(format, 0);
    const std::vector<double> values = values_of(format);
    for (unsigned bits = 0; bits + 1 < 128; ++bits) {
      const double middle = (values[bits] + values[bits + 1]) / 2;
      CHECK(quarter(middle, metadata).bits() == (bits % 2 == 0 ? bits : bits + 1));
      CHECK(quarter(std::nextafter(middle, 0), metadata).bits() == bits);
      CHECK(quarter(std::nextafter(middle, 1e9), metadata).bits() == bits + 1);
    }
    CHECK(quarter(values[127] * 2, metadata).bits() == 0x7f);
    CHECK(quarter(1e300, metadata).bits() == 0x7f);
    CHECK(quarter(-std::numeric_limits<double>::infinity(), metadata).bits() == 0xff);
    CHECK(quarter(std::numeric_limits<double>::quiet_NaN(), metadata).bits() == 0x80);
    CHECK(quarter(-0.0, metadata).bits() == 0);
    CHECK(quarter(-1e-300, metadata).bits() == 0);
  }
}

TEST_CASE("metadata is a byte on the device") {
  CHECK(QuarterMetadata(Format::F143, 3).getBinary() == 0x83);
  CHECK(QuarterMetadata(Format::F152, -2).getBinary() == 0x3e);
  CHECK(QuarterMetadata(0x3e) == QuarterMetadata(Format::F152, -2));
  CHECK(QuarterMetadata(0xa0).getScale() == -32);
  CHECK_THROWS_WITH(QuarterMetadata(Format::F143, 32), ContainsText("scale 32"));
  CHECK(QuarterMetadata(0x83).getFormat() == Format::F143);
  CHECK(QuarterMetadata(0x3e).getFormat() == Format::F152);
  CHECK(QuarterMetadata(Format::F143, 1) != QuarterMetadata(Format::F152, 1));
  std::ostringstream os;
  os << Format::F143 << ' ' << QuarterMetadata(Format::F152, -2);
  CHECK_THAT(os.str(), ContainsText("F143 ") && ContainsText("F152") && ContainsText("-2"));
}

TEST_CASE("ranges of host values become device bytes, and come back") {
  const QuarterMetadata metadata(Format::F143, 1);
  const std::vector<float> values = {0, 2, -3, 480};  // 1, -1.5 and 240 times two
  std::vector<std::uint8_t> bytes(4);
  convertToDeviceType(QUARTER, metadata, values, bytes.data());
  CHECK(bytes == std::vector<std::uint8_t>{0, 0x40, 0xc4, 0x7f});
  std::vector<double> back(4);
  convertFromDeviceType(QUARTER, metadata, bytes.data(), back);
  CHECK(back == std::vector<double>{0, 2, -3, 480});
  std::vector<std::uint16_t> halves(2);
  convertToDeviceType(HALF, std::vector<int>{1, -2}, halves.data());
  CHECK(halves == std::vector<std::uint16_t>{0x3c00, 0xc000});
  std::vector<int> integers(2);
  convertFromDeviceType(HALF, halves.data(), integers);
  CHECK(integers == std::vector<int>{1, -2});
  CHECK_THROWS_WITH(convertToDeviceType(QUARTER, values, bytes.data()), ContainsText("quarter needs metadata"));
  CHECK_THROWS_WITH(convertFromDeviceType(CHAR, metadata, bytes.data(), back), ContainsText("char has no metadata"));
}

TEST_CASE_METHOD(GraphFixture, "tensors of QUARTER have metadata, and views of them the same") {
  const Tensor metadata = createConstantMetadataTensor(graph, Format::F152, 1);
  const Tensor t = graph.addVariable(QUARTER, metadata, {2, 3}, "t");
  CHECK(t.elementType().requiresMetadata());
  CHECK(graph.getTarget().getTypeSize(QUARTER) == 1);
  CHECK(QUARTER.toString().cloneAsString() == "quarter");
  CHECK(t.getMetadata() == metadata);
  CHECK(t.transpose().slice(1, 2).flatten().getMetadata() == metadata);
  CHECK(concat(t, t).getMetadata() == metadata);
  CHECK_FALSE(t.reinterpret(UNSIGNED_CHAR).hasMetadata());
  const Tensor plain = graph.addVariable(FLOAT, Tensor(), {2}, "plain");
  CHECK_FALSE(plain.hasMetadata());
  CHECK_FALSE(plain.getMetadata().valid());
  const Tensor copy = graph.clone(t), many = graph.cloneN(t, 2);
  CHECK(copy.hasMetadata());
  CHECK(copy.getMetadata() != metadata);
  CHECK(many.getMetadata().numElements() == 1);
  CHECK(graph.clone(metadata, t).getMetadata() == metadata);
  CHECK(graph.clone(QUARTER, metadata, plain).getMetadata() == metadata);
  CHECK_THROWS_WITH(concat(t, copy), ContainsText("different metadata"));
}

TEST_CASE_METHOD(GraphFixture, "what QUARTER cannot do is refused by name") {
  const Tensor metadata = createVariableMetadataTensor(graph, Format::F143, 0);
  const Tensor t = graph.addVariable(QUARTER, metadata, {2}, "eighths");
  const Tensor bytes = graph.addVariable(UNSIGNED_CHAR, {2}, "bytes");
  CHECK_THROWS_WITH(graph.addVariable(QUARTER, {2}, "bare"), ContainsText("bare") && ContainsText("needs metadata"));
  CHECK_THROWS_WITH(graph.addVariable(FLOAT, metadata, {2}, "f"), ContainsText("float has no metadata"));
  CHECK_THROWS_WITH(graph.addVariable(QUARTER, bytes, {2}, "q"), ContainsText("unsigned char of shape {2}"));
  CHECK_THROWS_WITH(graph.clone(QUARTER, bytes), ContainsText("needs metadata"));
  CHECK_THROWS_WITH(bytes.reinterpret(QUARTER), ContainsText("bytes") && ContainsText("no metadata"));
  CHECK_THROWS_WITH(graph.addConstant(QUARTER, metadata, {2}, 1.5f), ContainsText("metadata that is a constant"));
  CHECK_NOTHROW(graph.addConstant(QUARTER, metadata, {2}, 0));
  CHECK_THROWS_WITH(program::PrintTensor(t), ContainsText("eighths"));
  const VertexRef v = graph.addVertex(cs, "Scale");
  CHECK_THROWS_AS(graph.connect(v["data"], t), type_error);
}

TEST_CASE("constants and initial values are rounded by their metadata, and copied as bytes") {
  IPUModel model("mk2-4");
  model.tilesPerIPU = 4;
  const Device device = model.createDevice();
  REQUIRE(device.attach());
  Graph graph(device);
  const Tensor metadata = createConstantMetadataTensor(graph, Format::F143, 2);
  const Tensor kept = createVariableMetadataTensor(graph, Format::F152, -3);
  const Tensor constant =
      graph.addConstant(QUARTER, metadata, {3}, ArrayRef<double>{4, -6.1, 1e9}, "constant");  // 1, -1.5, 240
  const Tensor initial = graph.addVariable(QUARTER, metadata, {2}, "initial");
  graph.setInitialValue<float>(initial, {8, 0.0625f});
  const Tensor to = graph.addVariable(QUARTER, metadata, {5}, "to");
  for (const Tensor& t : {constant, initial}) graph.setTileMapping(t, 1);
  graph.setTileMapping(to, 2);
  graph.createHostRead("to", to);
  graph.createHostRead("metadata", kept);
  Engine engine(graph, program::Copy(concat(constant, initial), to));
  engine.load(device);
  engine.run();
  std::vector<std::uint8_t> bytes(5), binary(1);
  engine.readTensor("to", bytes.data(), bytes.data() + 5);
  engine.readTensor("metadata", binary.data(), binary.data() + 1);
  CHECK(bytes == std::vector<std::uint8_t>{0x40, 0xc4, 0x7f, 0x48, 0x10});
  CHECK(QuarterMetadata(binary[0]) == QuarterMetadata(Format::F152, -3));
}
