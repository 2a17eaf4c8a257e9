// Fills ProgramInfo::names: each text once.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "program/program_info.h"

namespace tessera::names {

class NameTable {
 public:
  explicit NameTable(std::vector<std::string>& names) : names_(names) {
    for (Name n = 0; n < names.size(); ++n) known_.emplace(names[n], n);
  }

  Name of(const std::string& text) {
    const auto [at, added] = known_.emplace(text, static_cast<Name>(names_.size()));
    if (added) names_.push_back(text);
    return at->second;
  }

 private:
  std::vector<std::string>& names_;
  std::unordered_map<std::string, Name> known_;
};

}  // namespace tessera::names
