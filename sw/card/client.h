// A client's view of tessera-machine: one call per message of docs/reference/machine-process.md, and the accesses that
// a driver makes of them. Links no SystemC. Not for use from several threads at once. Every call throws Lost when the
// process has ended, and Refused with the process's own words when it says no.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/process/channel.h"
#include "sim/process/report.h"
#include "sw/card/errors.h"
#include "sw/card/remote_memory.h"

namespace tessera::card {

class Client {
 public:
  // Register writes that travel many in a message, in order. Those before a refused one have been made, none after it.
  // send() sends what is left; without it that is never made.
  class Writes {
   public:
    explicit Writes(Client& client) : client_(client) {}
    void write(uint32_t offset, std::span<const uint32_t> words);
    void write(uint32_t offset, uint32_t word) { write(offset, std::span(&word, 1)); }
    // Words at addresses (of memory: words) that follow each other.
    void debug_write(uint32_t tile, chip::DebugSpace space, uint32_t context, uint32_t address,
                     std::span<const uint32_t> words);
    void debug_write(uint32_t tile, chip::DebugSpace space, uint32_t context, uint32_t address, uint32_t word) {
      debug_write(tile, space, context, address, std::span(&word, 1));
    }
    void load(uint32_t tile, uint32_t address, std::span<const uint32_t> words);
    void start(uint32_t tile, uint32_t pc);
    void send();

   private:
    friend class Client;
    void select(uint32_t tile, chip::DebugSpace space, uint32_t context, uint32_t address);

    bool touches_ = false;  // what a tile that has not settled refuses
    Client& client_;
    machine::Bytes body_;
  };

  // Says hello. Throws Refused if there is no such machine or the versions differ.
  explicit Client(machine::Descriptor socket);

  const machine::Identity& identity() const { return identity_; }

  // The chip of the system that all calls below are of but for run() and reset(), which are of all chips; chip 0 at
  // first. Throws Refused if there is none of that number.
  void choose(uint32_t chip);
  uint32_t chosen() const { return chip_; }

  // Host memory that the chip may reach from now on: `bytes` from `offset` on of the file behind the descriptor (a
  // memfd). 0: none.
  void window(int descriptor, uint64_t bytes, uint64_t offset = 0);
  // The memory of the chip's gateway; none: it has no gateway. Chips of one gateway have one memory. What a run before
  // has left there, and a reset leaves, is the caller's to clear.
  std::optional<RemoteMemory> remote_memory();
  void write(uint32_t offset, std::span<const uint32_t> words);
  void write(uint32_t offset, uint32_t word) { write(offset, std::span(&word, 1)); }
  std::vector<uint32_t> read(uint32_t offset, uint32_t count);
  uint32_t read(uint32_t offset) { return read(offset, 1).at(0); }

  // Tiles through the debug registers, which takes chip time (docs/reference/edge.md). Tile chip::kNoTile: all, for
  // what writes. Throws AtWork if a tile is (tile.md, Halt, start, debug): halt() it first. What is
  // written to the debug registers without these leaves its refusal for the next of them to find.
  uint32_t debug_read(uint32_t tile, chip::DebugSpace space, uint32_t context, uint32_t address);
  void debug_write(uint32_t tile, chip::DebugSpace space, uint32_t context, uint32_t address, uint32_t word);
  void load(uint32_t tile, uint32_t address, std::span<const uint32_t> words);  // memory
  std::vector<uint32_t> peek(uint32_t tile, uint32_t address, uint32_t count);
  void start(uint32_t tile, uint32_t pc);
  // All contexts stand still afterwards, and what was under way has ended.
  void halt(uint32_t tile);
  // Whether the tile has settled, its exchange included, so that everything of it can be read and written.
  bool settled(uint32_t tile);

  // While it runs, the first Ctrl-C is the machine's to answer, if so (first_interrupt.h).
  void share_interrupts(bool on) { shares_interrupts_ = on; }
  // Until no chip moves any more: a stop for each of them, by its number. Limit and budget: chip.h.
  std::vector<chip::Stop> run(uint64_t limit, uint64_t budget);
  std::vector<machine::ExceptionReport> exceptions();
  std::vector<chip::TileWait> waits();
  chip::Counters counters();
  uint64_t memory_hash();
  void record(bool on);
  std::vector<chip::SuperstepRecord> take_record();
  void reset();
  // How the chips are shared out among replicas, from the next reset on: so many to each, from chip 0 on (0: GS2 is as
  // the system is described), and whether run() returns as soon as all chips of one wait for the host.
  void replicas(uint32_t chips, bool independent);
  // Names of the program that is about to be loaded, or already_there: that is on the chip. `info`: serialized
  // ProgramInfo.
  void program(const std::vector<uint8_t>& info, bool already_there);
  std::string failure();  // what inspection says of the last stop; before debug accesses spoil it. "": nothing
  // What it says of results that the client found wrong in `what`, on these tiles (none: on any).
  std::string failed_check(const std::string& what, const std::vector<uint32_t>& tiles);
  std::string inspect(const std::string& options);  // what its parts tell the user, "" for nothing
  void finish();

 private:
  std::vector<uint8_t> call(machine::Kind kind, const std::vector<uint8_t>& body, int descriptor = -1);
  std::vector<uint8_t> call_chip(uint32_t chip, machine::Kind kind, const std::vector<uint8_t>& body,
                                 int descriptor = -1);
  machine::Message exchange(uint32_t chip, machine::Kind kind, const std::vector<uint8_t>& body, int descriptor = -1);
  template <class T>
  T ask(machine::Kind kind, const std::vector<uint8_t>& body = {});
  template <class T>
  T ask_chip(uint32_t chip, machine::Kind kind, const std::vector<uint8_t>& body);
  void check_refused(const char* done);

  machine::Channel channel_;
  machine::Identity identity_;
  uint32_t chip_ = 0;
  bool shares_interrupts_ = false;
};

}  // namespace tessera::card
