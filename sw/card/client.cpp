#include "sw/card/client.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "rtl/spec/registers.h"
#include "rtl/spec/words.h"
#include "sw/card/first_interrupt.h"

namespace tessera::card {

using machine::ChannelClosed;
using machine::DamagedMessage;
using machine::Kind;
using machine::Reader;
using machine::Writer;

namespace {

constexpr size_t kMessageWords = 1 << 16;  // of one message, about: what fits a processor's cache
constexpr int kDrainReads = 100'000;       // of four cycles each: longer than any exchange

struct Words {
  std::vector<uint32_t> words;
};
void get(Reader& in, Words& words) { words.words = in.words(); }
void get(Reader& in, std::string& text) { text = in.text(); }
void get(Reader& in, uint64_t& number) { number = in.number<uint64_t>(); }

}  // namespace

std::vector<uint8_t> Client::call(Kind kind, const std::vector<uint8_t>& body, int descriptor) {
  return call_chip(chip_, kind, body, descriptor);
}

std::vector<uint8_t> Client::call_chip(uint32_t chip, Kind kind, const std::vector<uint8_t>& body, int descriptor) {
  return std::move(exchange(chip, kind, body, descriptor).body);
}

// The reply, with the descriptor that may have come with it.
machine::Message Client::exchange(uint32_t chip, Kind kind, const std::vector<uint8_t>& body, int descriptor) {
  machine::Message reply;
  try {
    channel_.send(kind, body, descriptor, static_cast<uint16_t>(chip));
    reply = channel_.receive();
  } catch (const ChannelClosed& error) {
    throw Lost(error.what());
  } catch (const DamagedMessage& error) {
    throw Lost(std::string("the machine answered with a damaged message: ") + error.what());
  }
  if (reply.kind == Kind::kError) throw Refused(Reader(reply.body).text());
  if (reply.kind != Kind::kReply) throw Lost("the machine answered with something that is no reply");
  return reply;
}

template <class T>
T Client::ask(Kind kind, const std::vector<uint8_t>& body) {
  return ask_chip<T>(chip_, kind, body);
}

template <class T>
T Client::ask_chip(uint32_t chip, Kind kind, const std::vector<uint8_t>& body) {
  const std::vector<uint8_t> reply = call_chip(chip, kind, body);
  try {
    Reader in(reply);
    T answer{};
    get(in, answer);
    in.end();
    return answer;
  } catch (const DamagedMessage& error) {
    throw Lost(std::string("the machine gave a damaged answer: ") + error.what());
  }
}

Client::Client(machine::Descriptor socket) : channel_(std::move(socket)) {
  identity_ = ask<machine::Identity>(Kind::kHello, Writer().number(machine::kProtocolVersion).bytes());
}

void Client::choose(uint32_t chip) {
  if (chip >= identity_.chips.size())
    throw Refused("there is no chip " + std::to_string(chip) + ": system " + identity_.system + " has " +
                  std::to_string(identity_.chips.size()) + ", from 0 on");
  chip_ = chip;
}

void Client::window(int descriptor, uint64_t bytes, uint64_t offset) {
  call(Kind::kWindow, Writer().number(bytes).number(offset).bytes(), bytes > 0 ? descriptor : -1);
}

std::optional<RemoteMemory> Client::remote_memory() {
  machine::Message reply = exchange(chip_, Kind::kRemoteMemory, {});
  uint64_t bytes = 0;
  try {
    Reader in(reply.body);
    bytes = in.number<uint64_t>();
    in.end();
    if (bytes > 0 && !reply.descriptor.valid()) throw DamagedMessage("no memory came with it");
  } catch (const DamagedMessage& error) {
    throw Lost(std::string("the machine gave a damaged answer: ") + error.what());
  }
  if (bytes == 0) return std::nullopt;
  return RemoteMemory(std::move(reply.descriptor), bytes);
}

void Client::Writes::write(uint32_t offset, std::span<const uint32_t> words) {
  while (!words.empty()) {
    const size_t now = std::min(kMessageWords, words.size());
    formats::put_number(body_, offset);
    formats::put_list(body_, words.first(now));
    words = words.subspan(now);
    if (body_.size() >= 4 * kMessageWords) send();
  }
}

void Client::Writes::send() {
  if (body_.empty()) return;
  try {
    client_.call(Kind::kWrite, body_);
  } catch (...) {
    body_.clear();
    throw;
  }
  body_.clear();
  if (std::exchange(touches_, false)) client_.check_refused("written");
}

void Client::Writes::select(uint32_t tile, chip::DebugSpace space, uint32_t context, uint32_t address) {
  write(spec::kRegDebugSelect, spec::DebugSelect{.tile = tile, .space = space, .context_id = context}.encode());
  write(spec::kRegDebugAddress, address);
}

void Client::Writes::debug_write(uint32_t tile, chip::DebugSpace space, uint32_t context, uint32_t address,
                                 std::span<const uint32_t> words) {
  touches_ |= space != chip::DebugSpace::kControl || address == spec::DebugControl::kPc ||
              address == spec::DebugControl::kAutomaticSyncs;
  select(tile, space, context, address);
  write(spec::kRegDebugData, words);
}

void Client::Writes::load(uint32_t tile, uint32_t address, std::span<const uint32_t> words) {
  debug_write(tile, chip::DebugSpace::kMemory, 0, address, words);
}

void Client::Writes::start(uint32_t tile, uint32_t pc) {
  debug_write(tile, chip::DebugSpace::kControl, 0, spec::DebugControl::kStart, pc);
}

void Client::write(uint32_t offset, std::span<const uint32_t> words) {
  Writes writes(*this);
  writes.write(offset, words);
  writes.send();
}

std::vector<uint32_t> Client::read(uint32_t offset, uint32_t count) {
  return ask<Words>(Kind::kRead, Writer().number(offset).number(count).bytes()).words;
}

uint32_t Client::debug_read(uint32_t tile, chip::DebugSpace space, uint32_t context, uint32_t address) {
  Writes writes(*this);
  writes.select(tile, space, context, address);
  writes.send();
  const uint32_t word = read(spec::kRegDebugData);
  if (space != chip::DebugSpace::kControl) check_refused("read");
  return word;
}

void Client::debug_write(uint32_t tile, chip::DebugSpace space, uint32_t context, uint32_t address, uint32_t word) {
  Writes writes(*this);
  writes.debug_write(tile, space, context, address, word);
  writes.send();
}

void Client::load(uint32_t tile, uint32_t address, std::span<const uint32_t> words) {
  Writes writes(*this);
  writes.load(tile, address, words);
  writes.send();
}

std::vector<uint32_t> Client::peek(uint32_t tile, uint32_t address, uint32_t count) {
  Writes writes(*this);
  writes.select(tile, chip::DebugSpace::kMemory, 0, address);
  writes.send();
  std::vector<uint32_t> words = read(spec::kRegDebugData, count);
  check_refused("read");
  return words;
}

void Client::start(uint32_t tile, uint32_t pc) {
  debug_write(tile, chip::DebugSpace::kControl, 0, spec::DebugControl::kStart, pc);
}

void Client::halt(uint32_t tile) {
  debug_write(tile, chip::DebugSpace::kControl, spec::kAllContexts, spec::DebugControl::kHalt, 1);
  const bool all = tile == chip::kNoTile;
  const uint32_t end = all ? identity_.chips.at(chip_).tiles : tile + 1;
  for (uint32_t one = all ? 0 : tile; one < end; ++one) {
    int tries = 0;
    while (!settled(one))
      if (++tries == kDrainReads)
        throw Refused("tile " + std::to_string(one) + " does not come to rest although it is halted");
  }
}

bool Client::settled(uint32_t tile) {
  try {
    peek(tile, 0, 1);
    return true;
  } catch (const AtWork&) {
    return false;
  }
}

// The endpoint tells of all accesses since it was asked before.
void Client::check_refused(const char* done) {
  const auto status = spec::HostStatus::decode(read(spec::kRegStatus));
  if (!status.refused) return;
  const auto target = spec::DebugSelect::decode(read(spec::kRegDebugSelect));
  const std::string who = target.tile == chip::kNoTile ? "a tile" : "tile " + std::to_string(target.tile);
  throw AtWork(who + " is at work and was not " + done + ": halt it first");
}

std::vector<chip::Stop> Client::run(uint64_t limit, uint64_t budget) {
  std::optional<FirstInterrupt> first;
  if (shares_interrupts_) first.emplace();
  return ask_chip<std::vector<chip::Stop>>(0, Kind::kRun, Writer().number(limit).number(budget).bytes());
}

std::vector<machine::ExceptionReport> Client::exceptions() {
  return ask<std::vector<machine::ExceptionReport>>(Kind::kExceptions);
}
std::vector<chip::TileWait> Client::waits() { return ask<std::vector<chip::TileWait>>(Kind::kWaits); }
chip::Counters Client::counters() { return ask<chip::Counters>(Kind::kCounters); }
uint64_t Client::memory_hash() { return ask<uint64_t>(Kind::kMemoryHash); }

void Client::record(bool on) { call(Kind::kRecord, Writer().number(uint32_t{on}).bytes()); }

std::vector<chip::SuperstepRecord> Client::take_record() {
  return ask<std::vector<chip::SuperstepRecord>>(Kind::kTakeRecord);
}

void Client::replicas(uint32_t chips, bool independent) {
  call_chip(0, Kind::kReplicas, Writer().number(chips).number(uint32_t{independent}).bytes());
}

void Client::reset() { call_chip(0, Kind::kReset, {}); }

void Client::program(const std::vector<uint8_t>& info, bool already_there) {
  call(Kind::kProgram, Writer().number(uint32_t{already_there}).block(info).bytes());
}

std::string Client::failure() { return ask<std::string>(Kind::kFailure); }

std::string Client::failed_check(const std::string& what, const std::vector<uint32_t>& tiles) {
  return ask<std::string>(Kind::kFailure, Writer().text(what).words(tiles).bytes());
}

std::string Client::inspect(const std::string& options) {
  return ask<std::string>(Kind::kInspect, Writer().text(options).bytes());
}

void Client::finish() { call(Kind::kFinish, {}); }

}  // namespace tessera::card
