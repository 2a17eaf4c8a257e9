#include "perfetto_check.h"

#include <zlib.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace tessera::inspect::trace {
namespace {

std::string unpacked(const std::string& path) {
  std::string text;
  gzFile file = gzopen(path.c_str(), "rb");
  char buffer[1 << 16];
  for (int bytes; (bytes = gzread(file, buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<size_t>(bytes));
  gzclose(file);
  return text;
}

uint64_t cycles(const nlohmann::json& microseconds) {
  return static_cast<uint64_t>(std::llround(microseconds.get<double>() * 1000));
}

}  // namespace

ShownTrace check_perfetto(const std::string& path) {
  ShownTrace shown;
  const nlohmann::json trace = nlohmann::json::parse(unpacked(path));
  std::map<int, std::string> processes;
  std::map<std::pair<int, int>, std::string> threads;
  for (const auto& e : trace.at("traceEvents")) {
    if (e.at("ph") != "M") continue;
    if (e.at("name") == "process_name") processes[e.at("pid")] = e.at("args").at("name");
    if (e.at("name") == "thread_name") threads[{e.at("pid"), e.at("tid")}] = e.at("args").at("name");
  }
  std::map<std::string, std::vector<uint64_t>> open;  // ends of the slices around, outermost first
  std::map<std::string, uint64_t> last;
  for (const auto& e : trace.at("traceEvents")) {
    if (e.at("ph") != "X") continue;
    const int process = e.at("pid"), thread = e.at("tid");
    if (!processes.contains(process) || !threads.contains({process, thread})) {
      shown.wrong = "a slice on a track without a name";
      return shown;
    }
    const std::string track = processes[process] + "/" + threads[{process, thread}];
    const ShownSlice slice{cycles(e.at("ts")), cycles(e.at("ts")) + cycles(e.at("dur")), e.at("name")};
    if (slice.begin < last[track]) shown.wrong = track + ": " + slice.name + " begins before the slice in front of it";
    last[track] = slice.begin;
    auto& around = open[track];
    while (!around.empty() && around.back() <= slice.begin) around.pop_back();
    if (!around.empty() && slice.end > around.back()) shown.wrong = track + ": " + slice.name + " does not nest";
    around.push_back(slice.end);
    shown.tracks[track].push_back(slice);
  }
  return shown;
}

}  // namespace tessera::inspect::trace
