#include "inspect/arguments.h"

#include <CLI/CLI.hpp>
#include <filesystem>

#include "inspect/options.h"

namespace tessera::inspect {
namespace {

// Files are named from here, wherever the program goes.
std::string absolute(const std::string& path) { return path.empty() ? path : std::filesystem::absolute(path).string(); }

}  // namespace

void Arguments::add_to(CLI::App& command) {
  const char* from =
      "where it begins: a superstep (10), cycle:N, exception, pc:ADDRESS|SYMBOL, vertex:NAME, address:ADDRESS, "
      "sync:TILE";
  const char* lengths = "for how long: N supersteps, Nc cycles, all";
  command.add_option("--waves", waves_, "FST file of waves to write")->group("Waves");
  command.add_option("--wave-tiles", wave_tiles_, "tiles in it: 3,7-9 or all")->group("Waves");
  command.add_option("--wave-from", wave_from_, from)->group("Waves");
  command.add_option("--wave-for", wave_for_, lengths)->group("Waves");
  command.add_option("--wave-depth", wave_depth_, "architecture (default), or all: every signal of the RTL")
      ->group("Waves");
  command.add_flag("--rtl-window", rtl_window_, "runs the model outside the window and the RTL inside it")
      ->group("Waves");
  command.add_option("--fabric", fabric_,
                     "what joins the tiles of the RTL: rtl, or engine (usual: rtl up to 64 tiles)");
  command.add_option("--trace", trace_, "trace file to write; `tessera trace` reads it")->group("Trace");
  command.add_option("--trace-tiles", trace_tiles_, "tiles in it")->group("Trace");
  command.add_option("--trace-from", trace_from_, from)->group("Trace");
  command.add_option("--trace-for", trace_for_, lengths)->group("Trace");
  command.add_flag("--trace-registers", trace_registers_, "register values too")->group("Trace");
  gdb_given_ = command.add_option("--gdb", gdb_, "serves a debugger at this port (none: a free one, which is said)")
                   ->expected(0, 1)
                   ->group("Debugger");
  command.add_flag("--gdb-halt", gdb_halt_, "waits for the debugger before the first instruction")->group("Debugger");
  command.add_option("--gdb-tiles", gdb_tiles_, "tiles it sees (all)")->group("Debugger");
  command.add_option("--gdb-file", gdb_file_, "file that gets the port once the server listens")->group("Debugger");
  on_failure_given_ =
      command.add_option("--on-failure", on_failure_, "folder for report, waves and trace of a failure; none: nothing")
          ->capture_default_str()
          ->group("Failures");
  command.add_option("--faults", faults_, "list of faults to inject (docs/user/faults.md)")->group("Failures");
  command.add_option("--inspect", more_, "any of it as text: key=value;key=value, and the rarer keys");
}

std::string Arguments::text(const std::string& variable) const {
  std::string text;
  const auto put = [&](const std::string& key, const std::string& value) {
    if (!value.empty()) text += (text.empty() ? "" : ";") + key + "=" + value;
  };
  put("waves", absolute(waves_));
  put("wave-tiles", wave_tiles_);
  put("wave-from", wave_from_);
  put("wave-for", wave_for_);
  put("wave-depth", wave_depth_);
  put("rtl-window", rtl_window_ ? "true" : "");
  put("fabric", fabric_);
  put("trace", absolute(trace_));
  put("trace-tiles", trace_tiles_);
  put("trace-from", trace_from_);
  put("trace-for", trace_for_);
  put("trace-registers", trace_registers_ ? "true" : "");
  if (gdb_given_->count() != 0 || gdb_halt_ || !gdb_file_.empty())
    put("gdb", gdb_.empty() || gdb_.front().empty() ? "0" : gdb_.front());
  put("gdb-tiles", gdb_tiles_);
  put("gdb-halt", gdb_halt_ ? "true" : "");
  put("gdb-file", absolute(gdb_file_));
  put("faults", absolute(faults_));
  const bool elsewhere = on_failure_given_->count() == 0 && !parse_options(variable).on_failure.empty();
  if (on_failure_ != "none" && !elsewhere) put("on-failure", absolute(on_failure_));
  const std::string all = merge(variable, merge(text, more_));
  std::string told = inspect::text(parse_options(all));
  check_companions(all);
  return told;
}

std::vector<std::pair<std::string, std::string>> Arguments::files() const {
  std::vector<std::pair<std::string, std::string>> files;
  for (const auto& [option, path] : {std::pair("--waves", &waves_), {"--trace", &trace_}, {"--gdb-file", &gdb_file_}})
    if (!path->empty()) files.emplace_back(option, *path);
  return files;
}

std::string Arguments::failure_folder() const {
  return on_failure_given_->count() == 0 || on_failure_ == "none" ? "" : on_failure_;
}

}  // namespace tessera::inspect
