// References to arrays and strings, intervals, options and profile values.
#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <poplar/Engine.hpp>
#include <sstream>

using namespace poplar;

namespace {
std::size_t count(ArrayRef<std::size_t> a) { return a.size(); }
std::string text(StringRef s) { return s; }
}  // namespace

TEST_CASE("ArrayRef takes every kind of array") {
  const std::vector<std::size_t> v = {1, 2, 3};
  const std::array<std::size_t, 2> a = {{4, 5}};
  const std::size_t c[] = {6};
  CHECK(count(v) == 3);
  CHECK(count(a) == 2);
  CHECK(count(c) == 1);
  CHECK(count({}) == 0);
  CHECK(count({7, 8, 9, 10}) == 4);
  CHECK(ArrayRef<std::size_t>(v) == ArrayRef<std::size_t>(v.data(), 3));
  CHECK(ArrayRef<std::size_t>(v).cloneAsVector() == v);
#if __cplusplus >= 201703L
  CHECK(count(ArrayRef(v)) == 3);
  CHECK(count(ArrayRef(std::vector<std::size_t>(5))) == 5);
  CHECK(count(ArrayRef(a)) == 2);
  CHECK(count(ArrayRef(c)) == 1);
#endif
}

TEST_CASE("StringRef compares by characters") {
  CHECK(text("abc") == "abc");
  CHECK(text(std::string("x")) == "x");
  CHECK(StringRef("abc", 2) == "ab");
  CHECK(StringRef("abc") != std::string("abd"));
  CHECK(StringRef("abc") < StringRef("abd"));
  std::ostringstream os;
  os << StringRef("abc") << Interval(2, 5) << FLOAT << UNSIGNED_INT;
  CHECK(os.str() == "abc[2,5)floatunsigned int");
}

TEST_CASE("intervals order by begin, then end") {
  CHECK(Interval(1, 4).size() == 3);
  CHECK(Interval(1, 4) < Interval(1, 5));
  CHECK(Interval(1, 9) < Interval(2, 3));
  CHECK(Interval(1, 4) != Interval(1, 5));
}

TEST_CASE("options") {
  OptionFlags flags{{"b", "2"}, {"a", "1"}};
  flags.set("c", "3");
  flags.set({{"a", "one"}});
  CHECK(flags.at("a") == "one");
  CHECK(flags.size() == 3);
  CHECK(flags.find("zzz") == flags.end());
  CHECK_THROWS_AS(flags.at("zzz"), std::out_of_range);
  std::string keys;
  for (const auto& flag : flags) keys += flag.first;
  CHECK(keys == "abc");
  CHECK(flags == OptionFlags{{"a", "one"}, {"b", "2"}, {"c", "3"}});
}

TEST_CASE("options from JSON") {
  OptionFlags flags{{"kept", "1"}};
  readJSON(R"({"s": "text", "n": 12, "b": true})", flags);
  CHECK(flags == OptionFlags{{"kept", "1"}, {"s", "text"}, {"n", "12"}, {"b", "true"}});
  CHECK_THROWS_AS(readJSON("[1]", flags), parse_error);
  CHECK_THROWS_AS(readJSON("{\"a\": ", flags), parse_error);
  CHECK_THROWS_AS(readJSON(R"({"a": [1]})", flags), parse_error);
  setenv("TESSERA_TEST_OPTIONS", R"({"kept": "2"})", 1);
  readJSONFromEnv("TESSERA_TEST_OPTIONS", flags);
  CHECK(flags.at("kept") == "2");
  CHECK_NOTHROW(readJSONFromEnv("TESSERA_TEST_NOT_SET", flags));
}

TEST_CASE("profile values") {
  ProfileValue v;
  v["name"] = "x\"y";
  v["count"] = 3;
  v["list"] = ProfileValue::Vector{1.5, true, ProfileValue::Map{}};
  const ProfileValue copy = v;
  v["count"] = 4;
  CHECK(copy["count"].asInt() == 3);
  CHECK(copy != v);
  CHECK(copy["list"][0].asDouble() == 1.5);
  CHECK(copy.getOrNull("none") == nullptr);
  CHECK_THROWS_AS(copy["none"], index_error);
  CHECK_THROWS_AS(copy["name"].asInt(), type_error);
  std::ostringstream os;
  os << copy;
  CHECK(os.str() == R"({"count":3,"list":[1.5,true,{}],"name":"x\"y"})");
}

TEST_CASE("exceptions know their type and can be caught by their bases") {
  try {
    throw recoverable_runtime_error(RecoveryAction::IPU_RESET, "lost");
  } catch (const runtime_error& e) {
    CHECK(std::string(e.what()) == "lost");
    CHECK(e.type == "recoverable_runtime_error");
  }
  CHECK_THROWS_AS(throw graph_connection_error("x"), poplar_error);
  CHECK_THROWS_AS(throw invalid_option("x"), std::runtime_error);
  CHECK(std::string(unknown_field("V", "f").what()).find("'f'") != std::string::npos);
  CHECK(graph_memory_allocation_error("full").type == "graph_memory_allocation_error");
  CHECK(toString(TargetType::IPU_MODEL) == "IPU_MODEL");
  CHECK_THROWS_AS(toString(static_cast<TargetType>(9)), poplar_error);
}

