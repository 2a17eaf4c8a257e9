// What is asked of a run under inspection, as text.
#include <catch2/catch.hpp>

#include "inspect/options.h"

using namespace tessera::inspect;
using Catch::Matchers::ContainsText;

namespace {

std::string refusal(const std::string& text) {
  try {
    parse_options(text);
  } catch (const BadOption& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("options: nothing asked gives the defaults, which are written as nothing") {
  CHECK(parse_options("") == Options());
  CHECK(parse_options(" ; ;") == Options());
  CHECK(text(Options()).empty());
}

TEST_CASE("options: every key sets its own field and comes back as it was written") {
  struct Row {
    const char* text;
    void (*set)(Options&);
  };
  const Row rows[] = {
      {"waves=a b/out.fst", [](Options& o) { o.waves = "a b/out.fst"; }},
      {"wave-tiles=3,7-9", [](Options& o) { o.wave_window.tiles = {false, {{0, 3}, {0, 7}, {0, 8}, {0, 9}}}; }},
      {"wave-from=superstep:10", [](Options& o) { o.wave_window.from = {Trigger::Kind::kSuperstep, 10, ""}; }},
      {"wave-from=cycle:500", [](Options& o) { o.wave_window.from = {Trigger::Kind::kCycle, 500, ""}; }},
      {"wave-from=exception", [](Options& o) { o.wave_window.from = {Trigger::Kind::kException, 0, ""}; }},
      {"wave-from=pc:0x4c010", [](Options& o) { o.wave_window.from = {Trigger::Kind::kPc, 0x4c010, ""}; }},
      {"wave-from=pc:main", [](Options& o) { o.wave_window.from = {Trigger::Kind::kPc, 0, "main"}; }},
      {"wave-from=vertex:ns::Multiply<float>",
       [](Options& o) { o.wave_window.from = {Trigger::Kind::kVertex, 0, "ns::Multiply<float>"}; }},
      {"wave-from=address:0x80000", [](Options& o) { o.wave_window.from = {Trigger::Kind::kAddress, 0x80000, ""}; }},
      {"wave-from=sync:5", [](Options& o) { o.wave_window.from = {Trigger::Kind::kSync, 5, ""}; }},
      {"wave-from=sync:2:5", [](Options& o) { o.wave_window.from = {Trigger::Kind::kSync, 5, "", 2}; }},
      {"wave-for=2", [](Options& o) { o.wave_window.length = {Length::Kind::kSupersteps, 2}; }},
      {"wave-for=900c", [](Options& o) { o.wave_window.length = {Length::Kind::kCycles, 900}; }},
      {"wave-depth=all", [](Options& o) { o.wave_all_signals = true; }},
      {"rtl-window=true", [](Options& o) { o.rtl_window = true; }},
      {"fabric=engine", [](Options& o) { o.fabric = "engine"; }},
      {"trace=t.trace", [](Options& o) { o.trace = "t.trace"; }},
      {"trace-tiles=0", [](Options& o) { o.trace_window.tiles = {false, {{0, 0}}}; }},
      {"trace-from=superstep:1", [](Options& o) { o.trace_window.from = {Trigger::Kind::kSuperstep, 1, ""}; }},
      {"trace-for=4", [](Options& o) { o.trace_window.length = {Length::Kind::kSupersteps, 4}; }},
      {"trace-registers=true", [](Options& o) { o.trace_registers = true; }},
      {"gdb=0", [](Options& o) { o.gdb = std::string("0"); }},
      {"gdb=localhost:3333", [](Options& o) { o.gdb = "localhost:3333"; }},
      {"gdb-tiles=1-2", [](Options& o) { o.gdb_tiles = {false, {{0, 1}, {0, 2}}}; }},
      {"gdb-tiles=3,1:0,1:4-6,2:0",
       [](Options& o) { o.gdb_tiles = {false, {{0, 3}, {1, 0}, {1, 4}, {1, 5}, {1, 6}, {2, 0}}}; }},
      {"gdb-halt=true", [](Options& o) { o.gdb_halt = true; }},
      {"gdb-file=/tmp/port", [](Options& o) { o.gdb_file = "/tmp/port"; }},
      {"on-failure=what-happened", [](Options& o) { o.on_failure = "what-happened"; }},
      {"failure-supersteps=7", [](Options& o) { o.failure_supersteps = 7; }},
      {"check=true", [](Options& o) { o.check = true; }},
      {"snapshots=false", [](Options& o) { o.snapshots = false; }},
      {"snapshot-every=10000", [](Options& o) { o.snapshot_every = 10000; }},
      {"snapshot-memory=64", [](Options& o) { o.snapshot_memory = 64; }},
      {"progress=5", [](Options& o) { o.progress = 5; }},
      {"link-trace=links.csv", [](Options& o) { o.link_trace = "links.csv"; }},
      {"faults=flips.txt", [](Options& o) { o.faults = "flips.txt"; }},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    Options expected;
    row.set(expected);
    CHECK_FALSE(expected == Options());
    CHECK(parse_options(row.text) == expected);
    CHECK(text(expected) == row.text);
  }
}

TEST_CASE("options: many keys at once come back in one order") {
  const std::string in = "trace-for=all; snapshots = false;waves= out.fst ;wave-from=10;wave-tiles=9,7,8,7,3";
  CHECK(text(parse_options(in)) == "waves=out.fst;wave-tiles=3,7-9;wave-from=superstep:10;snapshots=false");
  CHECK(parse_options(text(parse_options(in))) == parse_options(in));
}

TEST_CASE("options: what is wrong is told in one line with its key and value") {
  struct Row {
    const char *text, *key, *value;
  };
  const Row rows[] = {
      {"wave", "'wave'", "key=value"},
      {"wavs=out.fst", "'wavs'", "out.fst"},
      {"wave-tiles=", "'wave-tiles'", "''"},
      {"wave-tiles=1,x", "'wave-tiles'", "'x'"},
      {"wave-tiles=9-7", "'wave-tiles'", "'9-7'"},
      {"wave-tiles=99999999", "'wave-tiles'", "'99999999'"},
      {"wave-from=soon", "'wave-from'", "'soon'"},
      {"wave-from=cycle:", "'wave-from'", "'cycle:'"},
      {"wave-from=cycle:abc", "'wave-from'", "'cycle:abc'"},
      {"wave-from=exception:3", "'wave-from'", "'exception:3'"},
      {"wave-from=pc:", "'wave-from'", "'pc:'"},
      {"wave-for=0", "'wave-for'", "'0'"},
      {"wave-for=2s", "'wave-for'", "'2s'"},
      {"wave-depth=deep", "'wave-depth'", "'deep'"},
      {"trace-registers=maybe", "'trace-registers'", "'maybe'"},
      {"gdb-tiles=x:3", "'gdb-tiles'", "'x' is no chip"},
      {"gdb-tiles=1:2:3", "'gdb-tiles'", "'2:3'"},
      {"wave-from=sync:1:", "'wave-from'", "needs a number"},
      {"gdb=70000", "'gdb'", "'70000'"},
      {"gdb=:3333", "'gdb'", "':3333'"},
      {"gdb=localhost", "'gdb'", "'localhost'"},
      {"failure-supersteps=0", "'failure-supersteps'", "'0'"},
      {"check=perhaps", "'check'", "'perhaps'"},
      {"snapshot-every=-1", "'snapshot-every'", "'-1'"},
      {"snapshot-memory=0x", "'snapshot-memory'", "'0x'"},
      {"snapshots=true;snapshots=false", "'snapshots'", "twice"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const std::string why = refusal(row.text);
    CHECK_THAT(why, ContainsText(row.key) && ContainsText(row.value));
    CHECK(why.find('\n') == std::string::npos);
  }
}

TEST_CASE("options: a set of tiles is asked against a machine") {
  CHECK(parse_tiles("all").of(3) == std::vector<unsigned>{0, 1, 2});
  CHECK(parse_tiles("2,0").of(3) == std::vector<unsigned>{0, 2});
  CHECK_THROWS_WITH(parse_tiles("1,3").of(3), ContainsText("no tile 3") && ContainsText("3 tiles"));
  CHECK(parse_tiles("all").has({0, 900}));
  CHECK(parse_tiles("4-6").has({0, 5}));
  CHECK_FALSE(parse_tiles("4-6").has({0, 7}));
}

TEST_CASE("options: tiles of several chips are asked of each chip, and chip 0 need not be said") {
  const TileSet set = parse_tiles("0:3,2,1:1-2");
  CHECK(set == parse_tiles("2-3,1:1,1:2"));
  CHECK(text(set) == "2-3,1:1-2");
  CHECK(set.of(4, {0, 2}) == std::vector<unsigned>{2, 3});
  CHECK(set.of(4, {1, 2}) == std::vector<unsigned>{1, 2});
  CHECK(parse_tiles("all").of(2, {1, 2}) == std::vector<unsigned>{0, 1});
  CHECK_THROWS_WITH(set.of(4), "there is no chip 1: the system has 1 chip, from 0 on");
  CHECK_THROWS_WITH(set.of(3, {1, 2}), "there is no chip 0 tile 3: the machine has 3 tiles, from 0 on");
  Options options;
  options.gdb_tiles = parse_tiles("1:0");
  CHECK_THROWS_WITH(check_tiles(options, 4), ContainsText("'gdb-tiles'") && ContainsText("no chip 1"));
  check_tiles(options, 4, {0, 2});
}

TEST_CASE("options: merging lets the second text win key by key") {
  CHECK(merge("waves=a;gdb=0", "gdb=1;trace=t") == "waves=a;gdb=1;trace=t");
  CHECK(merge("", "gdb=1").append(merge("gdb=1", "")) == "gdb=1gdb=1");
  CHECK_THROWS_AS(merge("waves", ""), BadOption);
}

TEST_CASE("options: a run without anything asked, and without snapshots, need not be recorded") {
  CHECK(Options().records());
  CHECK_FALSE(parse_options("snapshots=false").records());
  CHECK(parse_options("snapshots=false;trace=t").records());
}

TEST_CASE("a key that does nothing without another is refused where that is not given") {
  const std::pair<const char*, const char*> pairs[] = {
      {"wave-tiles=1", "waves"},    {"wave-from=2", "waves"},
      {"wave-for=1", "waves"},      {"wave-depth=all", "waves"},
      {"trace-tiles=1", "trace"},   {"trace-from=2", "trace"},
      {"trace-for=1", "trace"},     {"trace-registers=1", "trace"},
      {"gdb-tiles=1", "gdb"},       {"gdb-halt=true", "gdb"},
      {"gdb-file=port", "gdb"},     {"rtl-window=true", "waves"},
      {"rtl-window=true", "trace"}, {"failure-supersteps=3", "on-failure"}};
  for (const auto& [text, of] : pairs) {
    CAPTURE(text);
    const std::string key = std::string(text).substr(0, std::string(text).find('='));
    CHECK_THROWS_WITH(check_companions(text), ContainsText("'" + key + "' does nothing without") && ContainsText(of));
    check_companions(std::string(of) + "=x;" + text);
    check_companions(std::string(text) + ";" + of + "=");  // turned off by name
  }
  check_companions("snapshots=false;progress=5");
}
