#include "chip_programs.h"

#include <algorithm>

#include "rtl/spec/remote_address.h"
#include "rtl/spec/words.h"

namespace tessera::test {

using spec::Csr;
using Op = spec::Opcode;

uint32_t sent_word(unsigned tile, unsigned i) { return 0x01000193u * (tile * 64 + i + 1); }

namespace {

void send_data(TileProgram& p, unsigned tile) {
  for (unsigned i = 0; i < kWords; ++i) p.data(p.places().sent + 4 * i, sent_word(tile, i));
}

// x5 = sum of the received words, stored at p.places().result.
void sum_received(TileProgram& p) {
  p.li(5, 0);
  p.li(6, p.places().received);
  p.li(7, p.places().received + 4 * kWords);
  const uint32_t loop = p.here();
  p.add(Op::Lw, {.rd = 8, .rs1 = 6});
  p.add(Op::Add, {.rd = 5, .rs1 = 5, .rs2 = 8});
  p.add(Op::Addi, {.rd = 6, .rs1 = 6, .imm = 4});
  p.add(Op::Bne, {.rs1 = 6, .rs2 = 7, .imm = static_cast<int>(loop - p.here())});
  p.sw(5, p.places().result);
}

// Six workers: worker w stores w + 1 added to the word at vertex base to result + 8 * (w + 1).
void run_workers(TileProgram& p) {
  p.add(Op::Jal, {.rd = 0, .imm = 4 * 8});
  const uint32_t entry = p.here();
  p.csr_read(5, Csr::Xvbase);
  p.add(Op::Lw, {.rd = 6, .rs1 = 5});
  p.csr_read(7, Csr::Xwid);
  p.add(Op::Addi, {.rd = 7, .rs1 = 7, .imm = 1});
  p.add(Op::Add, {.rd = 6, .rs1 = 6, .rs2 = 7});
  p.add(Op::Sw, {.rs1 = 5, .rs2 = 6, .imm = 1024});
  p.add(Op::Exit, {.rs1 = 7});
  p.li(10, entry);
  p.li(11, p.places().sent);
  p.add(Op::Runall, {.rs1 = 10, .rs2 = 11, .imm = 16});
  p.sync(0);
}

}  // namespace

ChipProgram ring_program(const spec::Machine& m, unsigned shift) {
  // Cycles between the sends of neighbours, so that no tile has two events in one cycle.
  unsigned apart = 2;
  const auto meets = [&](unsigned t) {
    const unsigned source = (t + shift) % m.tiles();
    return static_cast<int>(apart * t) == static_cast<int>(apart * source) + m.receive_offset(source, t);
  };
  for (unsigned t = 0; t < m.tiles();)
    if (meets(t))
      ++apart, t = 0;
    else
      ++t;
  ChipProgram tiles(m.tiles(), TileProgram(Places(m)));
  for (unsigned t = 0; t < m.tiles(); ++t) {
    TileProgram& p = tiles[t];
    const unsigned source = (t + shift) % m.tiles();
    send_data(p, t);
    const uint32_t events = p.begin_events();
    // Two events in order of time; a tile whose receive comes before or after its send sorts them.
    const unsigned send_at = 10 + apart * t, receive_at = 10 + apart * source + m.receive_offset(source, t);
    if (send_at < receive_at) {
      p.event(false, false, send_at, p.places().sent, kWords);
      p.event(true, true, receive_at - send_at - 1, p.places().received, kWords, source);
    } else {
      p.event(false, true, receive_at, p.places().received, kWords, source);
      p.event(true, false, send_at - receive_at - 1, p.places().sent, kWords);
    }
    run_workers(p);
    p.delay(10 + 7 * t);
    p.arm(events);
    p.sync(2);
    p.sync(1);
    sum_received(p);
    p.sync(4);
    p.trap(1);
  }
  return tiles;
}

ChipProgram multicast_program(const spec::Machine& m, unsigned source) {
  ChipProgram tiles(m.tiles(), TileProgram(Places(m)));
  for (unsigned t = 0; t < m.tiles(); ++t) {
    TileProgram& p = tiles[t];
    const uint32_t events = p.begin_events();
    if (t == source) {
      send_data(p, t);
      p.event(false, false, 4, p.places().sent, kWords);
      p.event(true, true, m.receive_offset(t, t) - 1, p.places().received, kWords, t);
    } else {
      p.event(true, true, 4 + m.receive_offset(source, t), p.places().received, kWords, source);
    }
    p.arm(events);
    p.sync(2);
    p.sync(1);
    sum_received(p);
    p.sync(4);
    p.trap(1);
  }
  return tiles;
}

namespace {

// head(kind of access, tile): words 0 and 1 of a tile's packet.
template <class Head>
ChipProgram memory_program(const spec::Machine& m, unsigned words, const Head& head) {
  ChipProgram tiles(m.tiles(), TileProgram(Places(m)));
  for (unsigned t = 0; t < m.tiles(); ++t) {
    TileProgram& p = tiles[t];
    p.data(p.places().sent, head(false, t));
    for (unsigned i = 0; i < words; ++i) p.data(p.places().sent + 8 + 4 * i, sent_word(t, i));
    p.data(p.places().result, head(true, t));
    p.data(p.places().result + 8, p.places().received);
    p.sync(3);
    p.delay(1 + 5 * (m.tiles() - t));
    p.li(9, words);
    p.csr_write(Csr::Xcount, 9);
    p.hsend(p.places().sent, words + 2);
    p.hsend(p.places().result, 3);
    p.sync(5);
    p.csr_read(12, Csr::Cycle);
    p.sw(12, p.places().result + 64);
    p.sync(2);
    p.sync(4);
    p.trap(1);
  }
  return tiles;
}

}  // namespace

ChipProgram host_memory_program(const spec::Machine& m, unsigned words) {
  return memory_program(m, words, [&](bool reads, unsigned t) {
    const uint32_t kind = reads ? spec::PacketKind::kReadHost : spec::PacketKind::kWriteHost;
    return std::vector<uint32_t>{spec::PacketHeader{.words = words, .tile = t, .kind = kind}.encode(),
                                 0x1000 * (t + 1)};
  });
}

ChipProgram remote_memory_program(const spec::Machine& m, unsigned words) {
  return memory_program(m, words, [&](bool reads, unsigned t) {
    const uint32_t kind = reads ? spec::PacketKind::kReadRemote : spec::PacketKind::kWriteRemote;
    return remote_packet(kind, words, t, kRemote + 0x1000 * (t + 1));
  });
}

ChipProgram mixed_memory_program(const spec::Machine& m, unsigned words) {
  ChipProgram tiles = host_memory_program(m, words);
  const ChipProgram remote = remote_memory_program(m, words);
  for (unsigned t = 1; t < m.tiles(); t += 2) tiles[t] = remote[t];
  return tiles;
}

std::vector<uint32_t> remote_packet(uint32_t kind, unsigned words, unsigned tile, uint64_t address) {
  return {spec::PacketHeader{.words = words, .chip = spec::remote_address_chip(address), .tile = tile, .kind = kind}
              .encode(),
          spec::remote_address_word(address)};
}

ChipProgram consensus_program(const spec::Machine& m) {
  ChipProgram tiles(m.tiles(), TileProgram(Places(m)));
  for (unsigned t = 0; t < m.tiles(); ++t) {
    TileProgram& p = tiles[t];
    p.li(5, t + 1);  // turns left before this tile agrees to stop
    p.li(6, 0);      // supersteps
    const uint32_t loop = p.here();
    p.add(Op::Addi, {.rd = 6, .rs1 = 6, .imm = 1});
    p.add(Op::Addi, {.rd = 5, .rs1 = 5, .imm = -1});
    p.add(Op::Slti, {.rd = 7, .rs1 = 5, .imm = 1});  // agrees
    p.sync_value(2, 7);
    p.csr_read(8, Csr::Xgc);
    p.add(Op::Beq, {.rs1 = 8, .rs2 = 0, .imm = static_cast<int>(loop - p.here())});
    p.sw(6, p.places().result);
    p.sync(4);
    p.csr_read(9, Csr::Xmark);
    p.sw(9, p.places().result + 4);
    p.trap(2);
  }
  return tiles;
}

void HostMemory::write(uint64_t cycle, uint32_t address, std::span<const uint32_t> words) {
  cycles_.push_back(cycle);
  for (size_t i = 0; i < words.size(); ++i) words_.at(address / 4 + i) = words[i];
}

uint64_t HostMemory::read(uint64_t cycle, uint32_t address, std::span<uint32_t> words) {
  cycles_.push_back(cycle);
  for (size_t i = 0; i < words.size(); ++i) words[i] = words_.at(address / 4 + i);
  const uint64_t serial = (words.size() + machine_.pcie_words_per_cycle - 1) / machine_.pcie_words_per_cycle;
  return cycle + 2 * machine_.pcie_latency + machine_.host_turnaround + serial;
}

void HostMemory::remote_write(uint64_t cycle, unsigned, uint64_t address, std::span<const uint32_t> words) {
  cycles_.push_back(cycle);
  for (size_t i = 0; i < words.size(); ++i) remote_[address + 4 * i] = words[i];
}

uint64_t HostMemory::remote_read(uint64_t cycle, unsigned, uint64_t address, std::span<uint32_t> words) {
  cycles_.push_back(cycle);
  for (size_t i = 0; i < words.size(); ++i) words[i] = remote_word(address + 4 * i);
  remote_answers_.erase(remote_answers_.lower_bound(cycle), remote_answers_.end());
  const uint64_t before = remote_answers_.empty() ? 0 : remote_answers_.rbegin()->second;
  const uint64_t serial = (4 * words.size() + remote_bytes_per_cycle - 1) / remote_bytes_per_cycle;
  return remote_answers_[cycle] = std::max(cycle + remote_latency, before) + serial;
}

uint32_t HostMemory::remote_word(uint64_t address) const {
  const auto word = remote_.find(address);
  return word == remote_.end() ? 0 : word->second;
}

}  // namespace tessera::test
