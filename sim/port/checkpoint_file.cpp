#include <bit>
#include <cstring>
#include <fstream>
#include <iterator>

#include "sim/port/checkpoint.h"

namespace tessera::chip {
namespace {

constexpr char kMagic[] = {'T', 'S', 'R', 'C', 'H', 'E', 'C', 'K'};
constexpr uint32_t kVersion = 1;
constexpr size_t kDigestBytes = 8;

// A change of any one byte changes it.
uint64_t digest(const uint8_t* data, size_t size) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (size_t i = 0; i < size; ++i) hash = (hash ^ data[i]) * 0x100000001b3ull;
  return hash;
}

// One description of the content serves writing and reading. Numbers are little-endian.
class Writer {
 public:
  std::vector<uint8_t> bytes;

  template <class T>
  void number(const T& value) {
    for (size_t i = 0; i < sizeof(T); ++i)
      bytes.push_back(static_cast<uint8_t>(static_cast<uint64_t>(value) >> (8 * i)));
  }
};

class Reader {
 public:
  Reader(const uint8_t* data, size_t size) : at_(data), left_(size) {}

  template <class T>
  void number(T& value) {
    if (left_ < sizeof(T)) throw BadCheckpoint("the checkpoint is cut off");
    uint64_t bits = 0;
    for (size_t i = 0; i < sizeof(T); ++i) bits |= uint64_t{at_[i]} << (8 * i);
    value = static_cast<T>(bits);
    at_ += sizeof(T);
    left_ -= sizeof(T);
  }

 private:
  const uint8_t* at_;
  size_t left_;
};

template <class Stream, class Numbers>
void numbers(Stream& stream, Numbers& values) {
  for (auto& value : values) stream.number(value);
}

template <class Stream>
void text(Stream& stream, std::string& value) {
  auto size = static_cast<uint32_t>(value.size());
  stream.number(size);
  if (value.size() != size) value.resize(size);
  numbers(stream, value);
}

template <class Stream>
void course(Stream& stream, EngineState& state, size_t tiles) {
  auto waits = state.barrier_.waits();
  waits.resize(tiles);
  for (auto& wait : waits) {
    stream.number(wait.cycle);
    stream.number(wait.zone);
    stream.number(wait.value);
  }
  state.barrier_.set_waits(waits);
  auto phases = state.phases_.numbers();
  numbers(stream, phases);
  state.phases_.set_numbers(phases);
  for (uint64_t* value : {&state.now_, &state.evaluated_, &state.supersteps_, &state.sync_.request, &state.ack_,
                          &state.notify_, &state.stood_at_})
    stream.number(*value);
  stream.number(state.sync_.zone);
  stream.number(state.sync_.consensus);
  stream.number(state.notified_);
  stream.number(state.mark_);
}

template <class Stream>
void place(Stream& stream, TilePlace& place) {
  for (uint64_t* value : {&place.local, &place.joined_until, &place.phase_start}) stream.number(*value);
  stream.number(place.out.sync_zone);
  stream.number(place.out.sync_value);
  place.out.sync_request = place.out.idle = true;
}

template <class Stream>
void tile(Stream& stream, Checkpoint::Tile& tile) {
  for (auto& registers : tile.x) numbers(stream, registers);
  numbers(stream, tile.pc);
  numbers(stream, tile.csrs);
  for (auto& worker : tile.workers) {
    numbers(stream, worker.f);
    numbers(stream, worker.csrs);
    numbers(stream, worker.vector);
  }
  numbers(stream, tile.weights);
  stream.number(tile.mark);
  stream.number(tile.armed_list);
  place(stream, tile.place);
}

void memory(Writer& writer, std::map<uint32_t, Checkpoint::Page>& pages) {
  writer.number(static_cast<uint32_t>(pages.size()));
  for (auto& [address, page] : pages) {
    writer.number(address);
    numbers(writer, page);
  }
}

void memory(Reader& reader, std::map<uint32_t, Checkpoint::Page>& pages) {
  uint32_t count = 0;
  reader.number(count);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t address = 0;
    reader.number(address);
    numbers(reader, pages[address]);
  }
}

template <class Stream>
void content(Stream& stream, Checkpoint& checkpoint) {
  text(stream, checkpoint.machine);
  stream.number(checkpoint.machine_hash);
  auto count = static_cast<uint32_t>(checkpoint.tiles.size());
  stream.number(count);
  checkpoint.tiles.resize(count);
  course(stream, checkpoint.course, count);
  for (uint64_t* value : {&checkpoint.edge.free, &checkpoint.edge.down_free, &checkpoint.edge.drained})
    stream.number(*value);
  for (auto& t : checkpoint.tiles) {
    tile(stream, t);
    memory(stream, t.memory);
  }
}

}  // namespace

std::vector<uint8_t> serialize(const Checkpoint& checkpoint) {
  Writer writer;
  writer.bytes.assign(std::begin(kMagic), std::end(kMagic));
  writer.number(kVersion);
  Checkpoint copy = checkpoint;
  content(writer, copy);
  const uint64_t sum = digest(writer.bytes.data(), writer.bytes.size());
  writer.number(sum);
  return std::move(writer.bytes);
}

Checkpoint deserialize_checkpoint(const std::vector<uint8_t>& bytes, const spec::Machine& machine) {
  constexpr size_t kHead = sizeof(kMagic) + sizeof(kVersion);
  if (bytes.size() < kHead + kDigestBytes || std::memcmp(bytes.data(), kMagic, sizeof(kMagic)) != 0)
    throw BadCheckpoint("this is no checkpoint");
  Reader head(bytes.data() + sizeof(kMagic), sizeof(kVersion));
  uint32_t version = 0;
  head.number(version);
  if (version != kVersion)
    throw BadCheckpoint("the checkpoint has format version " + std::to_string(version) + ", known is " +
                        std::to_string(kVersion));
  const size_t end = bytes.size() - kDigestBytes;
  Reader tail(bytes.data() + end, kDigestBytes);
  uint64_t sum = 0;
  tail.number(sum);
  if (sum != digest(bytes.data(), end)) throw BadCheckpoint("the checkpoint is damaged: its digest does not fit");
  Reader reader(bytes.data() + kHead, end - kHead);
  Checkpoint checkpoint;
  content(reader, checkpoint);
  if (checkpoint.machine_hash != machine.hash())
    throw BadCheckpoint("the checkpoint is of machine " + checkpoint.machine + ", the chip is " + machine.name);
  return checkpoint;
}

void save_checkpoint(const Checkpoint& checkpoint, const std::string& path) {
  const auto bytes = serialize(checkpoint);
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw BadCheckpoint(path + ": cannot be written");
}

Checkpoint load_checkpoint(const std::string& path, const spec::Machine& machine) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw BadCheckpoint(path + ": cannot be read");
  const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
  try {
    return deserialize_checkpoint(bytes, machine);
  } catch (const BadCheckpoint& bad) {
    throw BadCheckpoint(path + ": " + bad.what());
  }
}

}  // namespace tessera::chip
