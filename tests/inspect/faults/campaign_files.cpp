#include "campaign_files.h"

#include <fmt/format.h>

#include <functional>

#include "compiler/image/executable_file.h"
#include "sim/engine/model_chip.h"
#include "sim/port/checkpoint.h"
#include "victim_program.h"

namespace tessera::test {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes image_file(const spec::Machine& machine) {
  image::Executable executable;
  executable.chip().machine = machine.name;
  executable.chip().machine_hash = machine.hash();
  executable.chip().tiles.resize(machine.tiles());
  const auto program = victim_program(machine);
  for (unsigned t = 0; t < machine.tiles(); ++t)
    for (const auto& [address, word] : program[t].image()) {
      auto& segments = executable.chip().tiles[t].segments;
      if (segments.empty() || segments.back().address + 4 * segments.back().words.size() != address)
        segments.push_back({address, {}});
      segments.back().words.push_back(word);
    }
  return image::serialize(executable);
}

Bytes checkpoint_file(const spec::Machine& machine) {
  const auto chip = chip::make_model_chip(machine);
  VictimHost host(machine);
  chip->attach(&host);
  load_and_start(*chip, victim_program(machine));
  chip->stop_at_superstep(2);
  chip->run(1000000, 0);
  return serialize(chip->checkpoint());
}

// True: the reader refuses the damaged file by its own error.
template <class Error>
bool refuses(const std::function<void(const Bytes&)>& read, const Bytes& damaged) {
  try {
    read(damaged);
  } catch (const Error&) {
    return true;
  }
  return false;
}

template <class Error>
void damage(const std::string& site, Bytes file, const std::function<void(const Bytes&)>& read, unsigned times,
            std::mt19937_64& random, std::vector<Result>& results) {
  read(file);  // whole, it is taken
  for (unsigned n = 0; n < times; ++n) {
    const uint64_t byte = random() % file.size(), bit = random() % 8;
    file[byte] ^= static_cast<uint8_t>(1 << bit);
    const bool refused = refuses<Error>(read, file);
    file[byte] ^= static_cast<uint8_t>(1 << bit);
    results.push_back({.site = site,
                       .fault = fmt::format("{} byte {} bit {}", site, byte, bit),
                       .plain = refused ? Plain::kRefused : Plain::kSilent,
                       .found = refused ? Found::kDigest : Found::kNothing});
  }
}

}  // namespace

std::vector<Result> damage_files(const spec::Machine& machine, unsigned each, std::mt19937_64& random) {
  std::vector<Result> results;
  damage<image::BadExecutable>(
      "image", image_file(machine), [](const Bytes& bytes) { image::deserialize(bytes, "image"); }, each, random,
      results);
  damage<chip::BadCheckpoint>(
      "checkpoint", checkpoint_file(machine), [&](const Bytes& bytes) { chip::deserialize_checkpoint(bytes, machine); },
      each, random, results);
  return results;
}

}  // namespace tessera::test
