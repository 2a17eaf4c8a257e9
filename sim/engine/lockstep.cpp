#include "sim/engine/lockstep.h"

#include <fmt/format.h>

#include <algorithm>

#include "rtl/spec/causes.h"
#include "rtl/spec/instructions.h"
#include "rtl/spec/register_names.h"

namespace tessera::chip {
namespace {

bool equal(const Retire& a, const Retire& b) {
  return a.cycle == b.cycle && a.context == b.context && a.pc == b.pc && a.instruction == b.instruction &&
         a.reg_write == b.reg_write &&
         (!a.reg_write || (a.reg_float == b.reg_float && a.reg == b.reg && a.reg_data == b.reg_data)) &&
         a.pair_write == b.pair_write && (!a.pair_write || a.pair_data == b.pair_data) &&
         a.base_write == b.base_write &&
         (!a.base_write || (a.base_float == b.base_float && a.base == b.base && a.base_data == b.base_data)) &&
         a.mem_write == b.mem_write &&
         (!a.mem_write ||
          (a.mem_address == b.mem_address && a.mem_data == b.mem_data && a.mem_strobe == b.mem_strobe)) &&
         a.flags == b.flags && a.exception == b.exception;
}

bool equal(const PortWrite& a, const PortWrite& b) {
  return a.packet == b.packet && a.cycle == b.cycle && a.address == b.address && a.data == b.data;
}

constexpr const char* kNothing = "nothing";

}  // namespace

std::string describe(const Retire& r) {
  std::string line = fmt::format("cycle {:>8} context {} pc {:05x}: {:08x} {}", r.cycle, r.context, r.pc, r.instruction,
                                 spec::disassemble(r.instruction, r.pc));
  if (r.reg_write) line += fmt::format("  {} = {:#x}", spec::register_name({r.reg_float, r.reg}), r.reg_data);
  if (r.pair_write)
    line += fmt::format("  {} = {:#x}", spec::register_name({true, static_cast<uint8_t>(r.reg + 1)}), r.pair_data);
  if (r.base_write) line += fmt::format("  {} = {:#x}", spec::register_name({r.base_float, r.base}), r.base_data);
  if (r.mem_write) line += fmt::format("  [{:05x}] = {:016x} strobe {:02x}", r.mem_address, r.mem_data, r.mem_strobe);
  if (r.flags) line += fmt::format("  flags {:02x}", r.flags);
  if (r.exception) line += fmt::format("  exception {}", spec::cause_name(r.exception));
  return line;
}

std::string describe(const PortWrite& w) {
  return fmt::format("cycle {:>8} {} [{:05x}] = {:08x}", w.cycle, w.packet ? "packet" : "exchange", w.address, w.data);
}

size_t Lockstep::State::bytes() const {
  size_t bytes = sizeof(State) + tiles.size() * sizeof(Tile);
  for (const Tile& tile : tiles) {
    for (const auto& records : tile.retired) bytes += records.size() * sizeof(Retire);
    for (const auto& records : tile.written) bytes += records.size() * sizeof(PortWrite);
    for (const auto& records : tile.last) bytes += records.size() * sizeof(Retire);
  }
  return bytes;
}

Lockstep::Lockstep(unsigned tiles, Names names) : names_(std::move(names)), sides_{Side(*this, 0), Side(*this, 1)} {
  state_.tiles.resize(tiles);
}

void Lockstep::Side::retire(unsigned tile, const Retire& record) {
  if (owner.differs()) return;
  owner.state_.tiles.at(tile).retired[number].push_back(record);
  owner.compare_retired(tile);
}

void Lockstep::Side::port_write(unsigned tile, const PortWrite& record) {
  if (owner.differs()) return;
  owner.state_.tiles.at(tile).written[number].push_back(record);
  owner.compare_written(tile);
}

void Lockstep::Side::superstep(uint64_t index, uint64_t) {
  owner.state_.superstep = std::max(owner.state_.superstep, index);
}

void Lockstep::compare_retired(unsigned tile) {
  auto& [left, right] = state_.tiles[tile].retired;
  while (!left.empty() && !right.empty()) {
    if (!equal(left.front(), right.front())) {
      differ(tile, &left.front(), &right.front());
      return;
    }
    auto& last = state_.tiles[tile].last[left.front().context % kContexts];
    last.push_back(left.front());
    if (last.size() > kHistory) last.pop_front();
    left.pop_front();
    right.pop_front();
    ++state_.compared;
  }
}

void Lockstep::compare_written(unsigned tile) {
  auto& [left, right] = state_.tiles[tile].written;
  while (!left.empty() && !right.empty()) {
    if (!equal(left.front(), right.front())) {
      differ(tile, &left.front(), &right.front());
      return;
    }
    left.pop_front();
    right.pop_front();
  }
}

void Lockstep::finish() {
  for (unsigned tile = 0; tile < state_.tiles.size() && !differs(); ++tile) {
    const auto& [left, right] = state_.tiles[tile].retired;
    const auto& [left_write, right_write] = state_.tiles[tile].written;
    if (!left.empty() || !right.empty())
      differ(tile, left.empty() ? nullptr : &left.front(), right.empty() ? nullptr : &right.front());
    else if (!left_write.empty() || !right_write.empty())
      differ(tile, left_write.empty() ? nullptr : &left_write.front(),
             right_write.empty() ? nullptr : &right_write.front());
  }
}

void Lockstep::differ(unsigned tile, const Retire* left, const Retire* right) {
  const Retire& first = right == nullptr || (left != nullptr && left->cycle <= right->cycle) ? *left : *right;
  differ(Difference{tile, first.context, first.pc, first.cycle, 0}, left ? describe(*left) : kNothing,
         right ? describe(*right) : kNothing);
}

void Lockstep::differ(unsigned tile, const PortWrite* left, const PortWrite* right) {
  const PortWrite& first = right == nullptr || (left != nullptr && left->cycle <= right->cycle) ? *left : *right;
  differ(Difference{tile, 0, 0, first.cycle, 0}, left ? describe(*left) : kNothing,
         right ? describe(*right) : kNothing);
}

void Lockstep::differ(const Difference& difference, const std::string& left, const std::string& right) {
  const auto [tile, context, pc, cycle, unused] = difference;
  state_.difference = difference;
  state_.difference.superstep = state_.superstep;
  const size_t width = std::max(names_.left.size(), names_.right.size());
  state_.report = fmt::format("lockstep: tile {} differs in superstep {}\n  {:<{}}  {}\n  {:<{}}  {}\n", tile,
                              state_.superstep, names_.left, width, left, names_.right, width, right);
  state_.report += history(tile, context);
}

std::string Lockstep::history(unsigned tile, unsigned context) const {
  std::string text = fmt::format("last instructions of context {} before it:\n", context);
  for (const auto& record : state_.tiles[tile].last[context % kContexts]) text += "  " + describe(record) + "\n";
  return text;
}

}  // namespace tessera::chip
