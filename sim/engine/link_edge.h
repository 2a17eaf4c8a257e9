// What joins a chip to those beside it, a cycle at a time: docs/reference/link.md.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "rtl/spec/machine.h"
#include "rtl/spec/numbers.h"
#include "rtl/spec/words.h"

namespace tessera::chip {

class LinkEdge {
 public:
  static constexpr unsigned kLayers = spec::kLinkLayers;

  struct Word {
    bool valid = false, last = false, bad = false;
    uint8_t layer = 0;  // of a channel
    uint32_t data = 0;
    bool operator==(const Word&) const = default;
  };
  using Credits = std::array<bool, kLayers>;

  // Of one cycle.
  struct Inputs {
    std::vector<Word>
        blocks;  // what each has for other chips: the first word of a packet, or the next of one that goes
    std::vector<Word> channels;
    std::vector<Credits> credits;  // that came back, by channel
    bool hold = false;             // no packet begins a way down
  };
  struct Outputs {
    std::vector<Word> channels,
        down;                      // down: as they enter the way of each block; on the tiles' ports edge_latency later
    std::vector<Credits> credits;  // of what has left this chip's queues
    bool operator==(const Outputs&) const = default;
  };

  explicit LinkEdge(const spec::Machine&);

  // What the host tells the chip: its number in the system, and the tables.
  void set(uint32_t chip) { chip_ = chip; }

  // An entry of no channels, or of one that the chip has not, leads nowhere.
  void set(uint32_t chip, const spec::RouteEntry&);
  void set(unsigned channel, const spec::ChannelSite& site) { sites_.at(channel) = site; }

  // What is on the channels, and begins the ways down, in the present cycle.
  const Outputs& outputs() const { return state_.out; }
  // Ends it. Which blocks' words leave.
  std::vector<bool> step(const Inputs&);

  // Nothing is in it, and nothing of it is on channels or ways: time does not matter to it.
  bool idle() const { return idle_; }

  // Besides, nothing that it has sent stands in the queues of others: all but turns() is as after a reset.
  bool settled() const;
  // The source whose turn comes first, by way; and whether such are of an edge like this.
  std::vector<unsigned> turns() const;
  bool takes(std::span<const unsigned> turns) const;
  void set_turns(std::span<const unsigned> turns);

  struct Aim {
    std::optional<unsigned> way;  // none: it is forgotten
    uint8_t layer = 0;
    bool operator==(const Aim&) const = default;
  };
  struct Packet {
    Aim aim;
    std::vector<Word> words;
  };
  struct Queue {
    std::optional<Packet> coming;
    std::deque<Packet> packets;
    size_t place = 0;  // of the packet that is offered
  };
  struct Going {  // the packet that leaves a source
    Packet packet;
    size_t sent = 0;
  };
  struct Way {
    std::optional<unsigned> source;  // whose turn it is
    unsigned before = 0;             // the source behind the one that had the turn before
    std::array<unsigned, kLayers> credits{};
  };

  // What it knows between two cycles but for what the host has told it.
  struct State {
    std::vector<Queue> queues;                // of each channel and layer
    std::vector<std::optional<Aim>> blocks;   // of the packet that leaves a block
    std::vector<std::optional<Going>> going;  // from a queue
    std::vector<Way> ways;
    Outputs out;
  };
  const State& state() const { return state_; }
  void set_state(const State& state) {
    state_ = state;
    note_idle();
  }
  void reset();

 private:
  unsigned channels() const { return machine_.links * machine_.link_words; }
  unsigned sources() const { return machine_.blocks() + kLayers * channels(); }
  size_t next_place(const Queue&, const std::vector<std::array<bool, kLayers>>& open) const;
  Outputs none() const;
  void note_idle();
  Aim from_block(unsigned block, uint32_t word0) const;
  Aim from_channel(unsigned channel, uint8_t layer, uint32_t word0) const;
  Aim to_chip(const spec::RouteEntry&, unsigned index, uint8_t layer) const;

  const spec::Machine machine_;
  uint32_t chip_ = 0;
  std::vector<spec::RouteEntry> routes_;
  std::vector<spec::ChannelSite> sites_;
  State state_;
  bool idle_ = true;
};

}  // namespace tessera::chip
