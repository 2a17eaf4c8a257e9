// The lines of a list of faults (docs/reference/faults.md): a site, then key=value in any order; `#` begins a comment.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>

namespace tessera::inspect {

struct BadFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Decimal, or hexadecimal behind 0x. Throw BadFault with `what` and the text.
uint64_t fault_number(const std::string& text, const std::string& what);
uint32_t fault_word(const std::string& text, const std::string& what);

// The keys of a line, each taken once. Throws BadFault.
class FaultKeys {
 public:
  explicit FaultKeys(std::istringstream& words);
  std::optional<std::string> find(const std::string& key);
  std::string take(const std::string& key);  // that has to be there
  void end() const;                          // nothing is left

 private:
  std::map<std::string, std::string> values_;
};

// The whole list. Throws BadFault.
std::string read_fault_list(const std::string& path);
// For each line that is not empty; throws BadFault "NAME:LINE: ..." for the first for which `parse` does.
void each_fault_line(const std::string& text, const std::string& name,
                     const std::function<void(const std::string& site, std::istringstream& words)>& parse);
// A site of links, whose lines are of the system and not of a chip.
inline bool is_link_site(const std::string& site) { return site.starts_with("link-"); }

}  // namespace tessera::inspect
