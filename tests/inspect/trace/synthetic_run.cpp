#include "synthetic_run.h"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <sstream>

#include "rtl/spec/words.h"
#include "tb/tier.h"

namespace tessera::inspect::trace {
namespace {

class Maker {
 public:
  Maker(const spec::Machine& machine, const std::vector<uint32_t>& tiles, uint64_t seed, const SyntheticShape& shape)
      : machine_(machine), tiles_(tiles), random_(seed), shape_(shape) {}

  std::vector<Event> make() {
    for (unsigned i = 0; i < 40; ++i) debug_write(chip::kNoTile, i, 0x4c000 + 4 * i);
    for (const uint32_t tile : tiles_) debug_write(tile, cycle_, 0x60000);
    for (uint64_t step = 0; step < shape_.supersteps; ++step) superstep(step);
    return std::move(events_);
  }

 private:
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  bool once_in(uint32_t n) { return below(n) == 0; }
  Event& add(EventKind kind, uint8_t lane, uint32_t tile, uint64_t cycle) {
    Event e;
    e.kind = kind;
    e.lane = lane;
    e.tile = tile;
    e.cycle = cycle;
    events_.push_back(e);
    return events_.back();
  }

  void debug_write(uint32_t tile, uint64_t, uint32_t address) {
    Event& e = add(EventKind::kDebugWritten, kLaneDebug, tile, cycle_);
    e.address = address;
    e.value = static_cast<uint32_t>(random_());
    e.space = once_in(5) ? chip::DebugSpace::kControl : chip::DebugSpace::kMemory;
    e.context = static_cast<uint8_t>(below(7));
    add(EventKind::kDebugTime, kLanePorts, chip::kNoTile, cycle_).to = cycle_ + 1;
    ++cycle_;
  }

  chip::Retire instruction(unsigned context, uint32_t pc, uint64_t cycle) {
    chip::Retire r;
    r.valid = true;
    r.cycle = cycle;
    r.context = static_cast<uint8_t>(context);
    r.pc = pc;
    uint32_t& text = text_[pc];
    if (text == 0 || (shape_.odd && once_in(2000))) text = static_cast<uint32_t>(random_()) | 1;
    r.instruction = text;
    if (shape_.odd && once_in(3000)) r.instruction = 0;
    if (once_in(40)) r.flags = static_cast<uint8_t>(below(32));
    if (shape_.odd && once_in(4000)) r.exception = static_cast<uint8_t>(1 + below(15));
    if (text % 7 == 3) {
      const unsigned bytes = 1u << below(4), first = bytes * below(8 / bytes);
      uint32_t& pointer = pointers_[{context, pc}];
      pointer = once_in(30) ? 0x50000 + 8 * below(4000) : pointer + 8;
      r.mem_write = true;
      r.mem_address = pointer & ~7u;
      r.mem_strobe = static_cast<uint8_t>(((1u << bytes) - 1) << first);
      if (shape_.odd && bytes == 8 && once_in(50)) r.mem_strobe = 0xa5;
      for (unsigned byte = 0; byte < 8; ++byte)
        if (r.mem_strobe >> byte & 1) r.mem_data |= static_cast<uint64_t>(below(256)) << 8 * byte;
    } else if (text % 7 != 5) {
      r.reg_write = true;
      r.reg = static_cast<uint8_t>(1 + below(31));
      r.reg_float = text % 4 == 3;
      r.reg_data = r.reg_float ? (once_in(2) ? random_() : 0xffffffff00000000ull | below(99)) : below(~0u);
      r.pair_write = r.reg_float && once_in(5);
      if (r.pair_write) r.pair_data = random_();
      r.base_write = once_in(6);
      r.base = r.base_write ? static_cast<uint8_t>(1 + below(31)) : 0;
      r.base_float = r.base_write && once_in(4);
      if (r.base_write) r.base_data = r.base_float ? random_() : below(~0u);
    }
    return r;
  }

