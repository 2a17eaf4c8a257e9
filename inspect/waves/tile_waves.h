// The signals of one tile, made of what the tile told an observer. Everything of an instruction stands at its issue
// cycle, everything of a port in the cycle of the port.
#pragma once

#include <array>
#include <cstdint>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "inspect/trace/vertex_tracker.h"
#include "inspect/waves/instruction_names.h"
#include "inspect/waves/packet_words.h"
#include "inspect/waves/places.h"
#include "inspect/waves/signals.h"
#include "program/followed_steps.h"
#include "sim/port/chip.h"

namespace tessera::inspect::waves {

struct Change {
  uint64_t cycle;
  uint64_t value;       // of a text signal: its number
  uint32_t signal;      // of the tile
  uint16_t tile;        // place of the tile among those shown
  NumberFormat number;  // the value is a register to be written as number_text(); kNone: it is not
};

class TileWaves {
 public:
  // What all tiles of a wave have in common.
  struct Shared {
    const names::ProgramInfo& program;
    Texts texts;
    InstructionTexts instructions;
    trace::VertexTracker vertices;
    names::FollowedSteps steps;
    Shared(const names::ProgramInfo& p, unsigned tiles)
        : program(p), instructions(p, texts), vertices(p, tiles), steps(p) {}
  };

  TileWaves(Shared&, unsigned tile, unsigned place);
  TileWaves(const TileWaves&) = delete;
  TileWaves& operator=(const TileWaves&) = delete;

  // Events, in any order within what is handed over by one flush().
  void retire(const chip::Retire& record) { retires_.push_back(record); }
  void port_write(const chip::PortWrite& write) {
    add({write.cycle, write.address, write.data, Port::kWrite, write.packet});
  }
  void sent(uint64_t cycle, uint32_t data) { add({cycle, data, 0, Port::kSent, 0}); }
  void received(uint64_t cycle, unsigned source) { add({cycle, source, 0, Port::kReceived, 0}); }
  void selected(uint64_t cycle, unsigned source) { add({cycle, source, 0, Port::kSelected, 0}); }
  void exchanging(uint64_t cycle, bool on) { add({cycle, on, 0, Port::kExchanging, 0}); }
  void sync_request(uint64_t cycle, uint8_t zone, bool value) { add({cycle, zone, value, Port::kSyncRequest, 0}); }
  void sync_acknowledge(uint64_t cycle, uint8_t zone, bool consensus, uint16_t mark) {
    add({cycle, consensus, mark, Port::kSyncAcknowledge, zone});
  }
  void packet_request(uint64_t cycle) { add({cycle, 0, 0, Port::kPacketRequest, 0}); }
  void packet_out(uint64_t cycle, uint32_t data, bool last) { add({cycle, data, 0, Port::kPacketOut, last}); }
  void packet_in(uint64_t cycle, uint32_t data, bool first) { add({cycle, data, 0, Port::kPacketIn, first}); }
  void excepted(const chip::ExceptionStatus&);
  void control_written(uint64_t cycle, uint32_t address) { add({cycle, address, 0, Port::kControl, 0}); }

  size_t held_back() const { return retires_.size() + ports_.size(); }

  // What the tile is doing, where nothing was heard of it before.
  void stands(const chip::TileWait&);
  // Makes signals of all events before `until`; changes from `begin` to `end` are appended to `changes`, in order.
  // At `begin` that is every signal's value.
  void flush(uint64_t until, uint64_t begin, uint64_t end, std::vector<Change>& changes);
  // Steps of the supervisor in the order in which it came to them since the last call; numbers of Texts.
  std::vector<uint32_t> take_steps() { return std::exchange(steps_, {}); }

 private:
  enum class Port : uint8_t {  // the order within a cycle; what retires comes after kActive
    kControl,
    kSyncAcknowledge,
    kInactive,
    kActive,
    kSelected,
    kExchanging,
    kSyncRequest,
    kWaiting,
    kPacketRequest,
    kSent,
    kReceived,
    kWrite,
    kPacketOut,
    kPacketIn,
    kExcepted,
    kFalls,
  };
  struct PortEvent {
    uint64_t cycle;
    uint32_t a, b;
    Port port;
    uint8_t flag;
  };
  struct Later {
    bool operator()(const PortEvent& x, const PortEvent& y) const {
      return std::tie(x.cycle, x.port, x.a) > std::tie(y.cycle, y.port, y.a);
    }
  };

  void add(const PortEvent& event) { ports_.push_back(event); }
  void show(const chip::Retire&);
  void show(const PortEvent&);
  void show_vertex(const chip::Retire&);
  void show_registers(const chip::Retire&, const InstructionNames&);
  void show_store(const chip::Retire&);
  void show_control(const chip::Retire&);  // launches, exits, waits
  void show_exception(const chip::ExceptionStatus&);
  void show_state();
  void set(TileSignal signal, uint64_t value) { set(number_of(signal), value); }
  void set(unsigned signal, uint64_t value, NumberFormat number = NumberFormat::kNone);
  void pulse(TileSignal signal, uint64_t value = 1);  // falls to 0 in the next cycle
  void show_all();
  uint32_t place(uint32_t address, const names::Vertex* by = nullptr) {
    return shared_.texts.add(places_.at(address, by));
  }

  Shared& shared_;
  const unsigned tile_;
  const uint16_t place_;
  Places places_;  // out_ and in_ refer to it
  PacketWords out_, in_;

  std::vector<chip::Retire> retires_;
  std::vector<PortEvent> ports_;
  std::vector<chip::ExceptionStatus> exceptions_;
  std::priority_queue<PortEvent, std::vector<PortEvent>, Later> later_;
  std::vector<uint32_t> steps_;

  // While flushing.
  uint64_t cycle_ = 0, begin_ = 0, end_ = 0;
  bool begun_ = false;  // the window
  std::vector<Change>* changes_ = nullptr;

  std::array<uint64_t, kSignalsOfTile> now_{};
  std::array<NumberFormat, kSignalsOfTile> formats_{};
  std::array<uint64_t, kTileSignals> pulsed_{};   // cycle + 1 of the last pulse
  std::array<NumberFormat, kContexts> packed_{};  // how the context last computed with packed values
  bool halted_ = true, excepted_ = false, exchanging_ = false, sending_ = false;
  bool first_out_ = true;       // the next word out begins a packet
  bool automatic_ = false;      // the request is that of an automatic sync
  int zone_ = -1;               // the supervisor waits there
  uint64_t supervisor_at_ = 0;  // its last issue
  uint8_t active_ = 0;
  unsigned source_ = 0;  // of the word on the exchange input
  uint64_t source_at_ = 0;
};

}  // namespace tessera::inspect::waves
