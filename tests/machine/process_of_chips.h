// A system of chips in a process: traffic that is run there, and how it went.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "rtl/spec/registers.h"
#include "sw/card/client.h"
#include "sw/card/process.h"
#include "tb/link/traffic.h"

namespace tessera::test {

constexpr uint64_t kForEver = ~uint64_t{0};
constexpr uint16_t kMark = 77;

struct Outcome {
  std::vector<uint64_t> told;  // reason and cycle of every stop
  std::vector<uint64_t> hashes;
  bool operator==(const Outcome&) const = default;

  void tell(const std::vector<chip::Stop>& stops) {
    for (const chip::Stop& stop : stops) {
      told.push_back(static_cast<uint64_t>(stop.reason));
      told.push_back(stop.cycle);
    }
  }
};

inline bool all_at_host(const std::vector<chip::Stop>& stops) {
  return std::ranges::all_of(stops, [](const chip::Stop& stop) { return stop.reason == chip::StopReason::kHostSync; });
}

inline void load_and_start(card::Client& client, uint32_t chip, const ChipProgram& program) {
  client.choose(chip);
  card::Client::Writes writes(client);
  for (uint32_t t = 0; t < program.size(); ++t)
    for (const auto& [address, word] : program[t].image()) writes.load(t, address, std::span(&word, 1));
  writes.start(chip::kNoTile, program[0].places().code);
  writes.send();
}

inline void load_and_start(card::Client& client, const Traffic& traffic) {
  for (uint32_t c = 0; c < traffic.programs.size(); ++c) load_and_start(client, c, traffic.programs[c]);
}

inline void mark(card::Client& client) {
  for (uint32_t c = 0; c < client.identity().chips.size(); ++c) {
    client.choose(c);
    client.write(spec::kRegMark, kMark);
  }
}

inline std::vector<uint64_t> hashes(card::Client& client) {
  std::vector<uint64_t> all;
  for (uint32_t c = 0; c < client.identity().chips.size(); ++c) {
    client.choose(c);
    all.push_back(client.memory_hash());
  }
  return all;
}

inline void run_to_end(card::Client& client, Outcome& outcome) {
  for (;;) {
    const auto stops = client.run(kForEver, 0);
    outcome.tell(stops);
    if (!all_at_host(stops)) break;
    mark(client);
  }
}

inline Outcome in_process(card::Client& client, const Traffic& traffic) {
  Outcome outcome;
  load_and_start(client, traffic);
  run_to_end(client, outcome);
  outcome.hashes = hashes(client);
  return outcome;
}

struct MachineProcess {
  MachineProcess(const std::string& system, const std::string& backend, const std::vector<std::string>& more = {})
      : process(card::find_machine(backend), system, backend, more), client(process.take_socket()) {}
  card::Process process;
  card::Client client;
};

// Words that are not in their place.
inline unsigned wrong_words(card::Client& client, const Traffic& traffic) {
  unsigned wrong = 0;
  for (const Traffic::Word& word : traffic.written) {
    client.choose(word.chip);
    wrong += client.peek(word.tile, word.address, 1).at(0) != word.value;
  }
  return wrong;
}

}  // namespace tessera::test
