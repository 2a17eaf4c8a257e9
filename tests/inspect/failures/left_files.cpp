#include "tests/inspect/failures/left_files.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "inspect/trace/trace_reader.h"
#include "inspect/waves/fst_file.h"

namespace tessera::test {
namespace {

namespace fs = std::filesystem;
using inspect::trace::EventKind;

std::string check_trace(const Told& told, const std::string& path) {
  const chip::ExceptionStatus& e = told.exception;
  inspect::trace::TraceReader reader(path);
  if (reader.runs().empty()) return "the trace is empty";
  bool retired = false, excepted = false;
  uint64_t records = 0;
  reader.read(reader.runs().size() - 1, {}, [&](const inspect::trace::Event& event) {
    records += event.kind == EventKind::kRetire;
    if (event.tile != told.failed_tile || event.cycle != e.cycle || event.context != e.context) return;
    retired |= event.kind == EventKind::kRetire && event.retire.pc == e.pc;
    excepted |= event.kind == EventKind::kExcepted && event.from == e.pc;
  });
  if (records == 0) return "the trace has no instruction";
  if (e.cause != 0 && !excepted) return "the trace does not show the exception";
  if (e.cause != 0 && e.pc != 0 && !retired) return "the trace does not show the instruction that excepted";
  return "";
}

std::string check_waves(const Told& told, const std::string& path) {
  const chip::ExceptionStatus& e = told.exception;
  inspect::waves::FstReader reader(path);
  std::vector<uint32_t> pcs, all;
  const std::string scope = "tile" + std::to_string(told.failed_tile) + ".exception";
  for (const auto& signal : reader.signals()) {
    all.push_back(signal.handle);
    if (signal.scope.ends_with(scope) && signal.name.starts_with("pc")) pcs.push_back(signal.handle);
  }
  uint64_t changes = 0;
  reader.read(all, [&](uint64_t, uint32_t, std::string_view) { ++changes; });
  if (changes == 0) return "the waves show nothing";
  if (e.cause == 0 || e.pc == 0) return "";
  bool shown = false;
  reader.read(pcs, [&](uint64_t cycle, uint32_t, std::string_view value) {
    shown |= cycle == e.cycle && std::stoull(std::string(value), nullptr, 2) == e.pc;
  });
  return shown ? "" : "the waves do not show the exception in its cycle";
}

}  // namespace

std::vector<std::string> wrong_files(const Told& told, const std::string& folder) {
  std::vector<std::string> wrong;
  const auto add = [&](const std::string& text) {
    if (!text.empty()) wrong.push_back(text);
  };
  for (const char* name : {"failure.fst", "failure.gtkw", "failure.trace", "report.txt"}) {
    if (!fs::exists(fs::path(folder) / name)) add(std::string("there is no ") + name);
  }
  if (!wrong.empty()) return wrong;
  try {
    add(check_trace(told, fs::path(folder) / "failure.trace"));
    add(check_waves(told, fs::path(folder) / "failure.fst"));
  } catch (const std::exception& error) {
    add(error.what());
  }
  std::ostringstream report;
  report << std::ifstream(fs::path(folder) / "report.txt").rdbuf();
  std::string text = report.str();
  text.erase(text.find_last_not_of('\n') + 1);
  if (text.empty() || told.report.find(text) != 0) add("report.txt is another text");
  return wrong;
}

}  // namespace tessera::test