TEST_CASE("names of debug contexts join to paths") {
  const DebugNameAndId outer("outer");
  CHECK(DebugContext(outer, "inner").getPathName() == "outer/inner");
  CHECK(DebugContext("x").getPathName() == "x");
  CHECK(DebugContext().getPathName().empty());
  DebugInfo info(DebugContext(DebugNameAndId(outer, "layer"), "op"), "test");
  CHECK(info.getPathName() == "outer/layer/op");
  CHECK(info.setValue("k", 1));
  CHECK_FALSE(info.setValue("k", 2));
  CHECK(DebugContext(info, "part").getPathName() == "outer/layer/op/part");
  const DebugContext parent(DebugNameAndId("outer"), "middle");
  CHECK(DebugContext(parent, "inner").getPathName() == "outer/middle/inner");
  CHECK(DebugContext(parent, "inner").getLocation().getLineNumber() == parent.getLocation().getLineNumber());
}

TEST_CASE("debug infos are written to a file, in JSON or CBOR") {
  const std::string path = "debug_streamer_test.out";
  for (const auto format : {DebugSerializationFormat::JSON, DebugSerializationFormat::CBOR}) {
    DebugInfo::initializeStreamer(path, format);
    DebugId outer_id = 0;
    {
      DebugInfo outer("net", "first");
      DebugInfo inner(DebugContext(DebugNameAndId(outer, "conv")), "second");
      inner.setValue("size", 7);
      outer_id = outer.getId();
    }
    DebugInfo::closeStreamer();
    {
      const DebugInfo late("late", "unseen");
    }
    DebugInfo::closeStreamer();
    std::ifstream file(path, std::ios::binary);
    const nlohmann::json all =
        format == DebugSerializationFormat::JSON ? nlohmann::json::parse(file) : nlohmann::json::from_cbor(file);
    const nlohmann::json& contexts = all.at("contexts");
    REQUIRE(contexts.size() == 2);  // the inner one goes first
    CHECK(contexts[0].at("path") == "net/conv");
    CHECK(contexts[0].at("values").at("parentId") == outer_id);
    CHECK(contexts[0].at("values").at("size") == 7);
    CHECK(contexts[1].at("id") == outer_id);
    CHECK(contexts[1].at("values").at("layer") == "first");
    CHECK(contexts[1].at("location").at("file").get<std::string>().find("utility_types_test") != std::string::npos);
    std::remove(path.c_str());
  }
  CHECK_THROWS_AS(DebugInfo::initializeStreamer("/nowhere/at/all"), poplar_error);
}

TEST_CASE("errors say where they come from, and what they are") {
  try {
    try {
      throw index_error("x", 12);
    } catch (poplar_error& error) {
      CHECK(std::string(error.what()) == "'x' has no index 12");
      error.attachSourceLocation(DebugContext(SourceLocation("f", "net.cpp", 7)));
      throw;
    }
  } catch (const std::exception& error) {
    CHECK(std::string(error.what()) == "'x' has no index 12 (net.cpp:7)");
  }
  CHECK(std::string(no_size_specified("Sum", "in").what()) == "Field 'in' of vertex type 'Sum' has no size");
  CHECK(no_size_specified("message").type == "no_size_specified");
  CHECK(errorCodeToString(ErrorCode::FLOATING_POINT_OVERFLOW) == "FLOATING_POINT_OVERFLOW");
  for (unsigned i = 0; i <= static_cast<unsigned>(ErrorCode::IPU_MEMORY_FAILURE); ++i)
    CHECK(errorCodeFromString(errorCodeToString(static_cast<ErrorCode>(i))) == static_cast<ErrorCode>(i));
  CHECK(errorCodeToString(ErrorCode::IPU_MEMORY_FAILURE) == "IPU_MEMORY_FAILURE");
  CHECK_THROWS_AS(errorCodeFromString("NO_SUCH"), poplar_error);
}

TEST_CASE("profile values add up") {
  const ProfileValue numbers = ProfileValue::Vector{1.5, 2.5, 3};
  CHECK(numbers.sumDouble() == 7.0);
  CHECK(numbers.sumInt() == 6);  // of 1, 2 and 3
  CHECK(numbers.toUintVector() == std::vector<std::uint64_t>{1, 2, 3});
  const ProfileValue rows = ProfileValue::Vector{ProfileValue::Vector{1, 2}, ProfileValue::Vector{-10}};
  CHECK(rows.sum2DInt() == -7);
  CHECK_THROWS_AS(rows.sumInt(), type_error);
}

TEST_CASE("types") {
  CHECK(HALF.isFloatingPoint());
  CHECK_FALSE(INT.isFloatingPoint());
  CHECK(UNSIGNED_CHAR.toString() == "unsigned char");
  CHECK(equivalent_device_type<unsigned>().value == UNSIGNED_INT);
  CHECK(equivalent_device_type<half>().value == HALF);
  CHECK(std::hash<Type>()(FLOAT) != std::hash<Type>()(HALF));
  CHECK(std::string(versionString()).find("Tessera") == 0);
}
