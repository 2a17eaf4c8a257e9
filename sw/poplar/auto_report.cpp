#include "sw/poplar/auto_report.h"

#include <filesystem>
#include <poplar/exceptions.hpp>
#include <sstream>

#include "formats/whole_file.h"
#include "sw/poplar/profile_summary.h"

namespace tessera::runtime {
namespace {

void write(const AutoReport& report, const char* name, const std::string& content) {
  const std::filesystem::path path = std::filesystem::path(report.directory) / name;
  std::error_code error;
  std::filesystem::create_directories(report.directory, error);
  try {
    formats::write_whole_file(path.string(), content);
  } catch (const formats::CannotWrite& cannot) {
    throw poplar::poplar_error(std::string("autoReport.directory: ") + cannot.what());
  }
}

std::string json(const poplar::ProfileValue& value) {
  std::ostringstream text;
  poplar::serializeToJSON(text, value, true);
  return text.str() + "\n";
}

}  // namespace

void report_graph(const AutoReport& report, const poplar::Graph& graph) {
  if (!report.serialized_graph) return;
  std::ostringstream bytes;
  graph.serialize(bytes, poplar::SerializationFormat::Binary);
  write(report, "serialized_graph.cbor", bytes.str());
}

void report_executable(const AutoReport& report, const image::Executable& executable) {
  if (report.graph_profile) write(report, "graph_profile.json", json(graph_profile(executable)));
}

void report_run(const AutoReport& report, uint64_t run, const poplar::ProfileValue& execution_profile) {
  if (report.execution_profile && run <= report.runs) write(report, "execution_profile.json", json(execution_profile));
}

}  // namespace tessera::runtime
