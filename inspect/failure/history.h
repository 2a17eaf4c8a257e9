// What the contexts of some tiles did, gathered while the past is replayed: their last instructions, who wrote each
// register, which vertex runs, and what the tile's exchange does.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "inspect/failure/words.h"
#include "inspect/run.h"
#include "inspect/trace/vertex_tracker.h"
#include "program/followed_steps.h"
#include "sim/port/chip.h"

namespace tessera::inspect::failure {

class History : public chip::Observer {
 public:
  static constexpr size_t kLast = 12;  // instructions kept of each context

  struct Context {
    std::deque<chip::Retire> last;                        // oldest first
    std::array<chip::Retire, 32> x_writer{}, f_writer{};  // valid: false while nothing has been seen
    std::map<uint32_t, uint64_t> counts;                  // instructions by pc
    uint64_t launched = 0;                                // cycle of the run that started the worker; 0: not seen
  };
  struct Transfer {  // a word on a port
    uint64_t cycle = 0;
    uint32_t data = 0;
    unsigned source = chip::kNoTile;  // of received words
  };
  struct Exchange {      // of one xarm
    uint32_t list = 0;   // address given to the last xarm
    uint64_t armed = 0;  // its cycle; 0: none seen
    uint64_t started = 0, ended = 0;
    bool running = false;
    unsigned selected = chip::kNoTile;
    uint64_t selected_at = 0;
    uint64_t words_sent = 0;
    std::deque<Transfer> sent, received;  // the last of them
  };
  struct Tile {
    std::array<Context, 7> contexts;
    Exchange exchange, exchange_before;  // of the last xarm, and of the one before it
    chip::ExceptionStatus exception;
    std::string step;  // that the supervisor is in
  };

  // The program is not owned. Tiles: those to watch.
  History(const names::ProgramInfo& program, unsigned machine_tiles, const std::vector<unsigned>& tiles);

  // Brings the run to where its replay is to begin, and looks at what only instructions before that would tell.
  void begin(Run& run, uint64_t cycle);

  const Tile& tile(unsigned id) const { return tiles_.at(id); }
  // The step that the supervisor is in, from its last instruction that belongs to one; "" when none is known.
  const std::string& step(unsigned tile) const { return tiles_.at(tile).step; }
  // The vertex that a context is in, null when it is in none or it was not seen to enter it.
  const names::Vertex* vertex(unsigned tile, unsigned context) const { return tracker_.running(tile, context).vertex; }
  const trace::RunningVertex& running(unsigned tile, unsigned context) const { return tracker_.running(tile, context); }

  bool wants(unsigned tile) const override { return tiles_.count(tile) != 0; }
  void retire(unsigned tile, const chip::Retire& record) override;
  void sent(unsigned tile, uint64_t cycle, uint32_t data) override;
  void received(unsigned tile, uint64_t cycle, unsigned source, uint32_t data) override;
  void selected(unsigned tile, uint64_t cycle, unsigned source) override;
  void exchanging(unsigned tile, uint64_t cycle, bool on) override;
  void excepted(unsigned tile, const chip::ExceptionStatus& status) override;

 private:
  const names::ProgramInfo& program_;
  std::map<unsigned, Tile> tiles_;
  trace::VertexTracker tracker_;
  names::FollowedSteps steps_;
};

// Who wrote a word of a tile's memory last.
class WriteWatch : public chip::Observer {
 public:
  WriteWatch(const names::ProgramInfo& program, unsigned machine_tiles, unsigned tile, uint32_t address)
      : tile_(tile), address_(address & ~3u), tracker_(program, machine_tiles) {}

  enum class By : uint8_t { kNobody, kInstruction, kExchange, kPacket };
  By by = By::kNobody;
  chip::Retire record;                    // kInstruction
  const names::Vertex* vertex = nullptr;  // that it ran
  uint64_t cycle = 0;
  unsigned source = chip::kNoTile;  // kExchange

  bool wants(unsigned tile) const override { return tile == tile_; }
  void retire(unsigned tile, const chip::Retire& record) override;
  void port_write(unsigned tile, const chip::PortWrite& write) override;
  void received(unsigned tile, uint64_t cycle, unsigned source, uint32_t data) override;

 private:
  unsigned tile_;
  uint32_t address_;
  unsigned last_source_ = chip::kNoTile;
  trace::VertexTracker tracker_;
};

}  // namespace tessera::inspect::failure
