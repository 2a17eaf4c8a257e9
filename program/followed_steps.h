// Which steps the supervisors of tiles are in, told by their instructions in the order of time: code that is held once
// for several steps runs for the one that its table register says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "program/program_info.h"

namespace tessera::names {

class FollowedSteps {
 public:
  explicit FollowedSteps(const ProgramInfo& program) : program_(program) {}  // not owned

  // The next instruction of a tile's supervisor, and the integer register that it writes (0: none). Returns the name of
  // the step that it belongs to, "" for none (ProgramInfo::step_text).
  const std::string& retire(uint32_t tile, uint32_t pc, unsigned written, uint32_t value);
  // The table register of a tile that is not followed from its start.
  void stands(uint32_t tile, uint32_t table) { tables_[tile] = table; }
  // Of the supervisor's next instruction, or of one whose table nobody knows.
  const std::string& name(uint32_t tile, uint32_t pc, std::optional<uint32_t> table) const;
  std::optional<uint32_t> table(uint32_t tile) const;

 private:
  const ProgramInfo& program_;
  std::unordered_map<uint32_t, uint32_t> tables_;                        // by tile: what its table register holds
  mutable std::unordered_map<const Step*, std::string> one_of_several_;  // looked up, never walked
};

}  // namespace tessera::names
