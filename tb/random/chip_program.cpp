#include "chip_program.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "control_flow.h"
#include "float_data.h"
#include "layout.h"
#include "rtl/spec/words.h"

namespace tessera::test {
namespace {

using spec::Opcode;

constexpr uint32_t kWords = 24;     // that a tile sends in a superstep
constexpr uint32_t kLatest = 64;    // cycle of the phase in which a send begins at the latest
constexpr unsigned kTries = 3;      // receives that are tried for a tile and superstep
constexpr unsigned kPairTries = 2;  // paired ones for a pair

using Pair = spec::PairedReceive;

struct Event {
  bool receive;
  uint32_t at, address, count;
  unsigned source;
  Pair pair = Pair::kNone;  // of a paired send kEarly, which is 1 as well
  uint32_t cycles() const { return count + (receive && pair == Pair::kEarly); }
};

uint64_t encode(const Event& event, uint32_t delay, bool last) {
  return spec::ExchangeEvent{.last = last,
                             .is_receive = event.receive,
                             .pair = static_cast<uint32_t>(event.pair),
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
    const bool overlap = event.at < other.at + other.cycles() && other.at < event.at + event.cycles();
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

// Who sends what in a superstep. In a paired one a tile sends by the other's port as well, which sends nothing itself.
struct Sends {
  std::vector<uint32_t> begin;
  std::vector<bool> skips;   // it has no part
  std::vector<bool> paired;  // by tile that sends
  std::vector<bool> silent;  // the other of such a one

  Sends(const spec::Machine& machine, Random& random)
      : begin(machine.tiles()), skips(machine.tiles()), paired(machine.tiles()), silent(machine.tiles()) {
    for (auto& first : begin) first = random.below(kLatest);
    for (unsigned tile = 0; tile < machine.tiles(); ++tile) skips[tile] = random.one_in(4);
    if (!machine.pairs()) return;
    for (unsigned tile = 0; tile < machine.tiles(); ++tile) {
      const unsigned other = spec::Machine::pair_of(tile);
      if (skips[tile] || silent[tile] || paired[other] || !random.one_in(3)) continue;
      paired[tile] = silent[other] = true;
    }
  }
  // Who sends by the port of `tile`, in double words or words; none if nobody does.
  std::optional<unsigned> by_port(unsigned tile) const {
    if (silent[tile]) return spec::Machine::pair_of(tile);
    return skips[tile] ? std::nullopt : std::optional(tile);
  }
  uint32_t count(unsigned sender) const { return paired[sender] ? kWords / 2 : kWords; }
};

// Receives of a pair of tiles, the lower of which is `tile`, from a pair that sends double words; both write them, or
// one lends its port. Calls arrives(tile, address, number of the word at the sender, sender).
template <class Arrives>
void add_paired_receive(const spec::Machine& machine, Random& random, const Sends& sends, unsigned tile,
                        std::vector<std::vector<Event>>& lists, std::vector<uint32_t>& arrived,
                        const Arrives& arrives) {
  const unsigned sender = random.below(machine.tiles()), tiles[2] = {tile, spec::Machine::pair_of(tile)};
  const uint32_t first = random.below(kWords / 2), count = 1 + random.below(kWords / 2 - first);
  const unsigned lends = random.below(4);  // 0, 1: this one
  if (!sends.paired[sender] || sends.skips[tiles[0]] || sends.skips[tiles[1]]) return;
  Event events[2];
  unsigned latency[2];
  for (unsigned i = 0; i < 2; ++i) {
    const unsigned port = (sender & ~2u) | 2 * i;
    latency[i] = machine.latency(port, tiles[i]);
    const uint32_t address = (arrived[tiles[i]] + 7) & ~7u;
    events[i] = {true, sends.begin[sender] + machine.receive_offset(port, tiles[i]) + first, address, count, port};
  }
  for (unsigned i = 0; i < 2; ++i) {
    events[i].pair = lends == i ? Pair::kLends : latency[i] < latency[1 - i] ? Pair::kEarly : Pair::kLate;
    if (!fits(lists[tiles[i]], events[i])) return;
  }
  for (unsigned i = 0; i < 2; ++i) {
    lists[tiles[i]].push_back(events[i]);
    if (lends == i) continue;
    for (uint32_t word = 0; word < 2 * count; ++word)
      arrives(tiles[i], events[i].address + 4 * word, 2 * first + word, sender);
    arrived[tiles[i]] = events[i].address + 8 * count;
  }
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

RandomChipProgram random_chip_program(uint64_t seed, const spec::Machine& machine, unsigned supersteps) {
  Random random(seed);
  const unsigned tiles = machine.tiles();
  const Layout at(machine);
  RandomChipProgram program;
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
    const Sends sends(machine, random);
    const bool host = random.one_in(4);
    const auto arrives = [&](unsigned tile, uint32_t address, uint32_t word, unsigned sender) {
      program.received.push_back({tile, address, payload(sender, superstep, word)});
    };
    std::vector<std::vector<Event>> lists(tiles);
    for (unsigned tile = 0; tile < tiles; ++tile)
      if (!sends.skips[tile] && !sends.silent[tile])
        lists[tile].push_back({false, sends.begin[tile], send_address(at, superstep), sends.count(tile), 0,
                               sends.paired[tile] ? Pair::kEarly : Pair::kNone});
    for (unsigned tile = 0; machine.pairs() && tile < tiles; ++tile)
      for (unsigned n = 0; n < kPairTries && (tile & 2) == 0; ++n)
        add_paired_receive(machine, random, sends, tile, lists, arrived, arrives);
    for (unsigned tile = 0; tile < tiles; ++tile) {
      if (sends.skips[tile]) {
        if (host) supervisors[tile].add(Opcode::Sync, {.imm = 4});
        add_skipped(supervisors[tile], random, worker_entry[tile], at);
        data[tile].words.resize(data[tile].words.size() + kWords);
        continue;
      }
      std::vector<Event>& list = lists[tile];
      for (unsigned n = 0; n < kTries; ++n) {
        const unsigned source = random.below(tiles);
        const auto sender = sends.by_port(source);
        if (!sender) continue;
        const uint32_t words = sends.count(*sender), first = random.below(words);
        const uint32_t count = 1 + random.below(words - first);
        const Event receive{true, sends.begin[*sender] + machine.receive_offset(source, tile) + first, arrived[tile],
                            count, source};
        if (!fits(list, receive)) continue;
        list.push_back(receive);
        for (uint32_t word = first; word < first + count; ++word, arrived[tile] += 4)
          arrives(tile, arrived[tile], sends.paired[*sender] ? 2 * word + (source >> 1 & 1) : word, *sender);
      }
      if (list.empty()) list.push_back({true, 0, at.receive_data, 0, 0});  // a pure delay
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
