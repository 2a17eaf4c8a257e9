#include "tests/compiler/system_runner.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace tessera::test {
namespace {

constexpr std::uint64_t kMostCycles = 20'000'000;  // from one host sync to the next

}  // namespace

class SystemRunner::Window : public chip::HostBus {
 public:
  Window(std::vector<std::uint32_t>& host, std::uint64_t base, std::uint64_t bytes, const spec::Machine& machine)
      : host_(host), base_(base / 4), words_((bytes + 3) / 4), machine_(machine) {}

  bool reaches(std::uint64_t, std::uint32_t address, std::size_t words, bool) override {
    return address / 4 + words <= words_;
  }
  void write(std::uint64_t, std::uint32_t address, std::span<const std::uint32_t> words) override {
    std::copy(words.begin(), words.end(), at(address));
  }
  std::uint64_t read(std::uint64_t cycle, std::uint32_t address, std::span<std::uint32_t> words) override {
    std::copy_n(at(address), words.size(), words.begin());
    return cycle + 2 * machine_.pcie_latency + machine_.host_turnaround +
           (words.size() + machine_.pcie_words_per_cycle - 1) / machine_.pcie_words_per_cycle;
  }
  std::uint8_t* bytes() { return reinterpret_cast<std::uint8_t*>(host_.data() + base_); }

 private:
  std::vector<std::uint32_t>::iterator at(std::uint32_t address) {
    return host_.begin() + static_cast<std::ptrdiff_t>(base_ + address / 4);
  }

  std::vector<std::uint32_t>& host_;
  std::uint64_t base_, words_;
  const spec::Machine& machine_;
};

SystemRunner::SystemRunner(image::Executable executable, const spec::System& device, chip::Backend backend)
    : executable_(std::move(executable)),
      device_(device),
      chips_(device, backend),
      host_(executable_.replicas * executable_.replica_stride() / 4) {
  const auto of_replica = static_cast<std::uint32_t>(executable_.chips.size());
  if (device_.chips.size() != executable_.replicas * of_replica)
    throw std::runtime_error("an executable for " + std::to_string(executable_.replicas * of_replica) + " chips");
  for (std::uint32_t replica = 0; replica < executable_.replicas; ++replica) {
    windows_.push_back(std::make_unique<Window>(host_, replica * executable_.replica_stride(), executable_.host.bytes,
                                                device_.chips[0]));
    for (std::uint32_t c = 0; c < of_replica; ++c) {
      chip::Chip& chip = chips_[replica * of_replica + c];
      chip.attach(windows_.back().get());
      image::for_each_segment(executable_.chips[c], [&](std::uint32_t tile, const image::Segment& segment) {
        chip.load(tile == image::kAllTiles ? chip::kNoTile : tile, segment.address, segment.words);
      });
    }
    for (const image::ReplicaWord& word : executable_.replica_words)
      chips_[replica * of_replica + word.chip].load(word.tile, word.address, {&word.values.at(replica), 1});
  }
  for (std::uint32_t c = 0; c < device_.chips.size(); ++c) {
    const std::vector<image::TileImage>& tiles = executable_.chips[c % of_replica].tiles;
    for (std::uint32_t tile = 0; tile < tiles.size(); ++tile)
      chips_[c].debug_write(tile, chip::DebugSpace::kControl, 0, 0, tiles[tile].entry);
  }
  if (executable_.replica_syncs) chips_.share_out(of_replica);
  wait_for_host_sync();
}

SystemRunner::~SystemRunner() = default;

const image::Stream& SystemRunner::stream(const std::string& handle, image::StreamUse use) const {
  for (const image::Stream& s : executable_.host.streams)
    if (s.handle == handle && s.use == use) return s;
  throw std::runtime_error("no handle " + handle);
}

void SystemRunner::wait_for_host_sync() {
  const std::vector<chip::Stop> stops = chips_.run(~std::uint64_t{0}, cycle_ + kMostCycles);
  std::string message;
  for (std::uint32_t c = 0; c < stops.size(); ++c) {
    cycle_ = std::max(cycle_, stops[c].cycle);
    if (stops[c].reason == chip::StopReason::kHostSync) continue;
    message += "chip " + std::to_string(c) + " stopped in cycle " + std::to_string(stops[c].cycle) + ", reason " +
               std::to_string(static_cast<int>(stops[c].reason));
    const names::ProgramInfo& info = executable_.chips[c % executable_.chips.size()].info;
    for (std::uint32_t tile = 0; tile < device_.chips[c].tiles(); ++tile)
      if (const chip::ExceptionStatus e = chips_[c].exception(tile); e.cause != 0)
        message += "; tile " + std::to_string(tile) + " cause " + std::to_string(e.cause) + " pc " +
                   std::to_string(e.pc) + " value " + std::to_string(e.value);
    for (const chip::TileWait& wait : chips_[c].waits()) {
      const names::Step* step = info.step_at(wait.tile, wait.supervisor_pc);
      message += "; tile " + std::to_string(wait.tile) + " " + wait.state + " in " +
                 (step ? info.step_text(step, std::nullopt) : "?");
    }
    message += "\n";
  }
  if (!message.empty()) throw std::runtime_error(message);
}

void SystemRunner::mark(std::uint32_t value) {
  const std::uint64_t cycle = cycle_ + 2 * device_.chips[0].pcie_latency + device_.chips[0].host_turnaround;
  for (std::uint32_t c = 0; c < device_.chips.size(); ++c) chips_[c].mark(cycle, static_cast<std::uint16_t>(value));
}

void SystemRunner::run(std::uint32_t program, const Transfer& transfer) {
  mark(program + 1);
  for (;;) {
    wait_for_host_sync();
    std::vector<std::uint32_t> events;
    for (const auto& window : windows_) {
      events.emplace_back();
      std::memcpy(&events.back(), window->bytes() + executable_.host.event_offset, 4);
    }
    if (std::ranges::any_of(events, [&](std::uint32_t event) { return event != events[0]; }))
      throw std::runtime_error("replicas are at different events");
    if (events[0] == image::kEventDone) return;
    for (std::uint32_t replica = 0; replica < windows_.size(); ++replica)
      for (const std::uint32_t s : executable_.host.phases.at(events[0] - 1))
        serve(replica, executable_.host.streams.at(s), transfer);
    mark(1);
  }
}

void SystemRunner::serve(std::uint32_t replica, const image::Stream& s, const Transfer& transfer) {
  if (s.use == image::StreamUse::kPrintf) return;
  if (s.use == image::StreamUse::kAbort) throw std::runtime_error("abort: " + s.handle);
  std::uint8_t* window = windows_[replica]->bytes();
  std::vector<std::uint8_t> data(s.bytes);
  if (!is_to_device(s.use))
    for (const image::HostPiece& p : s.pieces)
      std::memcpy(data.data() + p.stream_offset, window + p.host_offset, p.bytes);
  transfer(replica, s, data);
  if (is_to_device(s.use))
    for (const image::HostPiece& p : s.pieces)
      std::memcpy(window + p.host_offset, data.data() + p.stream_offset, p.bytes);
}

std::vector<std::uint64_t> SystemRunner::memory_hashes() {
  std::vector<std::uint64_t> hashes;
  for (std::uint32_t c = 0; c < device_.chips.size(); ++c) hashes.push_back(chips_[c].memory_hash());
  return hashes;
}

}  // namespace tessera::test
