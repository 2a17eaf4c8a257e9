// Names, places and ids that follow an object: debug contexts, what they are made from, and the infos that hold facts.
#include <catch2/catch.hpp>
#include <poplar/DebugContext.hpp>
#include <sstream>

using namespace poplar;

TEST_CASE("a source location is the caller's") {
  const SourceLocation here = SourceLocation::Current();
  const unsigned line = __LINE__ - 1;
  CHECK(here.isValid());
  CHECK(here.getLineNumber() == line);
  CHECK(std::string(here.getFileName()).find("debug_names_test.cpp") != std::string::npos);
  CHECK(std::string(here.getFunctionName()).size() > 0);
  CHECK_FALSE(SourceLocation().isValid());
  const SourceLocation given("f", "x.cpp", 12);
  CHECK(std::string(given.getFunctionName()) == "f");
  CHECK(std::string(given.getFileName()) == "x.cpp");
  CHECK(given.getLineNumber() == 12);
  const DebugContext context("named");
  CHECK(context.getLocation().getLineNumber() == __LINE__ - 1);
}

TEST_CASE("names with ids keep name, path and id apart") {
  const DebugNameAndId outer(std::string("conv"), 7, "net"), inner(outer, "weights"), chars("c", 3),
      ref(StringRef("r"), 4);
  CHECK(outer.getName() == "conv");
  CHECK(outer.getParentPath() == "net");
  CHECK(outer.getPathName() == "net/conv");
  CHECK(outer.getId() == 7);
  CHECK(inner.getName() == "weights");
  CHECK(inner.getParentPath() == "net/conv");
  CHECK(inner.getPathName() == "net/conv/weights");
  CHECK(chars.getId() == 3);
  CHECK(ref.getName() == "r");
  CHECK(ref.getId() == 4);
  std::ostringstream os;
  os << inner;
  CHECK(os.str() == "net/conv/weights");
}

TEST_CASE("a context is made from whatever has a name, and says what is above it") {
  const auto path = [](const DebugContext& context) { return context.getPathName(); };
  CHECK(path("chars") == "chars");
  CHECK(path(std::string("string")) == "string");
  CHECK(path(StringRef("reference")) == "reference");
  CHECK(path({DebugNameAndId("outer"), "name"}) == "outer/name");
  const DebugNameAndId parent("outer", 9);
  const DebugContext below(parent, "inner"), deeper(below, "last");
  CHECK(below.getName() == "inner");
  CHECK(below.getParentId() == 9);
  CHECK(deeper.getPathName() == "outer/inner/last");
  CHECK(deeper.getParentId() == 9);
  const DebugInfo info(below, "test");
  CHECK(DebugContext(info).getParentId() == info.getId());
  CHECK(path(info) == "outer/inner");
}

TEST_CASE("a debug info holds facts by name") {
  DebugInfo info("op", "layer"), other("op", "layer");
  CHECK(info.getId() != other.getId());
  CHECK(info.getPathName() == "op");
  CHECK(info.setValue("cost", 5));
  CHECK_FALSE(info.setValue("cost", 6));
  CHECK(info.getValues()["cost"].asInt() == 5);
  CHECK(info.getValues()["layer"].asString() == "layer");
}
