#include "victim_program.h"

#include <bit>
#include <string>

#include "rtl/spec/words.h"

namespace tessera::test {
namespace {

using spec::Csr;
using Op = spec::Opcode;

// Memory of a tile: blocks of the workers, whose first words the host gives and whose last the worker stores.
constexpr uint32_t kWork = 0x80000, kBlock = 256, kSum = 0xA0000, kRead = 0xA8000, kWrite = 0xB0000;
constexpr unsigned kHostWords = 6 * 8, kSentWords = 16;

constexpr uint32_t kArrived = 0x98000;
constexpr uint32_t host_input(unsigned tile) { return 0x1000 + 0x400 * tile; }
constexpr uint32_t host_output(unsigned tile) { return 0x8000 + 0x400 * tile; }

// Sums squares of the block's floats, a random walk and a quotient; leaves them in the block. Returns where it ends.
uint32_t worker(TileProgram& p) {
  p.csr_read(5, Csr::Xvbase);
  p.add(Op::Addi, {.rd = 2, .rs1 = 5, .imm = 240});
  p.add(Op::Addi, {.rd = 6, .rs1 = 5, .imm = 160});
  p.csr_write(Csr::Xstacklimit, 6);
  p.add(Op::Addi, {.rd = 7, .rs1 = 5});
  p.add(Op::Addi, {.rd = 9, .imm = 1});
  p.csr_write(Csr::Xstride1, 9);
  p.add(Op::Lw, {.rd = 9, .rs1 = 5});
  p.csr_write(Csr::Xtas, 9);
  p.add(Op::Addi, {.rd = 8, .imm = 4});
  p.add(Op::Addi, {.rd = 11, .imm = 1});
  p.add(Op::Flw, {.rd = 6, .rs1 = 5});
  const uint32_t loop = p.here();
  p.add(Op::Ld64stride, {.rd = 1, .rs1 = 7, .imm = 1});
  p.add(Op::F32v2mul, {.rd = 3, .rs1 = 1, .rs2 = 1});
  p.add(Op::F32v2add, {.rd = 4, .rs1 = 4, .rs2 = 3});
  p.add(Op::F32v2axpy, {.rd = 5, .rs1 = 1, .rs2 = 4});
  p.add(Op::F32v2extract, {.rd = 8, .rs1 = 1, .imm = 1});
  p.add(Op::FaddS, {.rd = 6, .rs1 = 6, .rs2 = 8, .rm = 7});
  p.add(Op::Urand32, {.rd = 10});
  p.add(Op::Add, {.rd = 11, .rs1 = 11, .rs2 = 10});
  p.add(Op::Addi, {.rd = 2, .rs1 = 2, .imm = -16});
  p.add(Op::Sw, {.rs1 = 2, .rs2 = 11});
  p.add(Op::Lw, {.rd = 12, .rs1 = 2});
  p.add(Op::Addi, {.rd = 2, .rs1 = 2, .imm = 16});
  p.add(Op::Addi, {.rd = 8, .rs1 = 8, .imm = -1});
  p.add(Op::Bne, {.rs1 = 8, .rs2 = 0, .imm = static_cast<int>(loop - p.here())});
  p.add(Op::FdivS, {.rd = 7, .rs1 = 6, .rs2 = 8, .rm = 7});
  p.add(Op::Fsd, {.rs1 = 5, .rs2 = 4, .imm = 64});
  p.add(Op::Fsd, {.rs1 = 5, .rs2 = 5, .imm = 72});
  p.add(Op::Fsw, {.rs1 = 5, .rs2 = 7, .imm = 80});
  p.add(Op::Sw, {.rs1 = 5, .rs2 = 12, .imm = 84});
  p.csr_read(13, Csr::Fflags);
  p.add(Op::Sw, {.rs1 = 5, .rs2 = 13, .imm = 88});
  p.add(Op::Exit, {.rs1 = 5});
  return p.here();
}

void read_host(TileProgram& p) {
  p.li(9, kHostWords);
  p.csr_write(Csr::Xcount, 9);
  p.hsend(kRead, 3);
  p.sync(5);
  // Each worker's words to its block.
  p.li(20, kRead + 64);
  p.li(21, kWork);
  p.li(22, kHostWords / 8);
  const uint32_t block = p.here();
  for (int word = 0; word < 8; ++word) {
    p.add(Op::Lw, {.rd = 23, .rs1 = 20, .imm = 4 * word});
    p.add(Op::Sw, {.rs1 = 21, .rs2 = 23, .imm = 4 * word});
  }
  p.add(Op::Addi, {.rd = 20, .rs1 = 20, .imm = 32});
  p.add(Op::Addi, {.rd = 21, .rs1 = 21, .imm = kBlock});
  p.add(Op::Addi, {.rd = 22, .rs1 = 22, .imm = -1});
  p.add(Op::Bne, {.rs1 = 22, .rs2 = 0, .imm = static_cast<int>(block - p.here())});
}

// x5 = x5 / 3 + what arrived; kept, and the packet's payload.
void sum_arrived(TileProgram& p) {
  p.li(3, 3);
  p.add(Op::Divu, {.rd = 5, .rs1 = 5, .rs2 = 3});
  p.li(6, kArrived);
  p.li(7, kArrived + 4 * kSentWords);
  const uint32_t loop = p.here();
  p.add(Op::Lw, {.rd = 8, .rs1 = 6});
  p.add(Op::Add, {.rd = 5, .rs1 = 5, .rs2 = 8});
  p.add(Op::Addi, {.rd = 6, .rs1 = 6, .imm = 4});
  p.add(Op::Bne, {.rs1 = 6, .rs2 = 7, .imm = static_cast<int>(loop - p.here())});
  p.sw(5, kSum);
  p.sw(5, kWrite + 8);
}

uint32_t exchange_events(TileProgram& p, const spec::Machine& m, unsigned tile) {
  const unsigned source = (tile + 1) % m.tiles();
  const unsigned send_at = 10 + 2 * tile, receive_at = 10 + 2 * source + m.receive_offset(source, tile);
  const uint32_t events = p.begin_events();
  if (send_at < receive_at) {
    p.event(false, false, send_at, kWork + 64, kSentWords);
    p.event(true, true, receive_at - send_at - 1, kArrived, kSentWords, source);
  } else {
    p.event(false, true, receive_at, kArrived, kSentWords, source);
    p.event(true, false, send_at - receive_at - 1, kWork + 64, kSentWords);
  }
  return events;
}

}  // namespace

ChipProgram victim_program(const spec::Machine& m) {
  ChipProgram tiles(m.tiles());
  for (unsigned t = 0; t < m.tiles(); ++t) {
    TileProgram& p = tiles[t];
    p.data(kRead, {spec::PacketHeader{.words = kHostWords, .tile = t, .kind = spec::PacketKind::kReadHost}.encode(),
                   host_input(t), kRead + 64});
    p.data(kWrite,
           {spec::PacketHeader{.words = 1, .tile = t, .kind = spec::PacketKind::kWriteHost}.encode(), host_output(t)});
    const uint32_t events = exchange_events(p, m, t);
    TileProgram measured;
    p.add(Op::Jal, {.rd = 0, .imm = static_cast<int>(4 + worker(measured) - kCode)});
    const uint32_t entry = p.here();
    worker(p);
    p.li(18, kVictimSupersteps);
    p.li(5, 1000 * (t + 1));
    const uint32_t superstep = p.here();
    p.sync(3);
    read_host(p);
    p.li(10, entry);
    p.li(11, kWork);
    p.add(Op::Runall, {.rs1 = 10, .rs2 = 11, .imm = kBlock});
    p.sync(0);
    p.hsend(kWrite, 3);
    p.arm(events);
    p.sync(2);
    p.sync(1);
    sum_arrived(p);
    p.add(Op::Addi, {.rd = 18, .rs1 = 18, .imm = -1});
    p.add(Op::Bne, {.rs1 = 18, .rs2 = 0, .imm = static_cast<int>(superstep - p.here())});
    p.sync(4);
    p.trap(1);
  }
  return tiles;
}

std::vector<uint32_t> victim_words(const spec::Machine& m) {
  std::vector<uint32_t> words;
  for (const auto& [address, word] : victim_program(m)[0].image()) words.push_back(address);
  for (uint32_t block = 0; block < 6; ++block)
    for (uint32_t offset = 0; offset < 92; offset += 4) words.push_back(kWork + block * kBlock + offset);
  for (uint32_t n = 0; n < kSentWords; ++n) words.push_back(kArrived + 4 * n);
  for (uint32_t n = 0; n < kHostWords; ++n) words.push_back(kRead + 64 + 4 * n);
  words.push_back(kSum);
  words.push_back(kWrite + 8);
  return words;
}

uint32_t victim_instruction(const spec::Machine& m, spec::Opcode opcode, int32_t immediate) {
  for (const auto& [address, word] : victim_program(m)[0].image())
    if (address < kData && spec::decode(word) == opcode &&
        spec::immediate_of(spec::info(opcode).format, word) == immediate)
      return address;
  return 0;
}

uint64_t victim_loading(const spec::Machine& m) {
  uint64_t writes = 1;
  for (const auto& tile : victim_program(m)) writes += tile.image().size();
  return writes;
}

VictimHost::VictimHost(const spec::Machine& m) : HostMemory(m) {
  for (unsigned t = 0; t < m.tiles(); ++t)
    for (unsigned i = 0; i < kHostWords; ++i)
      set_word(host_input(t) + 4 * i, std::bit_cast<uint32_t>(0.25f * static_cast<float>(t + 1 + i)));
}

namespace {
void require_inside(uint32_t address, size_t words) {
  if (address % 4 != 0 || address + 4 * words > kHostBytes)
    throw HostRefuses("the chip reaches outside host memory: " + std::to_string(address));
}
}  // namespace

void VictimHost::write(uint64_t cycle, uint32_t address, std::span<const uint32_t> words) {
  require_inside(address, words.size());
  HostMemory::write(cycle, address, words);
}

uint64_t VictimHost::read(uint64_t cycle, uint32_t address, std::span<uint32_t> words) {
  require_inside(address, words.size());
  return HostMemory::read(cycle, address, words);
}

}  // namespace tessera::test
