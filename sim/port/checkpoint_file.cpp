#include <cstring>
#include <fstream>
#include <iterator>

#include "formats/archive.h"
#include "formats/fnv.h"
#include "formats/whole_file.h"
#include "rtl/spec/system.h"
#include "sim/port/system_checkpoint.h"

namespace tessera::chip {
namespace {

constexpr char kMagic[] = {'T', 'S', 'R', 'C', 'H', 'E', 'C', 'K'};
constexpr uint32_t kVersion = 9;
constexpr size_t kDigestBytes = 8;

using formats::all;
using formats::ByteReader;
using formats::ByteWriter;
using formats::io;

// One description of the content serves writing and reading.
template <class A, class Numbers>
void numbers(A& a, Numbers& values) {
  for (auto& value : values) io(a, value);
}

template <class A>
void course(A& a, EngineState& state, size_t tiles) {
  auto waits = state.barrier_.waits();
  waits.resize(tiles);
  for (auto& wait : waits) all(a, wait.cycle, wait.zone, wait.value);
  state.barrier_.set_waits(waits);
  auto phases = state.phases_.numbers();
  numbers(a, phases);
  state.phases_.set_numbers(phases);
  all(a, state.now_, state.evaluated_, state.supersteps_, state.sync_.request, state.ack_, state.notify_,
      state.stood_at_, state.sync_.zone, state.sync_.consensus, state.notified_, state.mark_);
}

template <class A>
void tile(A& a, Checkpoint::Tile& tile) {
  all(a, tile.x, tile.pc, tile.csrs);
  for (auto& worker : tile.workers) all(a, worker.f, worker.csrs, worker.vector);
  all(a, tile.weights, tile.mark, tile.armed_list);
  TilePlace& place = tile.place;
  all(a, place.local, place.joined_until, place.phase_start, place.out.sync_zone, place.out.sync_value);
  place.out.sync_request = place.out.idle = true;
}

void memory(ByteWriter& writer, std::map<uint32_t, Checkpoint::Page>& pages) {
  writer.varint(pages.size());
  for (auto& [address, page] : pages) {
    writer.number(address);
    io(writer, page);
  }
}
void bad_bytes(ByteWriter& writer, std::map<uint32_t, uint8_t>& bytes) {
  writer.varint(bytes.size());
  for (auto& [address, bad] : bytes) writer.number(address).number(bad);
}

void memory(ByteReader& reader, std::map<uint32_t, Checkpoint::Page>& pages) {
  for (size_t count = reader.count(sizeof(Checkpoint::Page)); count > 0; --count)
    io(reader, pages[reader.number<uint32_t>()]);
}
void bad_bytes(ByteReader& reader, std::map<uint32_t, uint8_t>& bytes) {
  for (size_t count = reader.count(sizeof(uint32_t) + 1); count > 0; --count) {
    const auto address = reader.number<uint32_t>();
    bytes[address] = reader.number<uint8_t>();
  }
}

template <class A>
void content(A& a, Checkpoint& checkpoint) {
  all(a, checkpoint.machine, checkpoint.machine_hash);
  checkpoint.tiles.resize(formats::io_count(a, checkpoint.tiles.size()));
  course(a, checkpoint.course, checkpoint.tiles.size());
  all(a, checkpoint.edge.down_free, checkpoint.edge.drained, checkpoint.turns);
  for (auto& t : checkpoint.tiles) {
    tile(a, t);
    memory(a, t.memory);
    bad_bytes(a, t.bad_bytes);
  }
}

// What `read` makes of a file's bytes; what is wrong with them names the file.
template <class Read>
auto of_file(const std::string& path, Read read) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw BadCheckpoint(path + ": cannot be read");
  const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
  try {
    return read(bytes);
  } catch (const BadCheckpoint& bad) {
    throw BadCheckpoint(path + ": " + bad.what());
  }
}

}  // namespace

std::vector<uint8_t> serialize(const Checkpoint& checkpoint) { return serialize(std::vector{checkpoint}); }

std::vector<uint8_t> serialize(const std::vector<Checkpoint>& chips) {
  ByteWriter writer;
  writer.raw(kMagic, sizeof kMagic).number(kVersion).varint(chips.size());
  for (Checkpoint copy : chips) content(writer, copy);
  writer.number(formats::digest(writer.bytes()));
  return writer.take();
}

std::vector<Checkpoint> deserialize_checkpoints(const std::vector<uint8_t>& bytes) {
  constexpr size_t kHead = sizeof(kMagic) + sizeof(kVersion);
  if (bytes.size() < kHead + kDigestBytes || std::memcmp(bytes.data(), kMagic, sizeof(kMagic)) != 0)
    throw BadCheckpoint("this is no checkpoint");
  const auto [held, tail] =
      std::pair(std::span(bytes).first(bytes.size() - kDigestBytes), std::span(bytes).last(kDigestBytes));
  ByteReader reader(held);
  reader.take(sizeof kMagic);
  if (const auto version = reader.number<uint32_t>(); version != kVersion)
    throw BadCheckpoint("the checkpoint has format version " + std::to_string(version) + ", known is " +
                        std::to_string(kVersion));
  if (ByteReader(tail).number<uint64_t>() != formats::digest(held))
    throw BadCheckpoint("the checkpoint is damaged: its digest does not fit");
  std::vector<Checkpoint> chips;
  try {
    for (size_t left = reader.count(); left > 0; --left) content(reader, chips.emplace_back());
    reader.end();
  } catch (const formats::DamagedBytes& damage) {
    throw BadCheckpoint(std::string("the checkpoint is damaged: ") + damage.what());
  }
  return chips;
}

Checkpoint deserialize_checkpoint(const std::vector<uint8_t>& bytes, const spec::Machine& machine) {
  std::vector<Checkpoint> chips = deserialize_checkpoints(bytes);
  if (chips.size() != 1)
    throw BadCheckpoint("the checkpoint is of a system of " + std::to_string(chips.size()) + " chips, this one has 1");
  Checkpoint& checkpoint = chips.front();
  if (checkpoint.machine_hash != machine.hash())
    throw BadCheckpoint("the checkpoint is of machine " + checkpoint.machine + ", the chip is " + machine.name);
  return std::move(checkpoint);
}

void save_checkpoint(const Checkpoint& checkpoint, const std::string& path) { save_checkpoints({checkpoint}, path); }

void save_checkpoints(const std::vector<Checkpoint>& chips, const std::string& path) {
  try {
    formats::write_whole_file(path, serialize(chips));
  } catch (const formats::CannotWrite& error) {
    throw BadCheckpoint(error.what());
  }
}

Checkpoint load_checkpoint(const std::string& path, const spec::Machine& machine) {
  return of_file(path, [&](const auto& bytes) { return deserialize_checkpoint(bytes, machine); });
}

std::vector<Checkpoint> load_checkpoints(const std::string& path, const spec::System& system) {
  return of_file(path, [&](const auto& bytes) {
    std::vector<Checkpoint> chips = deserialize_checkpoints(bytes);
    if (chips.size() != system.chips.size())
      throw BadCheckpoint("the checkpoint is of a system of " + std::to_string(chips.size()) + " chips, " +
                          system.name + " has " + std::to_string(system.chips.size()));
    for (size_t c = 0; c < chips.size(); ++c)
      if (chips[c].machine_hash != system.chips[c].hash())
        throw BadCheckpoint("the checkpoint's chip " + std::to_string(c) + " is of machine " + chips[c].machine +
                            ", that of " + system.name + " is " + system.chips[c].name);
    return chips;
  });
}

}  // namespace tessera::chip
