// Watches what vertices do to memory: loads of what nobody has written, and accesses of what is not theirs. Sees every
// instruction of every tile, so compiled and assembly code alike are watched, and neither needs anything compiled in.
//
// A value that was never written may be moved: what copies it (the control code, the compiler's own copies) writes
// nothing in this sense. What arrives by exchange or from the host counts as written.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "inspect/check/own_memory.h"
#include "inspect/check/written_bytes.h"
#include "inspect/read_addresses.h"
#include "inspect/trace/vertex_tracker.h"
#include "sim/port/chip.h"

namespace tessera::inspect::check {

struct Finding {
  enum class What : uint8_t { kUnwritten, kForeign };
  What what = What::kUnwritten;
  unsigned tile = 0;
  bool store = false;
  uint32_t address = 0, bytes = 0;
  chip::Retire record;
  const names::Vertex* vertex = nullptr;
};

class MemoryWatch : public chip::Observer {
 public:
  explicit MemoryWatch(const spec::Machine& machine);

  // A chip that was reset, about to be loaded with this program. It is not owned.
  void begin(const names::ProgramInfo& program);
  // The earliest, of all that was seen.
  const std::optional<Finding>& first() const { return first_; }

  void retire(unsigned tile, const chip::Retire&) override;
  void port_write(unsigned tile, const chip::PortWrite&) override;
  void debug_written(unsigned tile, uint64_t cycle, chip::DebugSpace, unsigned context, uint32_t address,
                     uint32_t data) override;
  void loaded(unsigned tile, uint64_t cycle, uint32_t address, std::span<const uint32_t> words) override;

 private:
  struct Context {
    uint32_t stack_pointer = 0;
    uint32_t unwritten_x = 0, unwritten_f = 0;  // registers that hold what nobody wrote
  };
  struct Tile {
    std::array<Context, 7> contexts;
    RegisterShadow registers;
    bool settled = false;  // it is loaded
  };
  void note(Finding);
  void settle(unsigned tile);
  void mark(unsigned tile, uint32_t address, uint32_t bytes);
  bool moves_unwritten(const Context&, const chip::Retire&) const;

  const spec::Machine& machine_;
  WrittenBytes written_;
  std::vector<Tile> tiles_;
  const names::ProgramInfo* program_ = nullptr;
  std::unique_ptr<OwnMemory> own_;
  std::unique_ptr<trace::VertexTracker> tracker_;
  std::optional<Finding> first_;
};

}  // namespace tessera::inspect::check
