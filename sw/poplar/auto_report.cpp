#include "sw/poplar/auto_report.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <poplar/exceptions.hpp>
#include <sstream>

#include "formats/ar_archive.h"
#include "formats/whole_file.h"
#include "sw/poplar/profile_summary.h"

namespace tessera::runtime {
namespace {

void write(const std::string& option, const std::string& path, const std::string& content) {
  try {
    formats::write_whole_file(path, content);
  } catch (const formats::CannotWrite& cannot) {
    throw poplar::poplar_error(option + ": " + cannot.what());
  }
}

// Gives the file's path.
std::string write(const AutoReport& report, const char* name, const std::string& content) {
  std::error_code error;
  std::filesystem::create_directories(report.directory, error);
  const std::string path = (std::filesystem::path(report.directory) / name).string();
  write("autoReport.directory", path, content);
  return path;
}

// The text is linked once for all tiles of a chip.
std::string archive(const image::Executable& executable) {
  formats::ArWriter writer;
  const bool several = executable.chips.size() > 1;
  for (size_t chip = 0; chip < executable.chips.size(); ++chip) {
    const std::vector<uint8_t>& elf = executable.chips[chip].info.elf;
    const std::string name = several ? "chip" + std::to_string(chip) + "-tiles.elf" : "tiles.elf";
    if (!elf.empty()) writer.add(name, {reinterpret_cast<const char*>(elf.data()), elf.size()});
  }
  return writer.bytes();
}

std::string variables(const image::Executable& executable) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (size_t chip = 0; chip < executable.chips.size(); ++chip) {
    const names::ProgramInfo& info = executable.chips[chip].info;
    const size_t first = chip * executable.chips[chip].tiles.size();
    for (const names::Variable& place : info.variables)
      all.push_back({{"variable", info.name(place.name)},
                     {"id", place.id},
                     {"type", info.name(place.type)},
                     {"tile", first + place.tile},
                     {"address", place.address},
                     {"bytes", place.bytes}});
  }
  return all.dump(1) + "\n";
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

std::string report_graph_profile(const AutoReport& report, const image::Executable& executable) {
  return report.graph_profile ? write(report, "graph_profile.json", json(graph_profile(executable))) : "";
}

void report_executable(const AutoReport& report, const image::Executable& executable) {
  report_graph_profile(report, executable);
  if (report.archive) write(report, "archive.a", archive(executable));
  if (!report.archive_file.empty()) write("target.saveArchive", report.archive_file, archive(executable));
  if (report.lowered_variables) write(report, "lowered_vars.json", variables(executable));
  if (!report.variables_file.empty()) write("debug.loweredVarDumpFile", report.variables_file, variables(executable));
}

void report_run(const AutoReport& report, uint64_t run, const poplar::ProfileValue& execution_profile) {
  if (report.execution_profile && run <= report.runs) write(report, "execution_profile.json", json(execution_profile));
}

}  // namespace tessera::runtime
