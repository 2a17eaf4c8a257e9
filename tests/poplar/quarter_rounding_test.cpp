// Eight-bit floats in codelets have the values, and are rounded to, that those of the host have and are.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/Quarter.hpp>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using namespace poplar;
using Format = QuarterMetadata::Format;

namespace {

constexpr std::size_t kFloats = 3000, kCodes = 256;

constexpr const char* kCodelet = R"codelet(
#include <poplar/Vertex.hpp>

using namespace poplar;

class Convert : public Vertex {
 public:
  Input<Vector<float>> floats;
  Output<Vector<quarter>> rounded;
  Output<Vector<quarter>> bounded;  // NaN beyond the largest
  Output<Vector<quarter>> halves;
  Input<Vector<quarter>> codes;
  Output<Vector<float>> values;
  void compute() {
    const MetadataType* byte = codes.getMetadata();
    const quarter_metadata metadata = unpackMetadata(byte);
    for (unsigned i = 0; i < floats.size(); ++i) {
      rounded[i] = toQuarter(floats[i], metadata);
      bounded[i] = toQuarter(floats[i], metadata, true);
      halves[i] = toQuarter(static_cast<half>(floats[i]), metadata);
    }
    for (unsigned i = 0; i < codes.size(); ++i) values[i] = toFloat(codes[i], metadata);
  }
};
)codelet";

// Of all exponents that matter, a third of them values or halfway between two, and those that are none.
std::vector<float> floats() {
  std::mt19937 random(1);
  std::vector<float> all;
  for (std::size_t i = 0; i < kFloats; ++i) {
    const int exponent = static_cast<int>(random() % 110) - 60;
    const double fraction = i % 3 == 0 ? (random() % 32) / 32.0 : random() / 4294967296.0;
    all.push_back(static_cast<float>(std::ldexp((1 + fraction) * (random() % 2 == 0 ? 1 : -1), exponent)));
  }
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float rare[] = {0, -0.0f, kInfinity, -kInfinity, std::nanf(""), 1e-45f, -1e-38f, 3.4e38f, 240, 248, 256, 57344};
  std::copy(std::begin(rare), std::end(rare), all.begin());
  return all;
}

}  // namespace

TEST_CASE("a codelet rounds and reads quarters as the host does") {
  IPUModel model("mk2-4");
  model.tilesPerIPU = 4;
  const Device device = model.createDevice();
  REQUIRE(device.attach());
  Graph graph(device);
  std::stringstream source(kCodelet);
  graph.addCodelets(source);
  const ComputeSet cs = graph.addComputeSet("cs");
  const std::vector<float> given = floats();
  const Tensor in = graph.addConstant(FLOAT, {kFloats}, ArrayRef<float>(given), "floats");
  graph.setTileMapping(in, 0);
  std::vector<unsigned char> all(kCodes);
  std::iota(all.begin(), all.end(), static_cast<unsigned char>(0));
  const std::vector<QuarterMetadata> formats = {
      {Format::F143, 0}, {Format::F152, 0}, {Format::F143, -32}, {Format::F152, 31}};
  for (unsigned f = 0; f < formats.size(); ++f) {
    const Tensor metadata = createConstantMetadataTensor(graph, formats[f].getFormat(), formats[f].getScale());
    const Tensor rounded = graph.addVariable(QUARTER, metadata, {3, kFloats}, "rounded");
    const Tensor codes = graph.addVariable(QUARTER, metadata, {kCodes}, "codes");
    graph.setInitialValue(codes.reinterpret(UNSIGNED_CHAR), ArrayRef<unsigned char>(all));
    const Tensor values = graph.addVariable(FLOAT, {kCodes}, "values");
    const VertexRef v = graph.addVertex(cs, "Convert", {{"floats", in}, {"codes", codes}, {"values", values}});
    graph.connect(v["rounded"], rounded[0]);
    graph.connect(v["bounded"], rounded[1]);
    graph.connect(v["halves"], rounded[2]);
    for (const Tensor& t : {rounded, codes, values}) graph.setTileMapping(t, f);
    graph.setTileMapping(v, f);
    graph.createHostRead("rounded" + std::to_string(f), rounded);
    graph.createHostRead("values" + std::to_string(f), values);
  }
  Engine engine(graph, program::Execute(cs));
  engine.load(device);
  engine.run();
  for (unsigned f = 0; f < formats.size(); ++f) {
    INFO(formats[f]);
    std::vector<std::uint8_t> bytes(3 * kFloats), wanted(3 * kFloats);
    std::vector<float> values(kCodes);
    engine.readTensor("rounded" + std::to_string(f), bytes.data(), bytes.data() + bytes.size());
    engine.readTensor("values" + std::to_string(f), values.data(), values.data() + kCodes);
    // What is halfway to the value that would follow the largest, and all beyond, overflows.
    const double largest = quarter::fromBits(0x7f).toFloat(formats[f]);
    const double end = largest + (largest - quarter::fromBits(0x7e).toFloat(formats[f])) / 2;
    for (std::size_t i = 0; i < kFloats; ++i) {
      wanted[i] = quarter(given[i], formats[f]).bits();
      wanted[kFloats + i] = std::fabs(given[i]) >= end ? 0x80 : wanted[i];
      wanted[2 * kFloats + i] = quarter(static_cast<float>(half(given[i])), formats[f]).bits();
    }
    const auto [byte, want] = std::mismatch(bytes.begin(), bytes.end(), wanted.begin());
    if (byte != bytes.end()) {
      INFO(given[static_cast<std::size_t>(byte - bytes.begin()) % kFloats]);
      CHECK(int{*byte} == int{*want});
    }
    for (unsigned code = 0; code < kCodes; ++code) {
      const float value = quarter::fromBits(static_cast<std::uint8_t>(code)).toFloat(formats[f]);
      CHECK((values[code] == value || (std::isnan(values[code]) && std::isnan(value))));
    }
  }
}
