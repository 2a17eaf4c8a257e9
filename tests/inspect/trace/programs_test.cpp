// Traces of programs as a user runs them: model and RTL leave the same, and everything that is made of a trace agrees
// with the chip's counters.
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <cstdlib>

#include "inspect/trace/difference.h"
#include "inspect/trace/perfetto.h"
#include "inspect/trace/tables.h"
#include "perfetto_check.h"
#include "synthetic_run.h"
#include "traced_program.h"

namespace tessera::inspect::trace {
namespace {

using Catch::Matchers::ContainsText;
using trace_test::kElements, trace_test::kTiles, trace_test::kTurns;

struct TracedProgram {
  TracedProgram(const std::string& backend, float factor, const std::string& more = "")
      : counters(trace_test::run_traced(backend, file.path, factor, more)) {}
  TemporaryFile file;
  trace_test::Counters counters;
};

const TracedProgram& on(const std::string& backend) {
  static std::map<std::string, TracedProgram> runs;
  return runs.try_emplace(backend, backend, 2.0f).first->second;
}

std::vector<std::string> backends() {
#ifdef TRACE_HAS_RTL
  return {"model", "rtl"};
#else
  return {"model"};
#endif
}

// A command's exit status and what it printed.
std::pair<int, std::string> tool(const std::string& arguments) {
  TemporaryFile out(".txt");
  const int status = std::system((std::string(TESSERA_TOOL) + " " + arguments + " > " + out.path + " 2>&1").c_str());
  const std::vector<char> text = contents(out.path);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, {text.begin(), text.end()}};
}

TraceReader reread(const TracedProgram& program) { return TraceReader(program.file.path); }

TEST_CASE("the superstep table adds up to the chip's counters") {
  for (const std::string& backend : backends()) {
    INFO(backend);
    const TracedProgram& program = on(backend);
    TraceReader reader = reread(program);
    REQUIRE(reader.runs().size() == 1);
    const SuperstepTable table = superstep_table(reader, 0);
    CHECK(table.total.compute == program.counters.compute);
    CHECK(table.total.sync == program.counters.sync);
    CHECK(table.total.exchange == program.counters.exchange);
    CHECK(table.total.host == program.counters.host);
    CHECK(table.total.total() == program.counters.cycles);
    PhaseCycles sum;
    uint64_t retired = 0, next = 0, acknowledged = 0;
    for (const SuperstepRow& row : table.rows) {
      CHECK(row.times.begin == next);
      next = row.times.end;
      CHECK(row.times.cycles.total() == row.times.end - row.times.begin);
      sum.compute += row.times.cycles.compute, sum.sync += row.times.cycles.sync;
      sum.exchange += row.times.cycles.exchange, sum.host += row.times.cycles.host;
      retired += row.times.retired;
      ++acknowledged;
    }
    CHECK(next == program.counters.cycles);
    CHECK(sum == table.total);
    CHECK(retired == table.retired);
    CHECK(acknowledged == program.counters.supersteps + 1);
    uint64_t held = 0;
    for (const IndexEntry& block : reader.runs()[0].blocks) held += block.info.retired;
    CHECK(held == retired);
    CHECK(retired > 3000);
  }
}

TEST_CASE("every vertex is in the table as often as it ran") {
  for (const std::string& backend : backends()) {
    INFO(backend);
    TraceReader reader = reread(on(backend));
    const VertexTable table = vertex_table(reader, 0, {});
    CHECK(table.vertices.size() == 3 * kTiles);
    for (const VertexRow& row : table.vertices) {
      INFO(row.codelet << " of tile " << row.tile);
      CHECK(row.id >= 0);
      CHECK(row.cycles.times == kTurns);
      CHECK(row.compute_set == (row.codelet == "Scale" ? "scale" : "sum"));
      CHECK(row.cycles.shortest >= 6 * kElements / kTiles / 2);
    }
    CHECK(table.codelets.at("Scale").times == 2 * kTiles * kTurns);
    CHECK(table.codelets.at("Sum").times == kTiles * kTurns);
    CHECK(table.unfinished == 0);
  }
}

TEST_CASE("the Perfetto trace nests and shows the tables' cycles") {
  for (const std::string& backend : backends()) {
    INFO(backend);
    const TracedProgram& program = on(backend);
    TraceReader reader = reread(program);
    TemporaryFile out(".json.gz");
    write_perfetto(reader, 0, {}, out.path);
    ShownTrace shown = check_perfetto(out.path);
    CHECK(shown.wrong == "");
    std::map<std::string, uint64_t> phases;
    uint64_t next = 0;
    for (const ShownSlice& slice : shown.tracks.at("chip mk2-4/phases")) {
      CHECK(slice.begin == next);
      next = slice.end;
      phases[slice.name] += slice.end - slice.begin;
    }
    CHECK(next == program.counters.cycles);
    CHECK(phases["compute"] == program.counters.compute);
    CHECK(phases["sync"] == program.counters.sync);
    CHECK(phases["exchange"] == program.counters.exchange);
    CHECK(phases["host"] == program.counters.host);
    CHECK(shown.tracks.at("chip mk2-4/supersteps").size() == program.counters.supersteps + 1);
    const VertexTable table = vertex_table(reader, 0, {});
    std::map<std::string, Occupation> vertices;
    for (unsigned tile = 0; tile < kTiles; ++tile)
      for (unsigned worker = 0; worker < 6; ++worker)
        for (const ShownSlice& s : shown.tracks["tile " + std::to_string(tile) + "/worker " + std::to_string(worker)])
          vertices[s.name].add(s.end - s.begin);
    CHECK(vertices.size() == table.codelets.size());
    for (const auto& [codelet, cycles] : table.codelets) CHECK(vertices[codelet].cycles == cycles.cycles);
    CHECK(shown.tracks.contains("tile 0/supervisor"));
    CHECK(shown.tracks.contains("tile 0/exchange"));
    CHECK(shown.tracks.at("host/transfers to tiles").size() >= kTurns);
    CHECK_FALSE(shown.tracks.at("host/host thread").empty());
  }
}

TEST_CASE("model and RTL leave the same file") {
  if (backends().size() < 2) return;
  const std::vector<char> model = contents(on("model").file.path), rtl = contents(on("rtl").file.path);
  TraceReader a = reread(on("model")), b = reread(on("rtl"));
  const Comparison result = compare(a, b);
  if (result.difference) FAIL(result.difference->text);
  CHECK(result.events > 5000);
  CHECK(model == rtl);
}

TEST_CASE("the tool compares: 0 equal, 1 different, 2 not comparable") {
  const std::string model = on("model").file.path;
  const auto [equal, said] = tool("diff " + model + " " + on(backends().back()).file.path);
  CHECK(equal == 0);
  CHECK_THAT(said, ContainsText("equal: "));
  const TracedProgram other("model", 3.0f);
  const auto [different, why] = tool("diff " + model + " " + other.file.path);
  CHECK(different == 1);
  CHECK_THAT(why, ContainsText("first difference: cycle ") && ContainsText("they differ in: "));
  const auto [cannot, error] = tool("diff " + model + " " + std::string(TRACE_CODELETS));
  CHECK(cannot == 2);
  CHECK_THAT(error, ContainsText("codelets.cpp is no trace of this tool"));
}

TEST_CASE("the tool shows text with source lines, tables and what is asked of it") {
  const std::string file = on("model").file.path;
  const auto [status, text] = tool("trace " + file + " --tiles 1 --kind stores,vertices --from superstep:1");
  CHECK(status == 0);
  CHECK_THAT(text, ContainsText("codelets.cpp:9") && ContainsText("enters Scale of scale, vertex ") &&
                       ContainsText("fsw ") && ContainsText("totals] = ") && ContainsText("= 40400000 (3)"));
  CHECK(text.find(" lw ") == std::string::npos);
  const auto [ok, table] = tool("trace " + file + " supersteps");
  CHECK(ok == 0);
  CHECK_THAT(table, ContainsText("Execute(scale)") && ContainsText(std::to_string(on("model").counters.cycles)));
  CHECK_THAT(tool("trace " + file + " vertices").second, ContainsText("Sum of sum, vertex "));
  CHECK_THAT(tool("trace " + file + " summary").second, ContainsText("machine mk2-4, 4 of 4 tiles"));
  CHECK(tool("trace " + file + " --tiles 9").first != 0);
  CHECK(tool("trace " + file + " --kind nothing").first == 2);
  CHECK(tool("trace " + file + " perfetto").first == 2);
}

TEST_CASE("a window of supersteps is the same part of the whole") {
  TraceReader whole = reread(on("model"));
  const TracedProgram window("model", 2.0f, ";trace-from=superstep:2;trace-for=2");
  TraceReader part = reread(window);
  const Comparison result = compare(whole, part);
  if (result.difference) FAIL(result.difference->text);
  CHECK(result.events > 500);
  const SuperstepTable all = superstep_table(whole, 0), some = superstep_table(part, 0);
  REQUIRE(some.rows.size() == 2);
  for (size_t i = 0; i < 2; ++i) {
    CHECK(some.rows[i].times.index == 2 + i);
    CHECK(some.rows[i].times.retired == all.rows.at(2 + i).times.retired);
    CHECK(some.rows[i].times.cycles == all.rows[2 + i].times.cycles);
  }
}

TEST_CASE("a trace changes neither results nor cycles, with register values or without") {
  const TracedProgram with("model", 2.0f, ";trace-registers=true"), subset("model", 2.0f, ";trace-tiles=2");
  CHECK(with.counters.cycles == on("model").counters.cycles);
  CHECK(with.counters.sum == 2.0 * 1.5 * kElements * kTurns);
  CHECK(subset.counters.cycles == on("model").counters.cycles);
  TraceReader a = reread(with), b = reread(subset), all = reread(on("model"));
  CHECK_FALSE(compare(all, a).difference);
  CHECK_FALSE(compare(all, b).difference);
}

}  // namespace
}  // namespace tessera::inspect::trace
