#include "sw/firmware/host/board.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "inspect/tile_groups.h"
#include "rtl/spec/registers.h"
#include "rtl/spec/system.h"
#include "sw/card/printed.h"
#include "sw/card/stop_text.h"
#include "sw/device/include/tessera/print_layout.h"
#include "sw/firmware/host/firmware_names.h"

namespace tessera::firmware {
namespace {

constexpr uint32_t kFinished = 0xffu << 8 * offsetof(tessera_attention, finished);  // of the first word
constexpr size_t kMostExceptions = 8;                                               // told one by one

// The tiles to write to, one by one or all at once.
std::vector<unsigned> all_as_one(const std::vector<unsigned>& tiles, const spec::Machine& machine) {
  return tiles.size() == machine.tiles() ? std::vector<unsigned>{chip::kNoTile} : tiles;
}

}  // namespace

// What is known of the loaded programs and their tiles.
class Board::Places : public card::ProgramPlaces {
 public:
  explicit Places(const Board& board) : board_(board) {}

  std::string function(uint32_t pc) const override {
    for (const ElfImage& image : board_.images_)
      if (const ElfSymbol* symbol = image.symbol_at(pc); symbol != nullptr) return symbol->name;
    return "";
  }
  std::string doing(const chip::TileWait& wait) const override {
    const std::string no_more = out_of_run(wait);
    return no_more.empty() ? wait.state + ", " + card::place_text(*this, wait.supervisor_pc) : no_more;
  }
  // The same without the pc, in which tiles that compute differ.
  std::string standing(const chip::TileWait& wait) const {
    const std::string no_more = out_of_run(wait), name = function(wait.supervisor_pc);
    if (!no_more.empty()) return no_more;
    return name.empty() ? wait.state : wait.state + " in " + name;
  }
  std::string budget_advice() const override {
    return "an endless loop, or raise the budget (tessera run --budget, Board::run); 0 takes the limit away";
  }

 private:
  std::string out_of_run(const chip::TileWait& wait) const {
    if (!std::binary_search(board_.tiles_.begin(), board_.tiles_.end(), wait.tile))
      return "never started (--tiles), and syncs are of all tiles";
    for (const TileEnd& end : board_.ends_)
      if (end.tile == wait.tile) return "ended the program";
    return "";
  }