  void context(uint32_t tile, unsigned context, uint64_t begin) {
    uint64_t cycle = begin + below(20);
    uint32_t pc = 0x4c000 + 4 * below(600);
    for (unsigned left = below(shape_.instructions + 1); left > 0; --left) {
      add(EventKind::kRetire, static_cast<uint8_t>(context), tile, cycle).retire = instruction(context, pc, cycle);
      events_.back().context = static_cast<uint8_t>(context);
      pc = once_in(9) ? (once_in(3) ? 0x4c000 + 4 * below(600) : pc - 16) : pc + 4;
      cycle += context != 0 ? 6 * (once_in(50) ? 1 + below(9) : 1) : (once_in(9) ? 6 : 1);
      end_ = std::max(end_, cycle);
    }
  }

  // One tile sends, others get it and write it; with a hole where words come from a tile that is not known.
  void exchange(uint64_t begin) {
    const uint32_t source = tiles_[below(static_cast<uint32_t>(tiles_.size()))];
    const unsigned words = 1 + below(60);
    std::vector<uint32_t> data(words);
    for (uint32_t& word : data) word = static_cast<uint32_t>(random_());
    for (unsigned i = 0; i < words; ++i) add(EventKind::kSent, kLaneSent, source, begin + i).value = data[i];
    for (const uint32_t tile : tiles_) {
      const uint64_t at = begin + machine_.latency(source, tile);
      add(EventKind::kExchanging, kLanePorts, tile, begin).flag = true;
      add(EventKind::kSelected, kLanePorts, tile, at - machine_.select_latency(tile)).address = source;
      for (unsigned i = 0; i < words; ++i) {
        Event& got = add(EventKind::kReceived, kLaneReceived, tile, at + i);
        got.address = source;
        got.value = once_in(300) ? 0 : data[i];
        Event& wrote = add(EventKind::kExchangeWrite, kLaneExchangeWrite, tile, at + i);
        wrote.address = 0x70000 + 4 * i;
        wrote.value = data[i];
      }
      add(EventKind::kSelected, kLanePorts, tile, at + words).address = chip::kNoTile;
      add(EventKind::kExchanging, kLanePorts, tile, at + words).flag = false;
      end_ = std::max(end_, at + words + 1);
    }
  }

  void packets(uint64_t begin) {
    const uint32_t tile = tiles_[below(static_cast<uint32_t>(tiles_.size()))];
    const unsigned words = 2 + below(20);
    const auto header = [&](uint32_t kind) {
      return spec::PacketHeader{.words = words - 2, .tile = tile, .kind = kind}.encode();
    };
    add(EventKind::kPacketRequest, kLanePorts, tile, begin);
    for (unsigned i = 0; i < words; ++i) {
      Event& out = add(EventKind::kPacketOut, kLanePacketOut, tile, begin + 50 + i);
      out.value = i == 0 ? header(spec::PacketKind::kWriteHost) : static_cast<uint32_t>(random_());
      out.flag = i + 1 == words;
    }
    for (unsigned i = 0; i < words; ++i) {
      Event& in = add(EventKind::kPacketIn, kLanePacketIn, tile, begin + 900 + i);
      in.value = i == 0 ? header(spec::PacketKind::kResponse) : static_cast<uint32_t>(random_());
      in.flag = i == 0;
      if (i < 2) continue;
      const uint32_t value = in.value;
      Event& wrote = add(EventKind::kPacketWrite, kLanePacketWrite, tile, begin + 900 + i);
      wrote.address = 0x60000 + 4 * i;
      wrote.value = value;
    }
    end_ = std::max(end_, begin + 900 + words);
  }

