// What conditions of breakpoints look at while the records of a run pass by: registers and memory of one tile, as far
// as they have been learnt from a stopped view, kept by the records since.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include "inspect/gdb/agent_expression.h"
#include "inspect/gdb/stops.h"
#include "sim/port/tile_port.h"

namespace tessera::inspect::gdb {

class View;

class PassingState {
 public:
  static constexpr uint32_t kBlockBytes = 256;

  // gdb's number; one of another kind than integer and float is not learnt.
  void learn_register(View& view, Thread thread, unsigned number);
  void learn_block(View& view, unsigned tile, uint32_t block);  // the address in blocks
  void apply(const chip::Retire&);
  void apply(const chip::PortWrite&);
  void forget();  // somebody else has written

  std::optional<uint64_t> integer(unsigned context, unsigned number) const;
  std::optional<uint64_t> floating(unsigned context, unsigned number) const;
  std::optional<uint64_t> memory(uint32_t address, unsigned bytes) const;

 private:
  struct Context {
    std::array<uint32_t, 32> x{};
    std::array<uint64_t, 32> f{};
    uint32_t known_x = 1, known_f = 0;
  };
  void set(unsigned context, bool is_float, unsigned number, uint64_t data);
  void write(uint32_t address, uint64_t data, uint8_t strobe);

  std::array<Context, 7> contexts_;
  std::map<uint32_t, std::array<uint8_t, kBlockBytes>> blocks_;
};

// As an instruction sees it that is about to issue. `state` null: only what never changes is known.
class PassingExpressionState : public ExpressionState {
 public:
  PassingExpressionState(const PassingState* state, Thread thread) : state_(state), thread_(thread) {}
  void at(uint32_t pc, uint64_t cycle) {
    pc_ = pc;
    cycle_ = cycle;
  }
  std::optional<uint64_t> gdb_register(unsigned number) override;
  std::optional<uint64_t> memory(uint32_t address, unsigned bytes) override;

 private:
  const PassingState* state_;
  const Thread thread_;
  std::optional<uint32_t> pc_;
  std::optional<uint64_t> cycle_;
};

}  // namespace tessera::inspect::gdb
