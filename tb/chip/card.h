// A chip with an executable on it: what the runtime does with a card, in small.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "chip_programs.h"
#include "compiler/image/executable.h"
#include "flat_chip.h"
#include "sim/port/chip.h"

namespace tessera::test {

// Words of one transfer by the stream's handle.
using StreamData = std::map<std::string, std::vector<uint32_t>>;

constexpr uint64_t kPatience = 1000000;

inline bool reaches_host_sync(chip::Chip& chip) {
  return chip.run(chip.cycle() + kPatience, 0).reason == chip::StopReason::kHostSync;
}
inline bool reaches_host_sync(FlatChip& chip) { return chip.run(chip.cycle() + kPatience); }

// What the runtime does with a card, in small: load, start, answer host syncs, move stream data.
template <class AnyChip>
class Card {
 public:
  Card(AnyChip& chip, const spec::Machine& machine, const image::Executable& executable)
      : chip_(chip), machine_(machine), executable_(executable), host_(machine) {
    chip_.attach(&host_);
    image::for_each_segment(executable.chip(), [&](uint32_t tile, const image::Segment& s) {
      load(tile == image::kAllTiles ? chip::kNoTile : tile, s);
    });
    for (unsigned t = 0; t < executable.chip().tiles.size(); ++t)
      chip_.debug_write(t, chip::DebugSpace::kControl, 0, 0, executable.chip().tiles[t].entry);
    run_to_host_sync();
  }

  // Runs a program; its streams take and give the words under their handles.
  void run(uint32_t program, StreamData& data) {
    const uint64_t turn = 2 * machine_.pcie_latency + machine_.host_turnaround;
    chip_.mark(chip_.cycle() + turn, static_cast<uint16_t>(program + 1));
    for (;;) {
      run_to_host_sync();
      const uint32_t event = host_.word(executable_.host.event_offset);
      if (event == image::kEventDone) return;
      for (const uint32_t s : executable_.host.phases.at(event - 1)) {
        const image::Stream& stream = executable_.host.streams.at(s);
        serve(stream, data[stream.handle]);
      }
      chip_.mark(chip_.cycle() + turn, 1);
    }
  }
  void transfer(const std::string& handle, image::StreamUse use, StreamData& data) {
    for (const image::Stream& s : executable_.host.streams)
      if (s.handle == handle && s.use == use) return run(s.program, data);
    throw std::logic_error("no handle " + handle);
  }
  const HostMemory& host() const { return host_; }

 private:
  void run_to_host_sync() {
    if (!reaches_host_sync(chip_)) throw std::runtime_error("the chip reaches no host sync");
  }
  void load(unsigned tile, const image::Segment& segment) {
    for (size_t i = 0; i < segment.words.size(); ++i)
      chip_.debug_write(tile, chip::DebugSpace::kMemory, 0, segment.address + 4 * static_cast<uint32_t>(i),
                        segment.words[i]);
  }
  void serve(const image::Stream& s, std::vector<uint32_t>& data) {
    data.resize(s.bytes / 4);
    for (const image::HostPiece& p : s.pieces)
      for (uint32_t i = 0; i < p.bytes / 4; ++i) {
        uint32_t& word = data[p.stream_offset / 4 + i];
        if (image::is_to_device(s.use))
          host_.set_word(p.host_offset + 4 * i, word);
        else
          word = host_.word(p.host_offset + 4 * i);
      }
  }

  AnyChip& chip_;
  const spec::Machine machine_;
  const image::Executable& executable_;
  HostMemory host_;
};

}  // namespace tessera::test
