// What is asked of a run under inspection as arguments of a command: --waves FILE, --trace FILE, --gdb [PORT] and so
// on. Of `tessera run` and of benches.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tessera::inspect {

class Arguments {
 public:
  // `on_failure`: where a failure is left if nothing else is said; "none": nowhere.
  explicit Arguments(std::string on_failure) : on_failure_(std::move(on_failure)) {}
  void add_to(CLI::App& command);  // which writes into this object
  // The options in text form: the arguments over `variable`, what TESSERA_INSPECT says. Paths are made absolute. Throws
  // BadOption.
  std::string text(const std::string& variable) const;
  // Files that the arguments name to be written, with their options; empty paths are left out.
  std::vector<std::pair<std::string, std::string>> files() const;
  std::string failure_folder() const;  // that of --on-failure; empty: not given, or "none"

 private:
  std::string more_;  // --inspect
  std::string waves_, wave_tiles_, wave_from_, wave_for_, wave_depth_, fabric_;
  std::string trace_, trace_tiles_, trace_from_, trace_for_;
  bool trace_registers_ = false, rtl_window_ = false, gdb_halt_ = false;
  std::vector<std::string> gdb_;  // at most one, perhaps empty
  std::string gdb_tiles_, gdb_file_;
  std::string on_failure_, faults_;
  const CLI::Option *gdb_given_ = nullptr, *on_failure_given_ = nullptr;
};

}  // namespace tessera::inspect
