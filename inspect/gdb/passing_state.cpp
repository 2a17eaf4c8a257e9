#include "inspect/gdb/passing_state.h"

#include "inspect/frozen_view.h"
#include "inspect/gdb/registers.h"
#include "rtl/spec/instructions.h"

namespace tessera::inspect::gdb {

void PassingState::learn_register(View& view, Thread thread, unsigned number) {
  if (number >= registers().size()) return;
  const Register& r = registers()[number];
  if (r.kind != Register::Kind::kInteger && r.kind != Register::Kind::kFloat) return;
  if (const auto value = read_register(view, r, thread))
    set(thread.context, r.kind == Register::Kind::kFloat, r.number, *value);
}

void PassingState::learn_block(View& view, unsigned tile, uint32_t block) {
  view.read(tile, block * kBlockBytes, blocks_[block]);
}

void PassingState::set(unsigned context, bool is_float, unsigned number, uint64_t data) {
  Context& c = contexts_[context];
  if (is_float) {
    c.f[number] = data;
    c.known_f |= 1u << number;
  } else if (number != 0) {
    c.x[number] = static_cast<uint32_t>(data);
    c.known_x |= 1u << number;
  }
}

void PassingState::apply(const chip::Retire& r) {
  if (r.base_write) set(r.context, r.base_float, r.base, r.base_data);
  if (r.reg_write) set(r.context, r.reg_float, r.reg, r.reg_data);
  if (r.pair_write) set(r.context, true, (r.reg + 1u) & 31, r.pair_data);
  if (r.mem_write) write(r.mem_address, r.mem_data, r.mem_strobe);
}

void PassingState::apply(const chip::PortWrite& w) {
  const unsigned lane = w.address & 4;
  write(w.address & ~7u, uint64_t{w.data} << (8 * lane), static_cast<uint8_t>(0xf << lane));
}

void PassingState::forget() {
  contexts_ = {};
  blocks_.clear();
}

void PassingState::write(uint32_t address, uint64_t data, uint8_t strobe) {
  if (blocks_.empty()) return;
  const auto block = blocks_.find(address / kBlockBytes);
  if (block == blocks_.end()) return;
  for (unsigned lane = 0; lane < 8; ++lane)
    if (strobe >> lane & 1) block->second[address % kBlockBytes + lane] = static_cast<uint8_t>(data >> (8 * lane));
}

std::optional<uint64_t> PassingState::integer(unsigned context, unsigned number) const {
  const Context& c = contexts_[context];
  return c.known_x >> number & 1 ? std::optional<uint64_t>(c.x[number]) : std::nullopt;
}

std::optional<uint64_t> PassingState::floating(unsigned context, unsigned number) const {
  const Context& c = contexts_[context];
  return c.known_f >> number & 1 ? std::optional(c.f[number]) : std::nullopt;
}

std::optional<uint64_t> PassingState::memory(uint32_t address, unsigned bytes) const {
  uint64_t value = 0;
  for (unsigned n = 0; n < bytes; ++n) {
    const auto block = blocks_.find((address + n) / kBlockBytes);
    if (block == blocks_.end()) return std::nullopt;
    value |= uint64_t{block->second[(address + n) % kBlockBytes]} << (8 * n);
  }
  return value;
}

std::optional<uint64_t> PassingExpressionState::gdb_register(unsigned number) {
  if (number >= registers().size()) return std::nullopt;
  const Register& r = registers()[number];
  switch (r.kind) {
    case Register::Kind::kInteger:
      if (r.number == 0) return 0;
      return state_ != nullptr ? state_->integer(thread_.context, r.number) : std::nullopt;
    case Register::Kind::kPc:
      return pc_;
    case Register::Kind::kFloat:
      return state_ != nullptr ? state_->floating(thread_.context, r.number) : std::nullopt;
    case Register::Kind::kCsr:
      switch (static_cast<spec::Csr>(r.number)) {
        case spec::Csr::Xtile:
          return thread_.tile;
        case spec::Csr::Xwid:
          return thread_.context == 0 ? 6 : thread_.context - 1;
        case spec::Csr::Cycle:
          return cycle_ ? std::optional<uint64_t>(static_cast<uint32_t>(*cycle_)) : std::nullopt;
        case spec::Csr::Cycleh:
          return cycle_ ? std::optional<uint64_t>(*cycle_ >> 32) : std::nullopt;
        default:
          return std::nullopt;
      }
    case Register::Kind::kVector:
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<uint64_t> PassingExpressionState::memory(uint32_t address, unsigned bytes) {
  return state_ != nullptr ? state_->memory(address, bytes) : std::nullopt;
}

}  // namespace tessera::inspect::gdb
