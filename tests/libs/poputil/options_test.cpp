// Options of library functions, and names of vertices.
#include <catch2/catch.hpp>
#include <poputil/OptionParsing.hpp>
#include <poputil/VertexTemplates.hpp>

namespace {

enum class Colour { RED, GREEN };

struct Options {
  int integer = 0;
  unsigned wide = 0;
  double number = 0;
  bool flag = false;
  Colour colour = Colour::RED;
  std::string text;
  std::vector<int> list;
  std::optional<double> maybe;
  std::optional<Colour> maybe_colour;

  poplibs::OptionSpec spec() {
    using poplibs::OptionHandler;
    const std::map<std::string, Colour> colours = {{"red", Colour::RED}, {"green", Colour::GREEN}};
    return {{"integer", OptionHandler::createWithInteger(integer)},
            {"wide", OptionHandler::createWithInteger(wide)},
            {"number", OptionHandler::createWithDouble(number, 0.0, true, 1.0, false)},
            {"flag", OptionHandler::createWithBool(flag)},
            {"colour", OptionHandler::createWithEnum(colour, colours)},
            {"text", OptionHandler::createWithString(text)},
            {"list", OptionHandler::createWithList(list)},
            {"maybe", poplibs::createOptionalDoubleHandler(maybe)},
            {"maybeColour", poplibs::createOptionalEnumHandler(maybe_colour, colours)}};
  }
};

}  // namespace

namespace poputil {
template <>
struct VertexTemplateToString<Colour> {
  static std::string to_string(const Colour& colour) { return colour == Colour::RED ? "Colour::RED" : "Colour::GREEN"; }
};
}  // namespace poputil

TEST_CASE("options reach their places") {
  Options o;
  const poplibs::OptionSpec spec = o.spec();
  for (const auto& option : std::map<std::string, std::string>{{"integer", "-12"},
                                                               {"wide", "0xffffffff"},
                                                               {"number", "0.25"},
                                                               {"flag", "true"},
                                                               {"colour", "green"},
                                                               {"text", "a b"},
                                                               {"list", "1,0x10,3"},
                                                               {"maybe", "2.5"},
                                                               {"maybeColour", "green"}})
    spec.parse(option.first, option.second);
  CHECK(o.integer == -12);
  CHECK(o.wide == 0xffffffff);
  CHECK(o.number == 0.25);
  CHECK(o.flag);
  CHECK(o.colour == Colour::GREEN);
  CHECK(o.text == "a b");
  CHECK(o.list == std::vector<int>{1, 16, 3});
  CHECK(o.maybe == 2.5);
  CHECK(o.maybe_colour == Colour::GREEN);
  spec.parse("maybeColour", "none");
  CHECK(!o.maybe_colour);
  spec.parse("no such", "1", true);
}

TEST_CASE("bad options are refused with their name and value") {
  Options o;
  const poplibs::OptionSpec spec = o.spec();
  const auto refused = [&](const std::string& name, const std::string& value, const std::string& why) {
    CAPTURE(name, value);
    CHECK_THROWS_WITH(spec.parse(name, value), Catch::Matchers::ContainsText("'" + value + "'") &&
                                                   Catch::Matchers::ContainsText("'" + name + "'") &&
                                                   Catch::Matchers::ContainsText(why));
    CHECK_THROWS_AS(spec.parse(name, value), poplar::invalid_option);
  };
  refused("integer", "12x", "integer");
  refused("integer", "", "integer");
  refused("number", "1.5x", "floating point");
  refused("number", "1", "less than");
  refused("number", "-0.5", "greater than or equal");
  refused("flag", "yes", "['false', 'true']");
  refused("colour", "blue", "['green', 'red']");
  refused("list", "1,two", "comma");
  CHECK_THROWS_WITH(spec.parse("no such", "1"), Catch::Matchers::ContainsText("Unrecognised option 'no such'"));
}

TEST_CASE("vertices are named as they are found") {
  using poputil::templateVertex;
  CHECK(templateVertex("V") == "V");
  CHECK(templateVertex("ns::V", poplar::FLOAT, true, 3) == "ns::V<float,true,3>");
  CHECK(templateVertex("V", poplar::UNSIGNED_INT, false, -1, 2u) == "V<unsigned int,false,-1,2>");
  CHECK(templateVertex("V", "ns::Op::ADD", std::string("half")) == "V<ns::Op::ADD,half>");
  const char* const text = "x";
  CHECK(templateVertex("V", text, poplar::StringRef("y")) == "V<x,y>");
  CHECK(templateVertex("V", Colour::GREEN) == "V<Colour::GREEN>");
}
