#include "perfetto_check.h"

#include <zlib.h>

#include <algorithm>
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
  std::vector<const nlohmann::json*> events;
  for (const auto& e : trace.at("traceEvents"))
    if (e.at("ph") != "M") events.push_back(&e);
  std::stable_sort(events.begin(), events.end(),
                   [](const auto* x, const auto* y) { return cycles(x->at("ts")) < cycles(y->at("ts")); });
  std::map<std::string, std::vector<ShownSlice>> open;  // slices around, outermost first
  std::map<std::pair<uint64_t, std::string>, ShownFlow> flows;
  const auto wrong = [&](const std::string& what) {
    if (shown.wrong.empty()) shown.wrong = what;
  };
  for (const nlohmann::json* event : events) {
    const auto& e = *event;
    const std::string ph = e.at("ph");
    const uint64_t cycle = cycles(e.at("ts"));
    const int process = e.at("pid");
    if (!processes.contains(process)) wrong("an event of a process without a name");
    if (ph == "C") {
      if (!e.at("args").is_object() || e.at("args").empty()) wrong("a counter without values");
      for (const auto& [series, value] : e.at("args").items()) {
        if (!value.is_number_unsigned()) wrong("a counter that is no number");
        auto& changes = shown.counters[processes[process] + "/" + e.at("name").get<std::string>() + " " + series];
        if (!changes.empty() && changes.back().first == cycle) wrong("a counter has two values in a cycle");
        changes.emplace_back(cycle, value.get<uint64_t>());
      }
      continue;
    }
    const int thread = e.at("tid");
    if (!threads.contains({process, thread})) wrong("an event on a track without a name");
    const std::string track = processes[process] + "/" + threads[{process, thread}];
    auto& around = open[track];
    if (ph == "X") {
      const ShownSlice slice{cycle, cycle + cycles(e.at("dur")), e.at("name")};
      while (!around.empty() && around.back().end <= slice.begin) around.pop_back();
      if (!around.empty() && slice.end > around.back().end) wrong(track + ": " + slice.name + " does not nest");
      around.push_back(slice);
      shown.tracks[track].push_back(slice);
    } else if (ph == "s" || ph == "f") {
      const bool begins = ph == "s";
      const std::pair key(e.at("id").get<uint64_t>(), e.at("cat").get<std::string>() + e.at("name").get<std::string>());
      if (around.empty() || cycle >= around.back().end) {
        wrong(track + ": an end of a flow in no slice");
        continue;
      }
      if (!begins && e.at("bp") != "e") wrong("the end of a flow is not bound to the slice around it");
      if (begins == flows.contains(key)) wrong("a flow begins twice or ends without a beginning");
      ShownFlow& flow = flows[key];
      flow.name = e.at("name");
      (begins ? flow.from_track : flow.to_track) = track;
      (begins ? flow.from : flow.to) = around.back();
      if (!begins) shown.flows.push_back(flow);
    } else if (ph != "i") {
      wrong("an event of a kind that nobody reads: " + ph);
    }
  }
  if (shown.flows.size() != flows.size()) wrong("a flow has no end");
  return shown;
}

}  // namespace tessera::inspect::trace
