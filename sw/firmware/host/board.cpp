#include "sw/firmware/host/board.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "inspect/options.h"
#include "rtl/spec/causes.h"
#include "rtl/spec/registers.h"
#include "sw/firmware/host/firmware_names.h"
#include "sw/firmware/host/print_format.h"

namespace tessera::firmware {
namespace {

constexpr unsigned kContexts = 7;
constexpr const char* kAttention = "tessera_attention";
constexpr const char* kBuffers = "tessera_print_buffers";
constexpr const char* kFormats = ".tessera.formats";
constexpr uint32_t kPrinted = 0xff, kFinished = 0xff00;  // of the attention word
constexpr uint32_t kBufferHead = 2;                      // words: used, lost
constexpr size_t kMostText = 1024;                       // of a %s
constexpr int kDrainReads = 4;                           // of four cycles each: longer than a pipeline
constexpr size_t kMostTold = 8;                          // tiles told one by one

std::string context_name(unsigned context) {
  return context == 0 ? std::string("supervisor") : fmt::format("worker {}", context - 1);
}

std::string tile_list(const std::vector<unsigned>& tiles) {
  std::string text = tiles.size() == 1 ? "tile" : "tiles";
  for (size_t i = 0; i < tiles.size() && i < kMostTold; ++i) text += fmt::format(" {}", tiles[i]);
  return tiles.size() > kMostTold ? text + fmt::format(" and {} more", tiles.size() - kMostTold) : text;
}

}  // namespace

Board::Board(const BoardOptions& options) : machine_(spec::load_machine(options.machine)) {
  inspected_ = !options.inspect.empty();
  const std::vector<std::string> more =
      inspected_ ? std::vector<std::string>{"--inspect", options.inspect} : std::vector<std::string>();
  const inspect::Options asked = inspect::parse_options(options.inspect);
  if (asked.wave_all_signals && options.backend != "rtl")
    throw std::runtime_error("waves of all signals show the RTL; this machine is run by the " + options.backend);
  // Every signal needs tiles that were built to tell them.
  const std::string held = asked.wave_all_signals ? "waves" : options.backend;
  process_ = std::make_unique<machine::Process>(machine::find_machine(held), options.machine, options.backend, more);
  client_ = std::make_unique<machine::Client>(process_->take_socket());
  if (options.host_memory != 0) {
    memory_ = std::make_unique<HostMemory>(options.host_memory);
    client_->window(memory_->descriptor(), memory_->bytes().size());
  }
}

Board::~Board() {
  client_.reset();  // the process ends when its socket closes, and then it is reaped
}

void Board::load(const ElfImage& image, const std::vector<unsigned>& tiles, const std::vector<ElfImage>& more) {
  images_ = {image};
  images_.insert(images_.end(), more.begin(), more.end());
  for (const ElfImage& one : images_) check_fits(one, machine_);
  tiles_ = tiles;
  ends_.clear();
  host_syncs_ = 0;
  client_->reset();
  if (inspected_) client_->program(inspect::serialize(firmware_names(images_, tiles_, machine_)), false);
  const bool all = tiles_.size() == machine_.tiles();
  for (const Segment& segment : images_.front().segments) {
    if (segment.words.empty()) continue;  // memory is zero after reset
    if (all) {
      client_->load(chip::kNoTile, segment.address, segment.words);
    } else {
      for (unsigned tile : tiles_) client_->load(tile, segment.address, segment.words);
    }
  }
}

void Board::start() {
  if (tiles_.size() == machine_.tiles()) {
    client_->start(chip::kNoTile, images_.front().entry);
  } else {
    for (unsigned tile : tiles_) client_->start(tile, images_.front().entry);
  }
}

// Whether all loaded tiles wait for a host sync that cannot come, since others were never started: how a program on
// some of the tiles ends.
bool Board::waits_for_end() {
  if (tiles_.size() == machine_.tiles()) return false;
  const std::vector<chip::TileWait> waits = client_->waits();
  return std::all_of(waits.begin(), waits.end(), [&](const chip::TileWait& wait) {
    return !std::binary_search(tiles_.begin(), tiles_.end(), wait.tile) || wait.state == "waits at host sync";
  });
}

chip::Stop Board::run(uint64_t limit, uint64_t budget) {
  using chip::StopReason;
  const chip::Stop stop = client_->run(limit, budget);
  failure_.clear();
  const bool failed = stop.reason != StopReason::kHostSync && stop.reason != StopReason::kLimit &&
                      !(stop.reason == StopReason::kDeadlock && waits_for_end());
  // Before debug accesses change what inspection looks at.
  if (failed && inspected_) failure_ = client_->failure();
  // A tile that computes has to stand still before it can be read; its run is over in any case.
  if (stop.reason == StopReason::kBudget || stop.reason == StopReason::kLimit) halt_all();
  ends_.clear();
  for (unsigned tile : tiles_)
    for (const ElfImage& image : images_) look(image, tile);
  return stop;
}

void Board::finish() {
  if (inspected_) client_->finish();
}

void Board::halt_all() {
  for (unsigned context = 0; context < kContexts; ++context)
    write(chip::kNoTile, chip::DebugSpace::kControl, context, pcie::kControlHalt, 1);
  for (int i = 0; i < kDrainReads; ++i) read(0, chip::DebugSpace::kControl, 0, pcie::kControlPc);
}

void Board::answer() {
  host_syncs_ = host_syncs_ % 0xffff + 1;
  client_->write(pcie::kMark, host_syncs_);
}

bool Board::finished() { return !tiles_.empty() && ends_.size() == tiles_.size(); }

void Board::look(const ElfImage& image, unsigned tile) {
  const ElfSymbol* attention = image.symbol(kAttention);
  if (attention == nullptr) return;  // firmware with start code of its own
  const uint32_t word = client_->peek(tile, attention->address, 1).at(0);
  if ((word & kFinished) != 0 && (ends_.empty() || ends_.back().tile != tile))
    ends_.push_back({tile, static_cast<int32_t>(client_->peek(tile, attention->address + 4, 1).at(0))});
  const ElfSymbol* buffers = image.symbol(kBuffers);
  if ((word & kPrinted) == 0 || buffers == nullptr) return;
  const uint32_t bytes = buffers->bytes / kContexts;
  for (unsigned context = 0; context < kContexts; ++context) {
    const unsigned worker_id = (context + 6) % kContexts;  // of CSR xwid: 6 is the supervisor
    fetch_context(image, tile, context, buffers->address + bytes * worker_id, bytes / 4 - kBufferHead);
  }
  const uint32_t seen = word & ~kPrinted;
  client_->load(tile, attention->address, {&seen, 1});
}

void Board::fetch_context(const ElfImage& image, unsigned tile, unsigned context, uint32_t buffer,
                          uint32_t buffer_words) {
  const std::vector<uint32_t> head = client_->peek(tile, buffer, kBufferHead);
  const uint32_t used = std::min(head[0], buffer_words), lost = head[1];
  if (used == 0 && lost == 0) return;
  if (used != 0) {
    const std::vector<uint32_t> words = client_->peek(tile, buffer + 4 * kBufferHead, used);
    const Section* formats = image.section(kFormats);
    for (size_t at = 0; at < words.size();) {
      const uint32_t offset = words[at] & 0xffffff, count = words[at] >> 24;
      ++at;
      std::string format = "<a printf whose format is not in the file>\n";
      if (formats != nullptr && offset < formats->data.size()) {
        const auto begin = formats->data.begin() + offset;
        format.assign(begin, std::find(begin, formats->data.end(), 0));
      }
      const size_t there = std::min<size_t>(count, words.size() - at);
      const std::string text = format_print(format, std::span(words).subspan(at, there),
                                            [&](uint32_t address) { return text_at(image, tile, address); });
      if (on_print) on_print(tile, context, text);
      at += there;
    }
  }
  if (lost != 0 && on_lost) on_lost(tile, context, lost, buffer_words);
  const uint32_t empty[kBufferHead] = {0, 0};
  client_->load(tile, buffer, empty);
}

std::string Board::text_at(const ElfImage& image, unsigned tile, uint32_t address) {
  if (auto text = image.constant_text(address)) return *text;
  std::string text;
  while (text.size() < kMostText) {
    if (address < machine_.memory_base || address >= machine_.memory_end())
      return text + fmt::format("<no text at {:#x}>", address);
    const uint32_t word = client_->peek(tile, address & ~3u, 1).at(0);
    for (unsigned byte = address % 4; byte < 4; ++byte) {
      const char c = static_cast<char>(word >> 8 * byte);
      if (c == '\0') return text;
      text += c;
    }
    address = (address & ~3u) + 4;
  }
  return text + "...";
}

uint32_t Board::read(unsigned tile, chip::DebugSpace space, unsigned context, uint32_t address) {
  client_->write(pcie::kDebugSelect, pcie::debug_select(tile, static_cast<uint32_t>(space), context));
  client_->write(pcie::kDebugAddress, address);
  return client_->read(pcie::kDebugData);
}

void Board::write(unsigned tile, chip::DebugSpace space, unsigned context, uint32_t address, uint32_t value) {
  client_->write(pcie::kDebugSelect, pcie::debug_select(tile, static_cast<uint32_t>(space), context));
  client_->write(pcie::kDebugAddress, address);
  client_->write(pcie::kDebugData, value);
}

uint32_t Board::address_of(const std::string& symbol) const {
  if (images_.empty()) throw BadFirmware("no firmware is loaded");
  const ElfSymbol* found = images_.front().symbol(symbol);
  if (found == nullptr) throw BadFirmware(images_.front().path + " has no symbol '" + symbol + "'");
  return found->address;
}

uint32_t Board::word(unsigned tile, const std::string& symbol, uint32_t offset) {
  return client_->peek(tile, address_of(symbol) + offset, 1).at(0);
}

void Board::set_word(unsigned tile, const std::string& symbol, uint32_t value, uint32_t offset) {
  client_->load(tile, address_of(symbol) + offset, {&value, 1});
}

std::string Board::place(uint32_t pc) const {
  for (const ElfImage& image : images_)
    if (const ElfSymbol* symbol = image.symbol_at(pc); symbol != nullptr)
      return fmt::format("pc {:#x} in {}", pc, symbol->name);
  return fmt::format("pc {:#x}", pc);
}

std::string Board::explain_exceptions() {
  const auto all = client_->exceptions();
  std::string text;
  for (size_t i = 0; i < all.size() && i < kMostTold; ++i) {
    const chip::ExceptionStatus& s = all[i].status;
    text += fmt::format("{}tile {}, {}: {} exception ({}), value {:#x}", i == 0 ? "" : "\n", all[i].tile,
                        context_name(s.context), spec::cause_name(s.cause), spec::cause_reason(s.cause), s.value);
    if (s.pc != 0) text += ", at " + place(s.pc);
    text += fmt::format(", cycle {}", s.cycle);
  }
  if (all.size() > kMostTold) text += fmt::format("\n{} more tiles excepted", all.size() - kMostTold);
  return text;
}

std::string Board::explain_deadlock() {
  std::map<std::string, std::vector<unsigned>> groups;
  for (const chip::TileWait& wait : client_->waits()) {
    const bool loaded = std::binary_search(tiles_.begin(), tiles_.end(), wait.tile);
    const bool ended =
        std::any_of(ends_.begin(), ends_.end(), [&](const TileEnd& end) { return end.tile == wait.tile; });
    const std::string what = !loaded ? "never started (--tiles), and syncs are of all tiles"
                             : ended ? "ended the program"
                                     : wait.state + ", " + place(wait.supervisor_pc);
    groups[what].push_back(wait.tile);
  }
  std::string text = "deadlock: no tile can go on";
  for (const auto& [what, tiles] : groups) text += fmt::format("; {}: {}", tile_list(tiles), what);
  return text;
}

std::string Board::explain(const chip::Stop& stop) {
  if (!failure_.empty()) return failure_;
  switch (stop.reason) {
    case chip::StopReason::kException:
      return explain_exceptions();
    case chip::StopReason::kDeadlock:
      return explain_deadlock();
    case chip::StopReason::kBudget:
      return fmt::format("tile {} computed for too long without reaching a sync: its supervisor is at {}", stop.tile,
                         place(read(stop.tile, chip::DebugSpace::kControl, 0, pcie::kControlPc)));
    case chip::StopReason::kHalted:
      return "every tile is halted";
    default:
      return fmt::format("the chip stopped at cycle {}", stop.cycle);
  }
}

}  // namespace tessera::firmware
