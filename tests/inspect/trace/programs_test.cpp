// Traces of programs as a user runs them: model and RTL leave the same, and everything that is made of a trace agrees
// with the chip's counters.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "inspect/trace/difference.h"
#include "inspect/trace/perfetto.h"
#include "inspect/trace/tables.h"
#include "inspect/trace/touches.h"
#include "perfetto_check.h"
#include "rtl/spec/instructions.h"
#include "synthetic_run.h"
#include "traced_files.h"

namespace tessera::inspect::trace {
namespace {

using trace_test::kElements, trace_test::kTiles, trace_test::kTurns;

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
    CHECK(table.total.transfer == program.counters.transfer);
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
      sum.transfer += row.times.cycles.transfer;
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
    CHECK(phases["transfer"] == program.counters.transfer);
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

TEST_CASE("the Perfetto trace has flows from senders to receivers, and counters") {
  TraceReader reader = reread(on("model"));
  TemporaryFile out(".json.gz");
  write_perfetto(reader, 0, {}, out.path);
  const ShownTrace shown = check_perfetto(out.path);
  CHECK(shown.wrong == "");
  // Each tile's results lie on the next one, and are summed where the inputs are.
  std::set<std::pair<std::string, std::string>> pairs;
  for (const ShownFlow& flow : shown.flows) {
    pairs.insert({flow.from_track, flow.to_track});
    const std::string from = flow.from_track.substr(0, flow.from_track.find('/'));
    CHECK(flow.to.name == "from " + from);
    CHECK(flow.from.begin < flow.to.begin);
  }
  for (unsigned tile = 0; tile < kTiles; ++tile) {
    const std::string here = "tile " + std::to_string(tile), next = "tile " + std::to_string((tile + 1) % kTiles);
    INFO(here);
    CHECK(pairs.contains({here + "/sends", next + "/receives"}));
  }
  const auto& workers = shown.counters.at("chip mk2-4/workers in vertices");
  CHECK(workers.back().second == 0);
  CHECK(std::max_element(workers.begin(), workers.end(), [](const auto& a, const auto& b) {
          return a.second < b.second;
        })->second == 2 * kTiles);
  std::map<EventKind, uint64_t> words;
  uint64_t bytes = 0;
  reader.read(0, {}, [&](const Event& e) {
    ++words[e.kind];
    if (e.kind != EventKind::kDebugWritten)
      for (const Touch& t : touches(e))
        if (t.write) bytes += t.bytes;
  });
  uint64_t sent = 0, received = 0, passing = 0, cycle = 0, now = 0;
  for (unsigned tile = 0; tile < kTiles; ++tile) {
    const std::string counter = "tile " + std::to_string(tile) + "/exchange words ";
    sent += shown.counters.at(counter + "sent").back().second;
    received += shown.counters.at(counter + "received").back().second;
  }
  for (const auto& [at, value] : shown.counters.at("chip mk2-4/exchange words a cycle")) {
    passing += now * (at - cycle);
    cycle = at, now = value;
  }
  CHECK(sent == words[EventKind::kSent]);
  CHECK(received == words[EventKind::kReceived]);
  CHECK(passing == received);
  uint64_t written = 0;
  const auto& changes = shown.counters.at("chip mk2-4/memory bytes of a superstep written");
  const SuperstepTable table = superstep_table(reader, 0);
  for (const SuperstepRow& row : table.rows) {
    const auto after = std::upper_bound(changes.begin(), changes.end(), std::pair(row.times.begin, ~uint64_t{0}));
    if (after != changes.begin()) written += (after - 1)->second;
  }
  CHECK(written == bytes);
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

// What loads have read must be what was written there before: of the host, packets, exchange or instructions.
TEST_CASE("loads show the address that they read") {
  const TracedProgram program("model", 2.0f, ";trace-registers=true");
  TraceReader reader = reread(program);
  std::map<std::pair<uint32_t, uint32_t>, uint8_t> memory;  // by tile and address
  std::map<spec::Opcode, unsigned> loads;
  reader.read(0, {}, [&](const Event& e) {
    if (e.kind == EventKind::kRetire && read_plan(e.retire.instruction).kind == ReadPlan::Kind::kBase) {
      REQUIRE(e.reads.known == 1);
      const unsigned bytes = read_plan(e.retire.instruction).bytes;
      uint64_t held = 0;
      for (unsigned i = 0; i < bytes; ++i)
        held |= static_cast<uint64_t>(memory[{e.tile, e.reads.address[0] + i}]) << 8 * i;
      const spec::Opcode opcode = spec::decode(e.retire.instruction);
      if (opcode == spec::Opcode::Lw || opcode == spec::Opcode::Flw) {
        ++loads[opcode];
        INFO("cycle " << e.cycle << ", tile " << e.tile << ", pc " << std::hex << e.retire.pc);
        if (e.retire.reg_write) REQUIRE(static_cast<uint32_t>(e.retire.reg_data) == held);
      }
    }
    for (const Touch& t : touches(e)) {
      if (!t.write) continue;
      for (unsigned i = 0; i < t.bytes; ++i)
        if (t.strobe >> i & 1)
          for (uint32_t tile = e.tile == chip::kNoTile ? 0 : e.tile; tile <= (e.tile == chip::kNoTile ? 3 : e.tile);
               ++tile)
            memory[{tile, t.address + i}] = static_cast<uint8_t>(t.value >> 8 * i);
    }
  });
  CHECK(loads[spec::Opcode::Lw] > 200);
  CHECK(loads[spec::Opcode::Flw] >= 2 * kElements * kTurns);
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
