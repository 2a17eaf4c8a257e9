#include "tests/compiler/program_runner.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "sim/engine/model_chip.h"

namespace tessera::test {

std::string test_machine() {
  const char* name = std::getenv("TESSERA_TEST_MACHINE");
  return name != nullptr && *name != '\0' ? name : "mk2-4";
}

ProgramRunner::ProgramRunner(image::Executable executable, const spec::Machine& machine,
                             std::unique_ptr<chip::Chip> chip, std::uint64_t budget)
    : machine_(machine),
      executable_(std::move(executable)),
      chip_(chip ? std::move(chip) : chip::make_model_chip(machine)),
      host_(executable_.host.bytes / 4 + 1),
      budget_(budget) {
  chip_->attach(this);
  image::for_each_segment(executable_.chip(), [&](std::uint32_t tile, const image::Segment& segment) {
    chip_->load(tile == image::kAllTiles ? chip::kNoTile : tile, segment.address, segment.words);
  });
  for (std::uint32_t tile = 0; tile < executable_.chip().tiles.size(); ++tile)
    chip_->debug_write(tile, chip::DebugSpace::kControl, 0, 0, executable_.chip().tiles[tile].entry);
  wait_for_host_sync();
}

void ProgramRunner::write(std::uint64_t, std::uint32_t host_address, std::span<const std::uint32_t> words) {
  std::copy(words.begin(), words.end(), host_.begin() + host_address / 4);
}

std::uint64_t ProgramRunner::read(std::uint64_t cycle, std::uint32_t host_address, std::span<std::uint32_t> words) {
  std::copy_n(host_.begin() + host_address / 4, words.size(), words.begin());
  return cycle + 2 * machine_.pcie_latency + machine_.host_turnaround +
         (words.size() + machine_.pcie_words_per_cycle - 1) / machine_.pcie_words_per_cycle;
}

const image::Stream& ProgramRunner::stream(const std::string& handle, image::StreamUse use) const {
  for (const image::Stream& s : executable_.host.streams)
    if (s.handle == handle && s.use == use) return s;
  throw std::runtime_error("no handle " + handle);
}

void ProgramRunner::wait_for_host_sync() {
  const chip::Stop stop = chip_->run(chip_->cycle() + 100'000'000, budget_);
  cycle_ = stop.cycle;
  if (stop.reason == chip::StopReason::kHostSync) {
    ++host_syncs_;
    return;
  }
  std::string message = "the chip stopped in cycle " + std::to_string(stop.cycle) + ", reason " +
                        std::to_string(static_cast<int>(stop.reason));
  for (std::uint32_t tile = 0; tile < executable_.chip().tiles.size(); ++tile) {
    const chip::ExceptionStatus e = chip_->exception(tile);
    if (e.cause == 0) continue;
    message += "; tile " + std::to_string(tile) + " cause " + std::to_string(e.cause) + " context " +
               std::to_string(e.context) + " pc " + std::to_string(e.pc) + " value " + std::to_string(e.value);
  }
  for (const chip::TileWait& wait : chip_->waits()) {
    const names::Step* step = executable_.chip().info.step_at(wait.tile, wait.supervisor_pc);
    message += "; tile " + std::to_string(wait.tile) + " " + wait.state + " in " +
               (step ? executable_.chip().info.step_text(step, std::nullopt) : "?");
  }
  throw std::runtime_error(message);
}

void ProgramRunner::run(std::uint32_t program, const Transfer& transfer) {
  const std::uint64_t turn = 2 * machine_.pcie_latency + machine_.host_turnaround;
  chip_->mark(cycle_ + turn, static_cast<std::uint16_t>(program + 1));
  for (;;) {
    wait_for_host_sync();
    const std::uint32_t event = host_[executable_.host.event_offset / 4];
    if (event == image::kEventDone) return;
    for (const std::uint32_t s : executable_.host.phases.at(event - 1)) serve(executable_.host.streams.at(s), transfer);
    chip_->mark(cycle_ + turn, 1);
  }
}

void ProgramRunner::serve(const image::Stream& s, const Transfer& transfer) {
  if (s.use == image::StreamUse::kPrintf) return;
  if (s.use == image::StreamUse::kAbort) throw std::runtime_error("abort: " + s.handle);
  auto* window = reinterpret_cast<std::uint8_t*>(host_.data());
  std::vector<std::uint8_t> data(s.bytes);
  if (is_to_device(s.use)) {
    transfer(s, data);
    for (const image::HostPiece& p : s.pieces)
      std::memcpy(window + p.host_offset, data.data() + p.stream_offset, p.bytes);
  } else {
    for (const image::HostPiece& p : s.pieces)
      std::memcpy(data.data() + p.stream_offset, window + p.host_offset, p.bytes);
    transfer(s, data);
  }
}

}  // namespace tessera::test
