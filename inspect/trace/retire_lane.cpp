#include "inspect/trace/retire_lane.h"

#include <utility>

namespace tessera::inspect::trace {
namespace {

// A float register is written whole; a scalar's upper half is ones and left out.
constexpr uint32_t kBoxed = 0xffffffff;

void put_value(Bytes& out, uint64_t value, bool is_float) {
  if (!is_float) {
    put_low(out, value, 4);
    return;
  }
  const bool boxed = value >> 32 == kBoxed;
  out.push_back(boxed ? 4 : 8);
  put_low(out, value, boxed ? 4 : 8);
}

uint64_t take_value(ByteReader& in, bool is_float) {
  if (!is_float) return in.low(4);
  const unsigned bytes = in.byte();
  if (bytes != 4 && bytes != 8) throw DamagedBytes("it holds a register value of no known size");
  const uint64_t value = in.low(bytes);
  return bytes == 4 ? value | static_cast<uint64_t>(kBoxed) << 32 : value;
}

constexpr uint32_t usual_cycles(unsigned context) { return context == 0 ? 1 : 6; }

}  // namespace

void RetireEncoder::begin() {
  cycle_ = 0;
  if (prediction_) return prediction_->restart();
  // Not before: most contexts of a large machine run nothing.
  prediction_ = std::make_unique<RetirePrediction>(usual_cycles(context_));
  plans_.resize(RetirePrediction::kEntries);
}

void RetireEncoder::add_miss(const chip::Retire& record, const Reads& reads, uint64_t came, TileText& text) {
  RetirePrediction& p = *prediction_;
  uint8_t miss = 0;
  const uint64_t cycles = record.cycle - cycle_;
  const uint32_t expected_pc = p.next_pc();
  if (record.pc != expected_pc) miss |= Miss::kPc;
  if (cycles != p.cycles()) miss |= Miss::kCycle;
  p.learn_step(record.pc, static_cast<uint32_t>(cycles));
  RetirePrediction::Entry& entry = p.at(record.pc);
  if (entry.instruction == 0) entry.instruction = text.at(record.pc);
  if (record.instruction != entry.instruction || record.instruction == 0) {
    if (!text.learn(record.pc, record.instruction)) miss |= Miss::kInstruction;
    entry.instruction = record.instruction;
  }
  const uint64_t expected_shape = entry.shape;
  if (came != expected_shape) {
    miss |= Miss::kShape;
    entry.shape = came;
  }
  std::array<uint32_t, 3> off{};  // addresses less what was expected: of its memory, of reads by a float register
  const auto expect = [&](MovingAddress& moving, uint32_t address, unsigned n, uint8_t bit) {
    off[n] = address - moving.expected();
    if (off[n] != 0) miss |= bit;
    moving.learn(address);
  };
  if ((came & shape::kStrobe) != 0) expect(entry.memory, stored_at(record), 0, Miss::kAddress);
  if ((came & shape::kRead) != 0) expect(entry.memory, reads.address[0], 0, Miss::kAddress);
  for (unsigned n = 0; n < 2; ++n)
    if ((came & shape::kTripleRead << n) != 0)
      expect(entry.triple[n], reads.address[n], 1 + n, static_cast<uint8_t>(Miss::kTriple << n));
  p.follow(entry);
  if (miss == 0) {
    ++run_;
    return;
  }
  put_varint(misses, run_);
  run_ = 0;
  misses.push_back(miss);
  if (miss & Miss::kPc) put_signed(misses, static_cast<int32_t>(record.pc - expected_pc));
  if (miss & Miss::kCycle) put_varint(misses, cycles);
  if (miss & Miss::kInstruction) put_low(misses, record.instruction, 4);
  if (miss & Miss::kShape) put_varint(misses, came ^ expected_shape);
  for (const auto& [n, bit] : {std::pair{0u, Miss::kAddress + 0u}, {1u, Miss::kTriple + 0u}, {2u, Miss::kTriple * 2u}})
    if (miss & bit) put_signed(misses, static_cast<int32_t>(off[n]));
}

void RetireEncoder::add_registers(const chip::Retire& r, uint64_t came) {
  if (came & shape::kRegister) put_value(registers, r.reg_data, r.reg_float);
  if (came & shape::kPair) put_value(registers, r.pair_data, true);
  if (came & shape::kBase) put_value(registers, r.base_data, r.base_float);
}

void RetireEncoder::end() {
  if (retired == 0) return;
  put_varint(misses, run_);
  misses.push_back(0);
}

void RetireEncoder::clear() {
  misses.clear();
  stores.clear();
  registers.clear();
  retired = run_ = 0;
}

RetireDecoder::RetireDecoder(unsigned context, bool with_registers, ByteReader misses, ByteReader stores,
                             ByteReader registers, const TileText& text)
    : context_(context),
      with_registers_(with_registers),
      misses_(misses),
      stores_(stores),
      registers_(registers),
      text_(&text),
      ended_(misses.empty()) {
  if (!ended_) {
    prediction_ = std::make_unique<RetirePrediction>(usual_cycles(context));
    run_ = misses_.varint();
    miss_ = misses_.byte();
  }
}

bool RetireDecoder::next(chip::Retire& r, Reads& reads) {
  if (ended_) return false;
  uint8_t miss = 0;
  if (run_ > 0) {
    --run_;
  } else {
    miss = miss_;
    if (miss == 0) {
      ended_ = true;
      if (!misses_.empty() || !stores_.empty() || !registers_.empty())
        throw DamagedBytes("it holds more than its records");
      return false;
    }
  }
  RetirePrediction& p = *prediction_;
  r = chip::Retire();
  r.valid = true;
  r.context = static_cast<uint8_t>(context_);
  r.pc = p.next_pc();
  uint64_t cycles = p.cycles();
  if (miss & Miss::kPc) r.pc += static_cast<uint32_t>(misses_.signed_varint());
  if (miss & Miss::kCycle) cycles = misses_.varint();
  p.learn_step(r.pc, static_cast<uint32_t>(cycles));
  RetirePrediction::Entry& entry = p.at(r.pc);
  if (entry.instruction == 0) entry.instruction = text_->at(r.pc);
  if (miss & Miss::kInstruction) entry.instruction = static_cast<uint32_t>(misses_.low(4));
  r.instruction = entry.instruction;
  if (miss & Miss::kShape) entry.shape ^= misses_.varint();
  const uint64_t s = entry.shape;
  r.flags = static_cast<uint8_t>(s >> 8 & 0x1f);
  r.exception = static_cast<uint8_t>(s >> 13 & 0xf);
  reads = {};
  const auto address_of = [&](MovingAddress& moving, unsigned bit) {
    uint32_t address = moving.expected();
    if (miss & bit) address += static_cast<uint32_t>(misses_.signed_varint());
    moving.learn(address);
    return address;
  };
  if ((s & shape::kStrobe) != 0) {
    const uint32_t address = address_of(entry.memory, Miss::kAddress);
    const unsigned first = address % 8;
    r.mem_write = true;
    r.mem_address = address - first;
    r.mem_strobe = static_cast<uint8_t>((s & shape::kStrobe) << first);
    r.mem_data = stores_.low(shape::store_bytes(s)) << 8 * first;
  }
  if ((s & shape::kRead) != 0) reads = {1, false, {address_of(entry.memory, Miss::kAddress), 0}};
  for (unsigned n = 0; n < 2; ++n) {
    if ((s & shape::kTripleRead << n) == 0) continue;
    reads.known |= static_cast<uint8_t>(1u << n);
    reads.triple = true;
    reads.address[n] = address_of(entry.triple[n], Miss::kTriple << n);
  }
  if (with_registers_) {
    r.reg_write = (s & shape::kRegister) != 0;
    r.reg_float = (s & shape::kFloat) != 0;
    r.reg = static_cast<uint8_t>(s >> 19 & 31);
    r.pair_write = (s & shape::kPair) != 0;
    r.base_write = (s & shape::kBase) != 0;
    r.base_float = (s & shape::kBaseFloat) != 0;
    r.base = static_cast<uint8_t>(s >> 27 & 31);
    if (r.reg_write) r.reg_data = take_value(registers_, r.reg_float);
    if (r.pair_write) r.pair_data = take_value(registers_, true);
    if (r.base_write) r.base_data = take_value(registers_, r.base_float);
  }
  cycle_ += cycles;
  r.cycle = cycle_;
  p.follow(entry);
  if (miss != 0) {
    run_ = misses_.varint();
    miss_ = misses_.byte();
  }
  return true;
}

}  // namespace tessera::inspect::trace
