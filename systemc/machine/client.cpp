#include "machine/client.h"

#include <algorithm>

#include "pcie/registers.h"

namespace tessera::machine {
namespace {

constexpr size_t kBurstWords = 1 << 20;

}  // namespace

Client::Client(Descriptor socket) : channel_(std::move(socket)) {
  const auto body = call(Kind::kHello, Writer().number(kProtocolVersion).bytes());
  Reader in(body);
  get(in, identity_);
}

std::vector<uint8_t> Client::call(Kind kind, const std::vector<uint8_t>& body, int descriptor) {
  Message reply;
  try {
    channel_.send(kind, body, descriptor);
    reply = channel_.receive();
  } catch (const ChannelClosed& error) {
    throw MachineGone(error.what());
  } catch (const DamagedMessage& error) {
    throw MachineGone(std::string("the machine answered with a damaged message: ") + error.what());
  }
  if (reply.kind == Kind::kError) throw MachineRefused(Reader(reply.body).text());
  if (reply.kind != Kind::kReply) throw MachineGone("the machine answered with something that is no reply");
  return std::move(reply.body);
}

void Client::window(int descriptor, uint64_t bytes) {
  call(Kind::kWindow, Writer().number(bytes).bytes(), bytes > 0 ? descriptor : -1);
}

void Client::write(uint32_t offset, std::span<const uint32_t> words) {
  call(Kind::kWrite, Writer().number(offset).words(words.data(), words.size()).bytes());
}

std::vector<uint32_t> Client::read(uint32_t offset, uint32_t count) {
  const auto body = call(Kind::kRead, Writer().number(offset).number(count).bytes());
  return Reader(body).words();
}

void Client::load(uint32_t tile, uint32_t address, std::span<const uint32_t> words) {
  write(pcie::kDebugSelect, pcie::debug_select(tile, 0, 0));
  write(pcie::kDebugAddress, address);
  for (size_t at = 0; at < words.size(); at += kBurstWords)
    write(pcie::kDebugData, words.subspan(at, std::min(kBurstWords, words.size() - at)));
}

std::vector<uint32_t> Client::peek(uint32_t tile, uint32_t address, uint32_t count) {
  write(pcie::kDebugSelect, pcie::debug_select(tile, 0, 0));
  write(pcie::kDebugAddress, address);
  return read(pcie::kDebugData, count);
}

void Client::start(uint32_t tile, uint32_t pc) {
  constexpr uint32_t kControl = static_cast<uint32_t>(chip::DebugSpace::kControl);
  write(pcie::kDebugSelect, pcie::debug_select(tile, kControl, 0));
  write(pcie::kDebugAddress, pcie::kControlStart);
  write(pcie::kDebugData, pc);
}

chip::Stop Client::run(uint64_t limit, uint64_t budget) {
  const auto body = call(Kind::kRun, Writer().number(limit).number(budget).bytes());
  Reader in(body);
  chip::Stop stop;
  get(in, stop);
  return stop;
}

std::vector<ExceptionReport> Client::exceptions() {
  const auto body = call(Kind::kExceptions, {});
  Reader in(body);
  std::vector<ExceptionReport> reports;
  get(in, reports);
  return reports;
}

std::vector<chip::TileWait> Client::waits() {
  const auto body = call(Kind::kWaits, {});
  Reader in(body);
  std::vector<chip::TileWait> waits;
  get(in, waits);
  return waits;
}

chip::Counters Client::counters() {
  const auto body = call(Kind::kCounters, {});
  Reader in(body);
  chip::Counters counters;
  get(in, counters);
  return counters;
}

uint64_t Client::memory_hash() {
  const auto body = call(Kind::kMemoryHash, {});
  return Reader(body).number<uint64_t>();
}

void Client::record(bool on) { call(Kind::kRecord, Writer().number(uint32_t{on}).bytes()); }

std::vector<SuperstepRecord> Client::take_record() {
  const auto body = call(Kind::kTakeRecord, {});
  Reader in(body);
  std::vector<SuperstepRecord> records;
  get(in, records);
  return records;
}

void Client::reset() { call(Kind::kReset, {}); }

}  // namespace tessera::machine
