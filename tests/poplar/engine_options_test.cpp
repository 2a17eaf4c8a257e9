// Engine options: what is known, what is refused, what the environment overrides.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <poplar/exceptions.hpp>

#include "sw/poplar/engine_options.h"

namespace {

using tessera::runtime::parse_engine_options;

TEST_CASE("without options nothing is set") {
  const auto options = parse_engine_options({});
  CHECK_FALSE(options.compute_budget);
  CHECK_FALSE(options.prefetch);
  CHECK_FALSE(options.trap_floats);
}

TEST_CASE("known options are accepted and kept") {
  const auto options = parse_engine_options({{"debug.instrument", "true"}, {"target.hostSyncTimeout", "300"}});
  CHECK(options.flags.at("debug.instrument") == poplar::StringRef("true"));
}

TEST_CASE("an unknown option is refused with the one that is probably meant") {
  CHECK_THROWS_AS(parse_engine_options({{"target.computeBudgett", "1"}}), poplar::invalid_option);
  CHECK_THROWS_WITH(parse_engine_options({{"target.computeBudgett", "1"}}),
                    Catch::Matchers::ContainsText("target.computeBudgett") &&
                        Catch::Matchers::ContainsText("'target.computeBudget'"));
}

TEST_CASE("a value that an option does not take is refused with what it takes") {
  CHECK_THROWS_WITH(parse_engine_options({{"debug.instrument", "yes"}}),
                    Catch::Matchers::ContainsText("true or false"));
  CHECK_THROWS_WITH(parse_engine_options({{"target.computeBudget", "many"}}),
                    Catch::Matchers::ContainsText("whole number"));
  CHECK_THROWS_WITH(parse_engine_options({{"target.computeBudget", "-1"}}),
                    Catch::Matchers::ContainsText("whole number"));
  CHECK_THROWS_WITH(parse_engine_options({{"exchange.streamBufferOverlap", "some"}}),
                    Catch::Matchers::ContainsText("any|hostRearrangeOnly|none"));
}

TEST_CASE("numbers are decimal or hexadecimal") {
  CHECK(parse_engine_options({{"target.computeBudget", "1000"}}).compute_budget == 1000u);
  CHECK(parse_engine_options({{"target.computeBudget", "0x20"}}).compute_budget == 32u);
  CHECK(parse_engine_options({{"target.computeBudget", "0"}}).compute_budget == 0u);
}

TEST_CASE("callbacks are asked ahead only if prefetch is on and buffers do not overlap") {
  CHECK_FALSE(parse_engine_options({{"exchange.enablePrefetch", "true"}}).prefetch);
  CHECK(parse_engine_options({{"exchange.enablePrefetch", "true"}, {"exchange.streamBufferOverlap", "none"}}).prefetch);
}

TEST_CASE("the environment overrides what the program sets") {
  ::setenv("POPLAR_ENGINE_OPTIONS", R"({"target.computeBudget": "7", "debug.floatPointOpException": true})", 1);
  const auto options = parse_engine_options({{"target.computeBudget", "1000"}});
  CHECK(options.compute_budget == 7u);
  CHECK(options.trap_floats);
  ::setenv("POPLAR_ENGINE_OPTIONS", R"({"no.such": "7"})", 1);
  CHECK_THROWS_AS(parse_engine_options({}), poplar::invalid_option);
  ::unsetenv("POPLAR_ENGINE_OPTIONS");
}

}  // namespace
