// Firmware on a machine of one's own, seen from the host: load, start, run from stop to stop, answer host syncs, read
// and write tiles through the debug port. `tessera run` is made of it, and so is a host program of one's own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rtl/spec/machine.h"
#include "sw/card/card.h"
#include "sw/card/errors.h"
#include "sw/card/host_window.h"
#include "sw/card/printed.h"
#include "sw/firmware/host/elf_image.h"

namespace tessera::firmware {

struct BoardOptions {
  std::string machine = "mk2-16";  // a machine, or a system of one chip, by name or .toml path
  std::string backend = "rtl";     // rtl, model, lockstep
  std::string inspect;             // docs/reference/inspection.md
  uint64_t host_memory = 0;        // bytes that packets may reach
  // Is given what inspection tells the user: at which port a debugger is served. None: nothing is said.
  std::function<void(const std::string& line)> notice = nullptr;
};

// Every call throws card::Lost when the machine's process ends meanwhile, and card::Refused when it says no.
class Board {
 public:
  // Starts the machine. Throws std::runtime_error when there is none such.
  explicit Board(const BoardOptions& options);

  const spec::Machine& machine() const { return machine_; }
  card::Client& client() { return card_.client(); }
  std::span<std::byte> host_memory() { return memory_ ? memory_->bytes() : std::span<std::byte>(); }

  // What tiles print, whole printfs, in order of tiles and contexts at each stop. context: 0 supervisor, 1..6 workers.
  std::function<void(unsigned tile, unsigned context, std::string_view text)> on_print;
  // printfs that found no room in the buffer of their context.
  std::function<void(unsigned tile, unsigned context, uint32_t lost, uint32_t buffer_words)> on_lost;

  // Resets the chip, and puts the program on these tiles; start() then lets them begin. Throws BadFirmware.
  // `more`: programs that this one brings to the tiles itself: what they print, and their ends, are understood.
  void load(const ElfImage& image, const std::vector<unsigned>& tiles, const std::vector<ElfImage>& more = {});
  void start();

  // Runs to the next stop, cycle `limit` at the latest, and then gives out what was printed. budget: of one compute
  // phase, 0: none.
  chip::Stop run(uint64_t limit, uint64_t budget);
  // Answers a host sync with its number, from 1, in 16 bits, never 0.
  void answer();

  // Whether all loaded tiles have ended their program; their exit codes, in order of tiles.
  bool finished();
  struct TileEnd {
    unsigned tile = 0;
    int32_t code = 0;
  };
  const std::vector<TileEnd>& ends() const { return ends_; }

  // The tile's debug port. It takes chip time (docs/reference/edge.md) and wants the chip stopped; a tile at work
  // refuses (card::AtWork) until it is halted, as run() leaves it at a limit.
  uint32_t read(unsigned tile, chip::DebugSpace space, unsigned context, uint32_t address);
  void write(unsigned tile, chip::DebugSpace space, unsigned context, uint32_t address, uint32_t value);
  uint32_t word(unsigned tile, const std::string& symbol, uint32_t offset = 0);
  void set_word(unsigned tile, const std::string& symbol, uint32_t value, uint32_t offset = 0);
  // Starts the tile's supervisor at an address; what it was doing, a pending exception included, ends. Registers stay.
  void restart(unsigned tile, uint32_t pc);
  uint32_t address_of(const std::string& symbol) const;  // of the loaded program; throws BadFirmware

  // Where the tiles stood when the last run ended at its limit: "tiles 0-3 computing in main", a line a group.
  const std::vector<std::string>& standing() const { return standing_; }
  // The last stop, neither host sync nor limit, in words: one line, or more under inspection.
  std::string explain(const chip::Stop& stop);
  // Inspection leaves its files. Throws when they are not whole.
  void finish();

 private:
  class Places;
  void tell_what_was_said();
  bool waits_for_end(card::Client& client);
  void look(card::Client& client, const ElfImage& image, unsigned tile);

  spec::Machine machine_;
  card::Card card_;
  std::unique_ptr<card::HostWindow> memory_;
  std::vector<ElfImage> images_;  // the loaded one first
  std::vector<unsigned> tiles_;
  std::vector<TileEnd> ends_;
  std::vector<card::Printed> said_;  // not told yet
  uint32_t host_syncs_ = 0;
  uint64_t budget_ = 0;  // of the last run
  bool inspected_ = false;
  std::vector<std::string> standing_;
  std::string failure_;  // what inspection said of the last stop
};

}  // namespace tessera::firmware
