// Values of reports: each kind, asked as each, added up, compared and written.
#include <catch2/catch.hpp>
#include <poplar/ProfileValue.hpp>
#include <poplar/exceptions.hpp>
#include <sstream>

using namespace poplar;

TEST_CASE("a profile value is of one kind, and given out as that kind alone") {
  const ProfileValue yes(ProfileValue::Boolean(true)), number(-3), text("t"), same(ProfileValue::String("t"));
  const ProfileValue list(ProfileValue::Vector{1, 2, 3}), map(ProfileValue::Map{{"k", 1}});
  CHECK(yes.type() == ProfileValue::Type::BOOL_);
  CHECK(number.type() == ProfileValue::Type::NUMBER);
  CHECK(text.type() == ProfileValue::Type::STRING);
  CHECK(list.type() == ProfileValue::Type::VECTOR);
  CHECK(map.type() == ProfileValue::Type::MAP);
  CHECK(ProfileValue().type() == ProfileValue::Type::MAP);
  CHECK(yes.asBool());
  CHECK(number.asInt() == -3);
  CHECK(number.asDouble() == -3.0);
  CHECK(ProfileValue(ProfileValue::Number(7)).asUint() == 7);
  CHECK(text.asString() == "t");
  CHECK(text == same);
  CHECK(list.asVector().at(2).asInt() == 3);
  CHECK(map.asMap().at("k").asInt() == 1);
  CHECK_THROWS_AS(number.asBool(), type_error);
  CHECK_THROWS_AS(yes.asString(), type_error);
  CHECK_THROWS_AS(map.asVector(), type_error);
  CHECK_THROWS_AS(list.asMap(), type_error);
  CHECK_THROWS_AS(text.asUint(), type_error);
  CHECK_THROWS_AS(text.asDouble(), type_error);
}

TEST_CASE("entries of profile values are found, added and changed in place") {
  ProfileValue v;
  v["a"]["b"] = 2;
  v["list"] = ProfileValue::Vector{};
  v["list"].push_back(5);
  v["list"].push_back("x");
  v["list"][0] = 6;
  CHECK(v["a"]["b"].asInt() == 2);
  CHECK(v["list"].size() == 2);
  CHECK(v["list"][0].asInt() == 6);
  v["list"].asVector().pop_back();
  CHECK(v["list"].size() == 1);
  v.asMap().erase("a");
  CHECK(v.getOrNull("a") == nullptr);
  CHECK(v.getOrNull("list") == &v.asMap().at("list"));
  const ProfileValue& constant = v;
  CHECK_THROWS_AS(constant["list"][3], index_error);
  CHECK_THROWS_AS(constant["a"], index_error);
}

TEST_CASE("profile values of numbers add up, in one dimension and in two") {
  const ProfileValue one = ProfileValue::Vector{1, 2, 3}, two = ProfileValue::Vector{one, ProfileValue::Vector{10}};
  CHECK(one.sum() == 6);
  CHECK(one.sumDouble() == 6);
  CHECK(one.sumInt() == 6);
  CHECK(one.sumUint() == 6);
  CHECK(two.sum2DInt() == 16);
  CHECK(two.sum2DUint() == 16);
  CHECK(one.toUintVector() == std::vector<std::uint64_t>{1, 2, 3});
  CHECK_THROWS_AS(two.sumUint(), type_error);
}

TEST_CASE("profile values are written as JSON, on one line or on many") {
  const ProfileValue v = ProfileValue::Map{{"a", ProfileValue::Vector{1, true}}, {"b", "t"}};
  CHECK(v != ProfileValue());
  std::ostringstream line, same, many;
  serializeToJSON(line, v);
  same << v;
  serializeToJSON(many, v, true);
  CHECK(line.str() == R"({"a":[1,true],"b":"t"})");
  CHECK(same.str() == line.str());
  CHECK(many.str().find('\n') != std::string::npos);
}
