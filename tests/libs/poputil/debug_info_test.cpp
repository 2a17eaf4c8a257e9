// Arguments as debug information.
#include <catch2/catch.hpp>
#include <poplar/Graph.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/TensorMetaData.hpp>
#include <sstream>

using namespace poplar;

namespace {

std::string json(const ProfileValue& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

struct Named : poputil::TensorMetaDataBase {
  std::string name;
  explicit Named(std::string n) : name(std::move(n)) {}
  std::unique_ptr<TensorMetaDataBase> clone() const override {
    return std::unique_ptr<TensorMetaDataBase>(new Named(name));
  }
};

void operation(const Tensor& t, const std::vector<unsigned>& dims, std::pair<int, bool> pair, const DebugContext& dc) {
  poputil::PoplibsOpDebugInfo info(dc, DI_ARGS(t, dims, pair, std::max(1, 2)));
  info.addOutput(t);
  info.addOutputs({{"first", poputil::toProfileValue(1.5)}});
  CHECK(info.getPathName() == "outer");
  const ProfileValue& values = info.getValues();
  CHECK(values["api"].asString() == "operation");
  CHECK(json(values["args"]["t"]) == R"({"shape":"[2, 3]","type":"half"})");
  CHECK(json(values["args"]["dims"]) == R"({"0":4,"1":5})");
  CHECK(json(values["args"]["pair"]) == R"({"first":7,"second":true})");
  CHECK(values["args"]["std::max(1, 2)"].asInt() == 2);
  CHECK(values["output"] == values["args"]["t"]);
  CHECK(values["outputs"]["first"].asDouble() == 1.5);
}

}  // namespace

TEST_CASE("an operation tells its arguments and results") {
  Graph graph(Target::createIPUTarget(1, 4, "ipu2"));
  operation(graph.addVariable(HALF, {2, 3}, "t"), {4, 5}, {7, true}, "outer");
}

TEST_CASE("values") {
  using poputil::toProfileValue;
  CHECK(toProfileValue(Tensor()).asString() == "<poplar::Tensor> - uninitialized");
  CHECK(toProfileValue(FLOAT).asString() == "float");
  CHECK(toProfileValue(TensorCloneMethod::CREATE_NEW_ORDER).asString() == "CREATE_NEW_ORDER");
  CHECK(json(toProfileValue(OptionFlags{{"a", "b"}})) == R"({"a":"b"})");
  CHECK(json(toProfileValue(std::vector<bool>{true, false})) == R"({"0":true,"1":false})");
  CHECK(json(toProfileValue(std::array<int, 2>{{1, 2}})) == R"({"0":1,"1":2})");
  const int* none = nullptr;
  CHECK(toProfileValue(none).asString() == "<nullptr>");
  const int three = 3;
  CHECK(toProfileValue(&three).asInt() == 3);
  CHECK(toProfileValue(std::string("s")).asString() == "s");
  CHECK(toProfileValue(ComputeSet(5)).asInt() == 5);
}

TEST_CASE("facts beside a tensor are copied with it") {
  const poputil::TensorMetaData empty;
  CHECK(empty.getData() == nullptr);
  poputil::TensorMetaData a(std::unique_ptr<poputil::TensorMetaDataBase>(new Named("a")));
  poputil::TensorMetaData b(a);
  CHECK(b.getData() != a.getData());
  CHECK(static_cast<const Named*>(b.getData())->name == "a");
  b = empty;
  CHECK(b.getData() == nullptr);
  poputil::TensorMetaData c(std::move(a));
  b = c;
  CHECK(static_cast<const Named*>(b.getData())->name == "a");
}