  void superstep(uint64_t index) {
    end_ = cycle_ + 10;
    exchange(cycle_ + 1);
    const uint64_t begin = end_;
    for (const uint32_t tile : tiles_)
      for (unsigned c = 0; c < kContexts; ++c)
        if (!once_in(4)) context(tile, c, begin);
    if (once_in(3)) packets(begin);
    if (shape_.odd && once_in(8)) {
      Event& e = add(EventKind::kExcepted, kLaneExceptions, tiles_.front(), end_);
      e.context = static_cast<uint8_t>(below(7));
      e.address = 1 + below(13);
      e.value = static_cast<uint32_t>(random_());
      e.from = 0x4c000 + 4 * below(500);
    }
    const uint64_t request = end_ + 6;
    for (const uint32_t tile : tiles_) {
      Event& e = add(EventKind::kSyncRequest, kLanePorts, tile, request - (tile == tiles_.back() ? 0 : below(5)));
      e.address = 2;
      e.flag = once_in(2);
    }
    Event& ack = add(EventKind::kSyncAcknowledge, kLanePorts, chip::kNoTile, request + 96);
    ack.address = 2;
    ack.flag = once_in(2);
    ack.from = request;
    ack.to = request + 97;
    add(EventKind::kSuperstep, kLanePorts, chip::kNoTile, request + 96).from = index;
    cycle_ = request + 97;
  }

  const spec::Machine& machine_;
  const std::vector<uint32_t>& tiles_;
  std::mt19937_64 random_;
  SyntheticShape shape_;
  std::vector<Event> events_;
  std::map<uint32_t, uint32_t> text_;
  std::map<std::pair<unsigned, uint32_t>, uint32_t> pointers_;
  uint64_t cycle_ = 0, end_ = 0;
};

}  // namespace

std::vector<Event> synthetic_run(const spec::Machine& machine, const std::vector<uint32_t>& tiles, uint64_t seed,
                                 const SyntheticShape& shape) {
  return Maker(machine, tiles, seed, shape).make();
}

Event without_registers(Event e) {
  chip::Retire& r = e.retire;
  r.reg_write = r.reg_float = r.pair_write = r.base_write = r.base_float = false;
  r.reg = r.base = 0;
  r.reg_data = r.pair_data = r.base_data = 0;
  return e;
}

std::string all_of(const Event& e) {
  std::ostringstream out;
  out << std::hex << "cycle " << e.cycle << " tile " << e.tile << " lane " << +e.lane << " kind "
      << static_cast<unsigned>(e.kind) << " context " << +e.context << " space " << static_cast<unsigned>(e.space)
      << " flag " << e.flag << " value " << e.value << " address " << e.address << " from " << e.from << " to " << e.to;
  if (e.kind != EventKind::kRetire) return out.str();
  const chip::Retire& r = e.retire;
  out << " | " << r.valid << " cycle " << r.cycle << " context " << +r.context << " pc " << r.pc << " instruction "
      << r.instruction << " register " << r.reg_write << r.reg_float << " " << +r.reg << " " << r.reg_data << " pair "
      << r.pair_write << " " << r.pair_data << " base " << r.base_write << r.base_float << " " << +r.base << " "
      << r.base_data << " memory " << r.mem_write << " " << r.mem_address << " " << r.mem_data << " " << +r.mem_strobe
      << " flags " << +r.flags << " exception " << +r.exception;
  return out.str();
}

TemporaryFile::TemporaryFile(const std::string& ending)
    : path([&ending] {
        static int count = 0;
        return (std::filesystem::temp_directory_path() /
                ("tessera-trace-" + std::to_string(::getpid()) + "-" + std::to_string(count++) + ending))
            .string();
      }()) {}

TemporaryFile::~TemporaryFile() {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
}

std::vector<char> contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write(const std::string& path, const std::vector<char>& bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

uint64_t seed_of_test(uint64_t usual) {
  const char* given = std::getenv("TESSERA_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 0) : usual;
}

unsigned rounds_of_test(unsigned usual, unsigned nightly) {
  return static_cast<unsigned>(test::in_tier(usual, nightly));
}

}  // namespace tessera::inspect::trace
