#include "chip_program.h"

#include <algorithm>
#include <utility>

#include "control_flow.h"
#include "float_data.h"
#include "layout.h"
#include "rtl/spec/words.h"

namespace tessera::test {
namespace {

using spec::Opcode;

constexpr uint32_t kWords = 24;   // that a tile sends in a superstep
constexpr uint32_t kLatest = 64;  // cycle of the phase in which a send begins at the latest
constexpr unsigned kTries = 3;    // receives that are tried for a tile and superstep

struct Event {
  bool receive;
  uint32_t at, address, count;
  unsigned source;
};

uint64_t encode(const Event& event, uint32_t delay, bool last) {
  return spec::ExchangeEvent{.last = last,
                             .is_receive = event.receive,
                             .delay = delay,
                             .word_address = event.address / 4,
                             .count = event.count,
                             .source = event.source}
      .encode();
}

uint32_t payload(unsigned tile, unsigned superstep, uint32_t word) { return tile << 24 | superstep << 12 | word; }
uint32_t send_address(const Layout& at, unsigned superstep) { return at.send_data + superstep * 4 * kWords; }

bool fits(const std::vector<Event>& events, const Event& event) {
  return std::none_of(events.begin(), events.end(), [&event](const Event& other) {
    const bool overlap = event.at < other.at + other.count && other.at < event.at + event.count;
    return event.at == other.at || (other.receive && overlap);
  });
}

std::vector<uint64_t> encode_list(std::vector<Event> events) {
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.at < b.at; });
  std::vector<uint64_t> words;
  uint32_t free = 0;  // cycle of the next event at delay 0
  for (const auto& event : events) {
    words.push_back(encode(event, event.at - free, &event == &events.back()));
    free = event.at + 1;
  }
  return words;
}

// Appends a superstep in which a tile has no part: it goes on, into later ones perhaps.
void add_skipped(Program& p, Random& random, uint32_t worker, const Layout& at) {
  const MixOptions options{.rare = 0, .at = at};
  add_random_block(p, random, options, random.below(20));
  const bool works = random.one_in(2);
  if (works) {
    p.load_immediate(layout::kPointer, worker);
    p.add(Opcode::Runall, {.rs1 = layout::kPointer, .rs2 = 4, .imm = 16});
  }
  p.add(Opcode::Sans, {.imm = 0});
  add_random_block(p, random, options, random.below(10));
  if (works) p.add(Opcode::Sync, {.imm = 0});
}

// Appends one superstep of a tile, whose event list is at `list`.
void add_superstep(Program& p, Random& random, uint32_t list, uint32_t worker, const Layout& at) {
  const MixOptions options{.rare = 0, .at = at};
  add_random_block(p, random, options, random.below(20));
  if (random.one_in(2)) {
    p.load_immediate(layout::kPointer, worker);
    p.add(Opcode::Runall, {.rs1 = layout::kPointer, .rs2 = 4, .imm = 16});
    add_random_block(p, random, options, random.below(10));
  }
  p.load_immediate(layout::kPointer, list);
  p.add(Opcode::Xarm, {.rs1 = layout::kPointer});
  p.add(Opcode::Sync, {.imm = 0});
  p.add(Opcode::Sync, {.rs1 = random.below(16), .imm = 2 + 16});
  add_random_block(p, random, options, random.below(10));
  p.add(Opcode::Sync, {.imm = 1});
}

}  // namespace

ChipProgram random_chip_program(uint64_t seed, const spec::Machine& machine, unsigned supersteps) {
  Random random(seed);
  const unsigned tiles = machine.tiles();
  const Layout at(machine);
  ChipProgram program;
  program.entry = at.supervisor_code;
  std::vector<Program> supervisors(tiles);
  std::vector<Image> events(tiles, Image{at.events, {}}), data(tiles, Image{at.send_data, {}});
  std::vector<uint32_t> worker_entry(tiles);
  for (unsigned tile = 0; tile < tiles; ++tile) {
    Program worker;
    worker.base = at.worker_code;
    const MixOptions options{.worker = true, .rare = 0, .at = at};
    add_register_setup(worker, random, options);
    add_random_block(worker, random, options, 10 + random.below(30));
    worker.add(Opcode::Exit, {.rs1 = 3});
    program.images.push_back({{worker.base, worker.words}});
    worker_entry[tile] = worker.base;
    add_register_setup(supervisors[tile], random, {.rare = 0, .at = at});
  }

  std::vector<uint32_t> arrived(tiles, at.receive_data);
  for (unsigned superstep = 0; superstep < supersteps; ++superstep) {
    std::vector<uint32_t> begin(tiles);
    for (auto& first : begin) first = random.below(kLatest);
    const bool host = random.one_in(4);
    std::vector<bool> skips(tiles);
    for (unsigned tile = 0; tile < tiles; ++tile) skips[tile] = random.one_in(4);
    for (unsigned tile = 0; tile < tiles; ++tile) {
      if (skips[tile]) {
        if (host) supervisors[tile].add(Opcode::Sync, {.imm = 4});
        add_skipped(supervisors[tile], random, worker_entry[tile], at);
        data[tile].words.resize(data[tile].words.size() + kWords);
        continue;
      }
      std::vector<Event> list = {{false, begin[tile], send_address(at, superstep), kWords, 0}};
      for (unsigned n = 0; n < kTries; ++n) {
        const unsigned source = random.below(tiles);
        const uint32_t first = random.below(kWords), count = 1 + random.below(kWords - first);
        if (skips[source]) continue;
        const Event receive{true, begin[source] + machine.receive_offset(source, tile) + first, arrived[tile], count,
                            source};
        if (!fits(list, receive)) continue;
        list.push_back(receive);
        for (uint32_t word = 0; word < count; ++word, arrived[tile] += 4)
          program.received.push_back({tile, arrived[tile], payload(source, superstep, first + word)});
      }
      for (uint32_t word = 0; word < kWords; ++word) data[tile].words.push_back(payload(tile, superstep, word));
      const uint32_t address = at.events + 4 * static_cast<uint32_t>(events[tile].words.size());
      for (const uint64_t event : encode_list(list)) {
        events[tile].words.push_back(static_cast<uint32_t>(event));
        events[tile].words.push_back(static_cast<uint32_t>(event >> 32));
      }
      if (host) supervisors[tile].add(Opcode::Sync, {.imm = 4});
      add_superstep(supervisors[tile], random, address, worker_entry[tile], at);
    }
  }
  for (unsigned tile = 0; tile < tiles; ++tile) {
    supervisors[tile].add(Opcode::Sync, {.imm = 2});  // one that has stopped takes part in no more
    supervisors[tile].add(Opcode::Trap, {.imm = 7});
    auto& images = program.images[tile];
    images.push_back({program.entry, supervisors[tile].words});
    images.push_back(events[tile]);
    images.push_back(data[tile]);
    for (auto& image : random_stream_images(random, at)) images.push_back(std::move(image));
  }
  return program;
}

}  // namespace tessera::test
