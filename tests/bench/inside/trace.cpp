// Traces: bytes an instruction and what tracing costs the model, on the digits training with all tiles; and whether
// text, tables and Perfetto say what the chip's counters say, on model and RTL. Every pair of runs is taken in turn.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>

#include "inspect/trace/difference.h"
#include "inspect/trace/perfetto.h"
#include "inspect/trace/tables.h"
#include "tests/bench/figure.h"
#include "tests/codelet/temporary_directory.h"
#include "trace_digits.h"

using namespace tessera::inspect::trace;

namespace {

constexpr unsigned kDigits = 1440, kEpochs = 8, kPairs = 3;

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

uint64_t retired(const TraceReader& reader) {
  uint64_t count = 0;
  for (const RunOfFile& run : reader.runs())
    for (const IndexEntry& block : run.blocks) count += block.info.retired;
  return count;
}

// How many of the numbers that tables and Perfetto give differ from the counters, or from each other.
unsigned differences(const std::string& path, const trace_bench::Run& run) {
  TraceReader reader(path);
  const SuperstepTable table = superstep_table(reader, 0);
  unsigned count = 0;
  count += table.total.compute != run.compute;
  count += table.total.sync != run.sync;
  count += table.total.exchange != run.exchange;
  count += table.total.transfer != run.transfer;
  count += table.total.host != run.host;
  count += table.total.total() != run.cycles;
  count += table.rows.size() != run.supersteps + 1;
  count += table.retired != retired(reader);
  // Perfetto's phases and vertices, from its file.
  const std::string shown = path + ".json";
  write_perfetto(reader, 0, {}, shown);
  std::map<std::string, uint64_t> cycles;
  const nlohmann::json events = nlohmann::json::parse(contents(shown)).at("traceEvents");
  for (const auto& e : events)
    if (e.at("ph") == "X" && e.at("pid") != 2)
      cycles[e.at("name")] += static_cast<uint64_t>(e.at("dur").get<double>() * 1000 + 0.5);
  count += cycles["compute"] != run.compute;
  count += cycles["sync"] != run.sync;
  count += cycles["transfer"] != run.transfer;
  count += cycles["host"] != run.host;
  const VertexTable vertices = vertex_table(reader, 0, {});
  for (const auto& [codelet, occupation] : vertices.codelets) count += cycles[codelet] != occupation.cycles;
  count += vertices.codelets.size() < 4;
  return count;
}

void size_and_cost(const std::string& folder) {
  const std::string path = folder + "/all.trace";
  double plain = std::numeric_limits<double>::infinity(), traced = plain;
  for (unsigned pair = 0; pair < kPairs; ++pair) {
    plain = std::min(plain, trace_bench::train("model", "mk2-16", kDigits, kEpochs, "").seconds);
    traced = std::min(traced, trace_bench::train("model", "mk2-16", kDigits, kEpochs, path).seconds);
  }
  const TraceReader reader(path);
  const uint64_t instructions = retired(reader);
  print_figure("inside_trace_bytes", static_cast<double>(reader.bytes()) / static_cast<double>(instructions),
               "bytes per retired instruction", Goal::kAtMost, 2,
               {{"instructions", instructions}, {"bytes", reader.bytes()}});
  print_figure("inside_trace_slowdown", traced / plain,
               "model's processor time with a trace of all tiles, over that without", Goal::kAtMost, 2,
               {{"plain_s", plain}, {"traced_s", traced}, {"best_of", kPairs}});
}

void agreement(const std::string& folder) {
  unsigned count = 0;
  nlohmann::json context;
  for (const char* backend : {"model", "rtl"}) {
    const std::string path = folder + "/" + backend + ".trace";
    const trace_bench::Run run = trace_bench::train(backend, "mk2-4", 96, 1, path);
    const unsigned here = differences(path, run);
    context[std::string(backend) + "_cycles"] = run.cycles;
    count += here;
  }
  TraceReader model(folder + "/model.trace"), rtl(folder + "/rtl.trace");
  const Comparison result = compare(model, rtl);
  count += result.difference.has_value();
  count += contents(model.path()) != contents(rtl.path());
  context["events_equal"] = result.events;
  print_figure("inside_trace_agreement", count,
               "numbers of tables and Perfetto that differ from the counters, or between model and RTL", Goal::kAtMost,
               0, context);
}

}  // namespace

int main() {
  setenv("TESSERA_QUIET", "1", 1);
  const TemporaryDirectory files;
  const std::string folder = files.path("");
  size_and_cost(folder);
  agreement(folder);
}
