#include "program/followed_steps.h"

namespace tessera::names {

std::optional<uint32_t> FollowedSteps::table(uint32_t tile) const {
  const auto known = tables_.find(tile);
  return known == tables_.end() ? std::nullopt : std::optional(known->second);
}

const std::string& FollowedSteps::name(uint32_t tile, uint32_t pc, std::optional<uint32_t> table) const {
  const Step* step = program_.step_at(tile, pc);
  if (step == nullptr) return program_.name(0);
  if (step->calls == 0) return program_.name(step->what);
  if (const StepCall* call = table ? program_.call_of(*step, *table) : nullptr) return program_.name(call->what);
  const auto [found, made] = one_of_several_.try_emplace(step);
  if (made) found->second = program_.step_text(step, std::nullopt);
  return found->second;
}

const std::string& FollowedSteps::retire(uint32_t tile, uint32_t pc, unsigned written, uint32_t value) {
  const std::string& text = name(tile, pc, table(tile));
  if (written == kTableRegister) tables_[tile] = value;
  return text;
}

}  // namespace tessera::names