  const Board& board_;
};

Board::Board(const BoardOptions& options)
    : machine_(spec::load_runnable(options.machine)),
      card_({.machine = options.machine,
             .backend = options.backend,
             .inspect = options.inspect,
             .inspect_over = nullptr,
             .notice = options.notice}),
      inspected_(!options.inspect.empty()) {
  if (options.host_memory != 0) memory_ = std::make_unique<card::HostWindow>(options.host_memory);
  card_.start();
}

void Board::load(const ElfImage& image, const std::vector<unsigned>& tiles, const std::vector<ElfImage>& more) {
  images_ = {image};
  images_.insert(images_.end(), more.begin(), more.end());
  for (const ElfImage& one : images_) check_fits(one, machine_);
  tiles_ = tiles;
  ends_.clear();
  host_syncs_ = 0;
  card_.use("loading firmware", [&](card::Client& client) {
    client.reset();
    if (memory_) client.window(memory_->descriptor(), memory_->bytes().size());
    if (inspected_) client.program(names::serialize(firmware_names(images_, tiles_, machine_)), false);
    card::Client::Writes writes(client);
    for (unsigned tile : all_as_one(tiles_, machine_))
      for (const Segment& segment : images_.front().segments)
        if (!segment.words.empty()) writes.load(tile, segment.address, segment.words);  // memory is zero after reset
    writes.send();
  });
}

void Board::start() {
  card_.use("starting the tiles", [&](card::Client& client) {
    card::Client::Writes writes(client);
    for (unsigned tile : all_as_one(tiles_, machine_)) writes.start(tile, images_.front().entry);
    writes.send();
  });
}

void Board::restart(unsigned tile, uint32_t pc) {
  card_.use("starting a tile", [&](card::Client& client) { client.start(tile, pc); });
}

// Whether all loaded tiles wait for a host sync that cannot come, since others were never started: how a program on
// some of the tiles ends.
bool Board::waits_for_end(card::Client& client) {
  if (tiles_.size() == machine_.tiles()) return false;
  const std::vector<chip::TileWait> waits = client.waits();
  return std::all_of(waits.begin(), waits.end(), [&](const chip::TileWait& wait) {
    return !std::binary_search(tiles_.begin(), tiles_.end(), wait.tile) || wait.state == "waits at host sync";
  });
}

chip::Stop Board::run(uint64_t limit, uint64_t budget) {
  using chip::StopReason;
  chip::Stop stop;
  const auto body = [&](card::Client& client) {
    budget_ = budget;
    stop = client.run(limit, budget).front();
    failure_.clear();
    const bool failed = stop.reason != StopReason::kHostSync && stop.reason != StopReason::kLimit &&
                        !(stop.reason == StopReason::kDeadlock && waits_for_end(client));
    // Before debug accesses change what inspection looks at.
    if (failed && inspected_) failure_ = card::advised(client.failure(), Places(*this), stop);
    auto waits = stop.reason == StopReason::kLimit ? client.waits() : std::vector<chip::TileWait>();
    // A tile that computes has to stand still before it can be read; its run is over in any case.
    if (stop.reason == StopReason::kBudget || stop.reason == StopReason::kLimit) client.halt(chip::kNoTile);
    // Within a jump the pc is no instruction's yet.
    if (!waits.empty())
      for (const chip::TileWait& halted : client.waits()) waits.at(halted.tile).supervisor_pc = halted.supervisor_pc;
    ends_.clear();
    for (unsigned tile : tiles_)
      for (const ElfImage& image : images_) look(client, image, tile);
    standing_.clear();
    for (const auto& group :
         inspect::group_tiles(waits, [&](const auto& wait) { return Places(*this).standing(wait); }))
      standing_.push_back(inspect::text(group));
  };
  try {
    card_.use("running firmware", body);
  } catch (const card::Error&) {
    tell_what_was_said();
    throw;
  }
  tell_what_was_said();
  return stop;
}

// When the card is free again, so that whoever listens may use the board.
void Board::tell_what_was_said() {
  for (const card::Printed& said : std::exchange(said_, {})) {
    if (said.lost == 0 && on_print) on_print(said.tile, said.context, said.text);
    if (said.lost != 0 && on_lost) on_lost(said.tile, said.context, said.lost, said.buffer_words);
  }
}

void Board::finish() {
  if (inspected_) card_.finish_files();
}

void Board::answer() {
  host_syncs_ = host_syncs_ % 0xffff + 1;
  card_.use("answering a host sync", [&](card::Client& client) { client.write(spec::kRegMark, host_syncs_); });
}

bool Board::finished() { return !tiles_.empty() && ends_.size() == tiles_.size(); }

void Board::look(card::Client& client, const ElfImage& image, unsigned tile) {
  const ElfSymbol* attention = image.symbol(card::kAttentionSymbol);
  if (attention == nullptr) return;  // firmware with start code of its own
  card::PrintPlaces places{.attention = attention->address,
                           .memory_begin = machine_.memory_base,
                           .memory_end = machine_.memory_end(),
                           .constant_text = [&](uint32_t address) { return image.constant_text(address); }};
  if (const ElfSymbol* buffers = image.symbol(card::kPrintBuffersSymbol); buffers != nullptr)
    places.buffers = buffers->address, places.buffers_bytes = buffers->bytes;
  if (const Section* formats = image.section(card::kFormatsSection); formats != nullptr) places.formats = formats->data;
  const uint32_t word = card::read_attention(client, places, tile);
  if ((word & kFinished) != 0 && (ends_.empty() || ends_.back().tile != tile))
    ends_.push_back({tile, static_cast<int32_t>(
                               client.peek(tile, attention->address + offsetof(tessera_attention, code), 1).at(0))});
  card::take_printed(client, places, tile, word, said_);
}

uint32_t Board::read(unsigned tile, chip::DebugSpace space, unsigned context, uint32_t address) {
  uint32_t value = 0;
  card_.use("reading a tile", [&](card::Client& client) { value = client.debug_read(tile, space, context, address); });
  return value;
}

void Board::write(unsigned tile, chip::DebugSpace space, unsigned context, uint32_t address, uint32_t value) {
  card_.use("writing a tile", [&](card::Client& client) { client.debug_write(tile, space, context, address, value); });
}

uint32_t Board::address_of(const std::string& symbol) const {
  if (images_.empty()) throw BadFirmware("no firmware is loaded");
  const ElfSymbol* found = images_.front().symbol(symbol);
  if (found == nullptr) throw BadFirmware(images_.front().path + " has no symbol '" + symbol + "'");
  return found->address;
}

uint32_t Board::word(unsigned tile, const std::string& symbol, uint32_t offset) {
  return read(tile, chip::DebugSpace::kMemory, 0, address_of(symbol) + offset);
}

void Board::set_word(unsigned tile, const std::string& symbol, uint32_t value, uint32_t offset) {
  write(tile, chip::DebugSpace::kMemory, 0, address_of(symbol) + offset, value);
}

std::string Board::explain(const chip::Stop& stop) {
  std::string text = failure_;
  if (text.empty())
    card_.use("looking at the stop", [&](card::Client& client) {
      text = card::stop_text(client, Places(*this), stop, budget_, kMostExceptions);
    });
  return text;
}

}  // namespace tessera::firmware
