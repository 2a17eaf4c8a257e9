// Packets to and from the chip edge (edge.md, Packets): the words of an hsend after its grant, and the payload of read
// responses into memory. Mirrors rtl/tile's packet port.
#pragma once

#include <cstdint>

#include "sim/model/memory.h"
#include "sim/model/port_fault.h"
#include "sim/port/tile_port.h"

namespace tessera::model {

class PacketPort {
 public:
  // hsend in M; the request shows from cycle issue + 6.
  void request(uint32_t address, uint32_t words, uint64_t issue);
  bool requests_in(uint64_t cycle) const { return requested_ && cycle >= from_; }
  // The hsend is complete: the supervisor may issue in this cycle.
  bool sent(uint64_t cycle) const { return !requested_ && cycle >= done_; }
  bool sending() const { return left_ != 0 || words_out_[0].valid || words_out_[1].valid; }
  // With what is in the tile's register.
  bool receiving(const chip::TileWords& words, unsigned tile) const {
    return expected_ != 0 || (words.packet_valid && words.packet_first && is_for(words.packet_data, tile));
  }

  uint16_t awaited() const { return awaited_; }  // CSR xcount
  void set_awaited(uint16_t words) { awaited_ = words; }

  // Reads of the cycle, then its write.
  void read_port(const chip::TileInputs&, const Memory&, MemoryUse& use, PortFault&);
  void write_port(const chip::TileWords&, uint64_t cycle, unsigned tile, Memory&, MemoryUse& use, PortFault&,
                  chip::PortWrite& written);
  // End of the cycle: what the port shows in the next.
  void advance(uint64_t next_cycle, chip::TileOutputs& next) const;
  void stop();
  void except();  // ends the packet that is sent and the one that comes in; a request stays

 private:
  static bool is_for(uint32_t word, unsigned tile);

  bool requested_ = false;
  uint64_t from_ = 0, done_ = 0;
  uint32_t address_ = 0, left_ = 0, words_ = 0;
  struct Word {
    bool valid = false, last = false;
    uint32_t data = 0;
  };
  Word words_out_[2];  // read in this cycle and in the one before, which the port shows in the next
  uint16_t awaited_ = 0;
  uint16_t expected_ = 0;  // words of the packet in that are still to come, the address word among them
  bool expects_address_ = false;
  uint32_t target_ = 0;
};

}  // namespace tessera::model
