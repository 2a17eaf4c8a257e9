// Engine options: what is known, what is refused, what the environment overrides. What they do:
// option_effects_test.cpp.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <poplar/exceptions.hpp>
#include <sstream>
#include <vector>

#include "sw/poplar/engine_options.h"
#include "sw/poplar/option_table.h"

namespace {

using Catch::Matchers::ContainsText;
using tessera::runtime::Option, tessera::runtime::parse_engine_options;

// Alternatives of an option, each with a value of its form.
std::vector<std::string> values(std::string_view alternatives) {
  std::vector<std::string> all;
  std::istringstream words{std::string(alternatives)};
  for (std::string word; std::getline(words >> std::ws, word, ',');) {
    if (word == "<number>" || word.rfind("<number from", 0) == 0) word = "64";
    if (word == "<time>") word = "300";
    if (word == "<text>") word = "anything";
    all.push_back(word);
  }
  return all;
}

std::string refusal(const std::string& name, const std::string& value) {
  try {
    parse_engine_options({{name, value}});
  } catch (const poplar::invalid_option& error) {
    return error.what();
  }
  return "";
}

struct Variable {
  Variable(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  ~Variable() { ::unsetenv(name_); }
  const char* name_;
};

TEST_CASE("without options nothing is set") {
  const auto options = parse_engine_options({});
  CHECK_FALSE(options.compute_budget);
  CHECK_FALSE(options.host_sync_timeout);
  CHECK_FALSE(options.worker_stack);
  CHECK_FALSE(options.prefetch);
  CHECK_FALSE(options.allow_out_of_memory);
  CHECK(options.start.float_control() == 0);
  CHECK_FALSE(options.start.seed);
}

TEST_CASE("every value that an option takes is accepted and kept") {
  for (const Option& option : tessera::runtime::engine_options().options) {
    const std::string name(option.name);
    for (const std::string& value : values(option.takes)) {
      CAPTURE(name, value);
      // A mode in which there may be any number of worker threads.
      poplar::OptionFlags flags = {{"streamCallbacks.multiThreadMode", "collaborative"}};
      flags.set(name, value);
      CHECK(parse_engine_options(flags).flags.at(name).cloneAsString() == value);
    }
  }
}

TEST_CASE("each refused value is told in one line") {
  for (const Option& option : tessera::runtime::engine_options().options) {
    const std::string name(option.name);
    CHECK(option.refuses.empty() == option.why.empty());
    for (const std::string& value : values(option.refuses)) {
      const std::string line = refusal(name, value);
      CAPTURE(name, value, line);
      CHECK_THAT(line, ContainsText("engine option '" + name + "' is '" + value + "': " + std::string(option.why)));
      CHECK_THAT(line, ContainsText("; leave it out"));
      CHECK(line.find('\n') == std::string::npos);
      if (!option.takes.empty() && option.takes[0] != '<') CHECK_THAT(line, ContainsText("POPLAR_ENGINE_OPTIONS='{"));
    }
  }
}

TEST_CASE("an unknown option is refused with the one that is probably meant") {
  CHECK_THAT(refusal("target.computeBudgett", "1"),
             ContainsText("target.computeBudgett") && ContainsText("'target.computeBudget'"));
}

TEST_CASE("a value that an option does not take is refused with what it takes") {
  CHECK_THAT(refusal("debug.instrument", "yes"), ContainsText("it takes true, false"));
  CHECK_THAT(refusal("target.computeBudget", "many"), ContainsText("it takes <number>"));
  CHECK_THAT(refusal("target.computeBudget", "-1"), ContainsText("<number>"));
  CHECK_THAT(refusal("target.computeBudget", "99999999999999999999"), ContainsText("<number>"));
  CHECK_THAT(refusal("exchange.streamBufferOverlap", "some"), ContainsText("any, hostRearrangeOnly, none"));
  CHECK_THAT(refusal("target.hostSyncTimeout", "3 weeks"), ContainsText("<time>"));
  CHECK_THAT(refusal("target.workerStackSizeInBytes", "8"), ContainsText("<number from 16>"));
  CHECK_THAT(refusal("target.workerStackSizeInBytes", "40"), ContainsText("multiple of 16"));
  CHECK_THAT(refusal("autoReport.streamAtEachRun", "perhaps"), ContainsText("it takes false, true"));
}

TEST_CASE("numbers are decimal or hexadecimal, times have a unit or are seconds") {
  CHECK(parse_engine_options({{"target.computeBudget", "1000"}}).compute_budget == 1000u);
  CHECK(parse_engine_options({{"target.computeBudget", "0x20"}}).compute_budget == 32u);
  CHECK(parse_engine_options({{"target.computeBudget", "0"}}).compute_budget == 0u);
  CHECK(parse_engine_options({{"target.computeBudget", "010"}}).compute_budget == 10u);
  const auto time = [](const char* text) {
    return parse_engine_options({{"target.hostSyncTimeout", text}}).host_sync_timeout.value();
  };
  CHECK(time("300") == 300'000'000'000);
  CHECK(time("300s") == 300'000'000'000);
  CHECK(time("5ms") == 5'000'000);
  CHECK(time("20us") == 20'000);
  CHECK(time("7ns") == 7);
  CHECK(time("2m") == 120'000'000'000);
}

TEST_CASE("the number of compilation threads is read") {
  CHECK(parse_engine_options({}).compilation_threads == 0);
  CHECK(parse_engine_options({{"opt.maxCompilationThreads", "3"}}).compilation_threads == 3);
  CHECK(parse_engine_options({{"opt.maxCompilationThreads", "0x100000000"}}).compilation_threads > 1000);
}

TEST_CASE("float control is made of the options that concern it") {
  const auto control = [](const poplar::OptionFlags& flags) {
    return parse_engine_options(flags).start.float_control();
  };
  CHECK(control({{"debug.floatPointOpException", "true"}}) == 0b000111);
  CHECK(control({{"prng.enableStochasticRounding", "true"}}) == 0b001000);
  CHECK(control({{"debug.nanOverflowMode", "false"}}) == 0b010000);
  CHECK(control({{"debug.nanOverflowMode", "true"}}) == 0b100000);
  CHECK(parse_engine_options({{"prng.seed", "0xffffffffffffffff"}}).start.seed == ~std::uint64_t{0});
}

TEST_CASE("callbacks are asked ahead only if prefetch is on and buffers do not overlap") {
  CHECK(parse_engine_options({{"exchange.enablePrefetch", "true"}}).prefetch);
  CHECK_FALSE(
      parse_engine_options({{"exchange.enablePrefetch", "true"}, {"exchange.streamBufferOverlap", "any"}}).prefetch);
  CHECK_FALSE(parse_engine_options({{"exchange.streamBufferOverlap", "none"}}).prefetch);
  const auto at_need = [](const poplar::OptionFlags& flags) { return parse_engine_options(flags).prefetch_at_need; };
  CHECK(at_need({}));
  CHECK(at_need({{"exchange.streamBufferOverlap", "none"}}));
  CHECK_FALSE(at_need({{"exchange.streamBufferOverlap", "any"}}));
  CHECK_FALSE(at_need({{"exchange.enablePrefetch", "true"}}));
  CHECK_FALSE(at_need({{"exchange.enablePrefetch", "false"}}));
  CHECK_FALSE(at_need({{"streamCallbacks.maxLookahead", "0"}}));
  auto options = parse_engine_options({{"exchange.enablePrefetch", "true"}, {"exchange.streamBufferOverlap", "none"}});
  CHECK(options.prefetch);
  CHECK(options.ahead(3) == 3);
  options = parse_engine_options({{"exchange.enablePrefetch", "true"},
                                  {"exchange.streamBufferOverlap", "none"},
                                  {"streamCallbacks.maxLookahead", "2"}});
  CHECK(options.ahead(3) == 2);
}

TEST_CASE("callbacks on threads of their own are asked ahead unless a program says no") {
  for (const char* mode : {"dedicated", "collaborative"})
    for (const char* on : {"", "true", "false"}) {
      poplar::OptionFlags flags = {{"streamCallbacks.multiThreadMode", mode}};
      if (*on != '\0') flags.set("exchange.enablePrefetch", on);
      CAPTURE(mode, on);
      CHECK(parse_engine_options(flags).prefetch == (on != std::string("false")));
      CHECK(parse_engine_options(flags).prefetch_at_need == (on != std::string("false")));
      flags.set("exchange.streamBufferOverlap", "any");
      CHECK_FALSE(parse_engine_options(flags).prefetch);
      CHECK_FALSE(parse_engine_options(flags).prefetch_at_need);
    }
}

TEST_CASE("the number of worker threads fits the mode, or is refused with what does") {
  const auto workers = [](const char* mode, const char* number) {
    return parse_engine_options(
               {{"streamCallbacks.multiThreadMode", mode}, {"streamCallbacks.numWorkerThreads", number}})
        .callback_workers;
  };
  for (const char* mode : {"singleThread", "dedicated", "collaborative"}) CHECK_FALSE(workers(mode, "auto"));
  CHECK(workers("singleThread", "0") == 0u);
  CHECK(workers("collaborative", "0") == 0u);
  CHECK(workers("dedicated", "1024") == 1024u);
  CHECK_THROWS_WITH(workers("singleThread", "4"), ContainsText("'streamCallbacks.numWorkerThreads' is '4'") &&
                                                      ContainsText("streamCallbacks.multiThreadMode singleThread") &&
                                                      ContainsText("give dedicated or collaborative there"));
  CHECK_THROWS_WITH(workers("dedicated", "0"), ContainsText("'streamCallbacks.numWorkerThreads' is '0'") &&
                                                   ContainsText("one at least is needed"));
  CHECK_THROWS_WITH(workers("collaborative", "1025"), ContainsText("at most 1024"));
}

TEST_CASE("the environment overrides what the program sets") {
  const Variable engine("POPLAR_ENGINE_OPTIONS",
                        R"({"target.computeBudget": "7", "debug.floatPointOpException": true})");
  const auto options = parse_engine_options({{"target.computeBudget", "1000"}});
  CHECK(options.compute_budget == 7u);
  CHECK(options.start.trap_floats);
  CHECK_THROWS_AS((Variable("POPLAR_ENGINE_OPTIONS", R"({"no.such": "7"})"), parse_engine_options({})),
                  poplar::invalid_option);
  CHECK_THROWS_AS((Variable("POPLAR_ENGINE_OPTIONS", "fast"), parse_engine_options({})), poplar::parse_error);
}

TEST_CASE("POPLAR_RUNTIME_OPTIONS overrides options of the run, and refuses those of the compiler") {
  {
    const Variable runtime("POPLAR_RUNTIME_OPTIONS", R"({"target.hostSyncTimeout": 3})");
    CHECK(parse_engine_options({{"target.hostSyncTimeout", "1"}}).host_sync_timeout == 3'000'000'000);
  }
  const Variable runtime("POPLAR_RUNTIME_OPTIONS", R"({"target.workerStackSizeInBytes": 64})");
  CHECK_THROWS_WITH(parse_engine_options({}),
                    ContainsText("POPLAR_RUNTIME_OPTIONS") && ContainsText("target.workerStackSizeInBytes"));
}

}  // namespace
