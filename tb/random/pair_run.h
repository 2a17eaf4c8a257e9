// Two tiles run the same random programs with the same inputs; what they retire, write, show at their ports and answer
// to the debugger is compared in every cycle.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <set>

#include "coverage.h"
#include "program_generator.h"
#include "sim/engine/lockstep.h"
#include "surroundings_of_tile.h"

namespace tessera::test {

inline bool same_ports(const chip::TileOutputs& a, const chip::TileOutputs& b) {
  return a.sync_request == b.sync_request &&
         (!a.sync_request || (a.sync_zone == b.sync_zone && a.sync_value == b.sync_value)) &&
         a.exchange_valid == b.exchange_valid && (!a.exchange_valid || a.exchange_data == b.exchange_data) &&
         a.exchange_select == b.exchange_select && a.pair_valid == b.pair_valid &&
         (!a.pair_valid || a.pair_data == b.pair_data) && a.paired == b.paired &&
         a.packet_request == b.packet_request && a.packet_valid == b.packet_valid &&
         (!a.packet_valid || (a.packet_last == b.packet_last && a.packet_data == b.packet_data)) &&
         a.debug_refused == b.debug_refused && a.exception == b.exception && a.idle == b.idle &&
         a.exchanging == b.exchanging;
}

// What reports and the debugger say of tiles that run. The pc of a worker that is not active means nothing.
inline bool same_places(const chip::TileWait& a, const chip::TileWait& b) {
  if (a.active_workers != b.active_workers || a.supervisor_pc != b.supervisor_pc) return false;
  for (unsigned w = 0; w < 6; ++w)
    if (a.active_workers >> w & 1 && a.worker_pc[w] != b.worker_pc[w]) return false;
  return true;
}

inline std::string describe(const chip::TileWait& w) {
  return fmt::format("active {:06b} supervisor {:05x} workers {:05x}", w.active_workers, w.supervisor_pc,
                     fmt::join(w.worker_pc, " "));
}

inline std::string describe(const chip::TileOutputs& o) {
  return fmt::format(
      "sync {}/{}/{} exchange {}/{:08x} select {:03x} pair {}/{:08x}/{} packet {}/{}/{}/{:08x} exception {} idle {} "
      "exchanging {}",
      o.sync_request, o.sync_zone, o.sync_value, o.exchange_valid, o.exchange_data, o.exchange_select, o.pair_valid,
      o.pair_data, o.paired, o.packet_request, o.packet_valid, o.packet_last, o.packet_data, o.exception, o.idle,
      o.exchanging);
}

template <class Left, class Right>
class PairRun {
 public:
  PairRun(Left& left, Right& right, unsigned tile) : left_(left), right_(right), tile_(tile), lockstep_(1, {}) {}

  Coverage coverage;
  // Segments by the cause that ended them; port faults leave no record, so that coverage does not see them.
  uint64_t ended_by(unsigned cause) const { return ended_by_[cause]; }
  uint64_t cycles() const { return cycles_; }
  uint64_t stuck() const { return stuck_; }  // segments that did not end by themselves

  // Runs a program on both; false when they differed, and report() says how.
  bool run(const RandomProgram& program) {
    left_.reset();
    right_.reset();
    cycle_ = read_until_ = 0;
    written_.clear();
    left_out_ = right_out_ = chip::TileOutputs();
    TileSurroundings around(program.seed ^ 0x5eed, tile_);
    Random debug(program.seed ^ 0xdeb);
    surroundings_ = nullptr;
    for (const auto& image : program.images)
      for (size_t n = 0; n < image.words.size(); ++n)
        debug_write(chip::DebugSpace::kMemory, image.address + 4 * static_cast<uint32_t>(n), image.words[n]);
    for (uint32_t n = 0; n < program.weights.size(); ++n)
      for (const uint32_t half : {0u, 1u})
        debug_write(chip::DebugSpace::kVector, 2 * n + half, static_cast<uint32_t>(program.weights[n] >> 32 * half));
    for (const uint32_t entry : program.entries) {
      debug_write(chip::DebugSpace::kControl, 0, entry);
      around.restart();
      surroundings_ = &around;
      run_segment(debug, program);
      surroundings_ = nullptr;
      for (int n = 0; n < 10 && !differs(); ++n) inspect(debug);
      if (differs()) break;
      poke(debug);
    }
    lockstep_.finish();
    if (!differs()) compare_memory();
    if (!differs()) compare_engine();
    if (differs()) report_ = fmt::format("seed {:#x}, cycle {}\n", program.seed, cycle_) + report_ + lockstep_.report();
    return report_.empty();
  }
  const std::string& report() const { return report_; }
  uint64_t cycle() const { return cycle_; }  // of the present program
  // Of the instruction whose records differed; Illegal when something else did.
  spec::Opcode failing() const { return failing_; }
  void limit_cycles(uint64_t cycles) { limit_ = cycles; }  // programs are cut off after so many
  // From now on a debugger does anything at any time, in one cycle of so many: it holds, steps, resumes and starts,
  // reads and writes; what it is told, and whether it is refused, has to be alike.
  void touch(uint32_t one_in) { touched_in_ = one_in; }
  uint64_t touches() const { return touches_; }
  uint64_t struck() const { return struck_; }  // words in which bits have turned over
  uint64_t refused() const { return refused_; }
  uint64_t resumed() const { return resumed_; }      // exceptions behind which something went on
  uint64_t triggered() const { return triggered_; }  // reads that told of a breakpoint or a watched access

 private:
  static constexpr uint64_t kSegmentCycles = 30000;
  static constexpr uint64_t kReadCycles = 4;  // of the debug port, which is busy for so long (edge.md)
  static constexpr uint32_t kWeightWords = 128, kVectorWords = spec::DebugVector::kRepeatLeft + 1;
  static constexpr uint32_t kLatchEnd = spec::DebugVector::kRepeatFirst;
  static constexpr std::initializer_list<uint32_t> kExtensionCsrs = {0x805, 0x806, 0x807, 0x808, 0x809, 0x80A,
                                                                     0x80B, 0x80C, 0x80D, 0x80E, 0xFC5};

  bool differs() const { return lockstep_.differs() || !report_.empty(); }

  void step(chip::TileInputs in) {
    in.cycle = cycle_++;
    ++cycles_;
    if (touched_in_ != 0 && in.debug_valid) note_access(in);
    left_.step(in, left_out_);
    right_.step(in, right_out_);
    if (left_.retire().valid) lockstep_.left().retire(0, left_.retire());
    if (right_.retire().valid) {
      lockstep_.right().retire(0, right_.retire());
      coverage.retire(0, right_.retire());
    }
    left_.port_writes().each([&](const chip::PortWrite& write) { lockstep_.left().port_write(0, write); });
    right_.port_writes().each([&](const chip::PortWrite& write) { lockstep_.right().port_write(0, write); });
    if (lockstep_.differs() && report_.empty() && failing_ == spec::Opcode::Illegal)
      failing_ = spec::decode((left_.retire().valid ? left_.retire() : right_.retire()).instruction);
    note(right_.retire(), right_.port_writes());
    if (!differs() && !same_ports(left_out_, right_out_))
      report_ = fmt::format("ports differ in cycle {}\n  left   {}\n  right  {}\n", cycle_, describe(left_out_),
                            describe(right_out_));
    if (cycle_ == told_at_ && right_out_.debug_data != 0) ++triggered_;
    if (!differs() && touched_in_ != 0 && left_out_.debug_data != right_out_.debug_data)
      report_ = fmt::format("debug data differ in cycle {}: left {:#x}, right {:#x}; last accesses:{}\n", cycle_,
                            left_out_.debug_data, right_out_.debug_data, touched_);
    if (!differs() && !same_places(left_.wait(), right_.wait()))
      report_ = fmt::format("contexts stand elsewhere in cycle {}\n  left   {}\n  right  {}\n", cycle_,
                            describe(left_.wait()), describe(right_.wait()));
  }

  void run_segment(Random& debug, const RandomProgram& program) {
    // In some segments a debugger holds, steps and resumes contexts as it goes.
    const bool debugged = debug.one_in(8);
    const bool struck = debug.one_in(16);  // bits of its memory turn over
    for (uint64_t n = 0; n < kSegmentCycles && cycle_ < limit_; ++n) {
      if (left_out_.exception || differs()) {
        // Records may come a cycle later than the exception shows.
        step({});
        step({});
        if (touched_in_ != 0 && !differs() && debug.one_in(2) && resume(debug)) continue;
        ++ended_by_[right_.exception().cause & 15];
        return;
      }
      if (struck && debug.one_in(256)) strike(debug, program);
      auto in = surroundings_->inputs(cycle_, left_out_);
      if (touched_in_ != 0 && cycle_ >= read_until_ && debug.one_in(touched_in_))
        touch(debug, program, in);
      else if (debugged && debug.one_in(12))
        interfere(debug, in);
      step(in);
    }
    ++stuck_;
  }

  // Of an exception the debugger takes some contexts on, after a while; false: none.
  bool resume(Random& debug) {
    for (uint32_t wait = debug.below(40); wait != 0; --wait) step({});
    for (uint8_t context = 0; context < 7; ++context)
      if (debug.one_in(2)) debug_write(chip::DebugSpace::kControl, spec::DebugControl::kResume, 0, context);
    resumed_ += !left_out_.exception;
    return !left_out_.exception;
  }

  void touch(Random& debug, const RandomProgram& program, chip::TileInputs& in) {
    using chip::DebugSpace;
    using spec::DebugControl;
    ++touches_;
    refused_ += left_out_.debug_refused;
    in.debug_valid = true;
    in.debug_context = static_cast<uint8_t>(debug.below(7));
    in.debug_wdata = debug.word();
    in.debug_write = debug.one_in(3);
    switch (debug.below(9)) {
      case 0: {
        const auto& image = program.images[debug.below(static_cast<uint32_t>(program.images.size()))];
        in.debug_space = DebugSpace::kMemory;
        in.debug_address = image.address + 4 * debug.below(static_cast<uint32_t>(image.words.size()));
        // The program stays one.
        if (in.debug_write) in.debug_wdata = image.words[(in.debug_address - image.address) / 4];
        break;
      }
      case 1:
        in.debug_space = DebugSpace::kInteger;
        in.debug_address = debug.below(32);
        in.debug_write = false;
        break;
      case 2:
        in.debug_space = DebugSpace::kFloat;
        in.debug_context = static_cast<uint8_t>(1 + debug.below(6));
        in.debug_address = debug.below(64);
        break;
      case 3:
        in.debug_space = DebugSpace::kCsr;
        in.debug_context = static_cast<uint8_t>(1 + debug.below(6));
        in.debug_address = debug.pick({0x001u, 0x002u, 0x003u, 0x805u, 0x806u, 0x80Au});
        in.debug_wdata &= 7;
        break;
      case 4:
        in.debug_space = DebugSpace::kVector;
        in.debug_address = debug.below(in.debug_context == 0 ? kWeightWords : kLatchEnd);
        break;
      case 5:
        in.debug_space = DebugSpace::kControl;
        in.debug_write = false;
        in.debug_address = debug.pick({DebugControl::kStatus, DebugControl::kActive, DebugControl::kExceptionCycleLow,
                                       DebugControl::kTriggered, DebugControl::kTriggered, DebugControl::kBreakpoint1,
                                       DebugControl::kWatchpoint});
        break;
      case 6:
        set_trigger(debug, program, in);
        break;
      default:
        interfere(debug, in);
        if (debug.one_in(4)) in.debug_context = spec::kAllContexts;
        if (debug.one_in(16)) {
          in.debug_address = DebugControl::kStart;
          in.debug_wdata = program.entries[debug.below(static_cast<uint32_t>(program.entries.size()))];
        }
    }
    if (!in.debug_write) read_until_ = cycle_ + kReadCycles;
    if (!in.debug_write && in.debug_space == DebugSpace::kControl && in.debug_address == DebugControl::kTriggered)
      told_at_ = read_until_;
  }

  // A bit of one byte of a word of the program, or one each of two bytes: whoever reads it excepts, so that no program
  // goes astray.
  void strike(Random& debug, const RandomProgram& program) {
    chip::Flip flip;
    flip.site = chip::FlipSite::kMemory;
    flip.address = place(debug, program) & ~3u;
    const uint32_t byte = debug.below(4);
    flip.mask = uint64_t{1} << (8 * byte + debug.below(8));
    if (debug.one_in(2)) flip.mask |= uint64_t{1} << (8 * ((byte + 1 + debug.below(3)) % 4) + debug.below(8));
    left_.flip(flip);
    right_.flip(flip);
    ++struck_;
  }

  // Of what the program is made of or has written.
  uint32_t place(Random& debug, const RandomProgram& program) {
    if (!written_.empty() && debug.one_in(2)) return *std::next(written_.begin(), debug.below(written_.size() % 64));
    const auto& image = program.images[debug.below(static_cast<uint32_t>(program.images.size()))];
    return image.address + 4 * debug.below(static_cast<uint32_t>(image.words.size()));
  }

  void note_access(const chip::TileInputs& in) {
    touched_ += fmt::format("\n  {} of space {}, context {}, address {:#x} in cycle {}, data {:#x}",
                            in.debug_write ? "write" : "read", static_cast<int>(in.debug_space), in.debug_context,
                            in.debug_address, in.cycle, in.debug_wdata);
    if (touched_.size() > 600) touched_.erase(0, touched_.find('\n', touched_.size() - 600));
  }

  // A breakpoint where something executes or a watchpoint where something is; now and then none.
  void set_trigger(Random& debug, const RandomProgram& program, chip::TileInputs& in) {
    using spec::DebugControl;
    in.debug_write = true;
    in.debug_space = chip::DebugSpace::kControl;
    if (debug.one_in(3)) in.debug_context = spec::kAllContexts;
    if (debug.one_in(2)) {
      const auto wait = right_.wait();
      uint32_t pc = debug.one_in(2) ? place(debug, program) : wait.supervisor_pc;
      if (in.debug_context != 0 && in.debug_context != spec::kAllContexts && debug.one_in(2))
        pc = wait.worker_pc[in.debug_context - 1] + 4 * debug.below(4);
      in.debug_address = debug.pick({DebugControl::kBreakpoint0, DebugControl::kBreakpoint1});
      in.debug_wdata = spec::Breakpoint{.enabled = !debug.one_in(8), .word_pc = pc / 4 & 0x3ffff}.encode();
    } else {
      const uint32_t size = debug.pick({2u, 2u, 3u, 4u, 8u, 16u, 31u, 0u});
      in.debug_address = DebugControl::kWatchpoint;
      in.debug_wdata = spec::Watchpoint{.reads = debug.one_in(2),
                                        .writes = debug.one_in(2),
                                        .word_address = place(debug, program) / 4 & 0x3ffff,
                                        .size = size}
                           .encode();
    }
  }

  static void interfere(Random& debug, chip::TileInputs& in) {
    using spec::DebugControl;
    in.debug_valid = in.debug_write = true;
    in.debug_space = chip::DebugSpace::kControl;
    in.debug_context = static_cast<uint8_t>(debug.below(7));
    in.debug_address = debug.pick({DebugControl::kHalt, DebugControl::kResume, DebugControl::kResume,
                                   DebugControl::kResume, DebugControl::kStep});
  }

  void debug_write(chip::DebugSpace space, uint32_t address, uint32_t data, uint8_t context = 0) {
    chip::TileInputs in;
    in.debug_context = context;
    in.debug_valid = in.debug_write = true;
    in.debug_space = space;
    in.debug_address = address;
    in.debug_wdata = data;
    step(in);
  }

  // One random debug read.
  void inspect(Random& random) {
    using spec::DebugControl;
    chip::TileInputs in;
    in.debug_valid = true;
    in.debug_context = static_cast<uint8_t>(random.below(7));
    switch (random.below(6)) {
      case 0:
        in.debug_space = chip::DebugSpace::kInteger;
        in.debug_address = random.below(32);
        break;
      case 1:
        in.debug_space = chip::DebugSpace::kFloat;
        in.debug_context = static_cast<uint8_t>(1 + random.below(6));
        in.debug_address = random.below(64);
        break;
      case 2:
        in.debug_space = chip::DebugSpace::kCsr;
        in.debug_address = in.debug_context == 0 ? random.pick({0x803u, 0x804u, 0xFC3u, 0xFC4u, 0x802u})
                                                 : random.pick({0x001u, 0x002u, 0x003u, 0x800u, 0x801u, 0xFC2u});
        if (random.one_in(2)) in.debug_address = in.debug_context == 0 ? 0x80F : random.pick(kExtensionCsrs);
        break;
      case 3:
      case 4:
        in.debug_space = chip::DebugSpace::kVector;
        in.debug_address = random.below(in.debug_context == 0 ? kWeightWords : kVectorWords + 8);
        break;
      default:
        in.debug_space = chip::DebugSpace::kControl;
        in.debug_address =
            random.pick({DebugControl::kPc, DebugControl::kStatus, DebugControl::kExceptionPc,
                         DebugControl::kExceptionValue, DebugControl::kExceptionCycleLow, DebugControl::kActive});
        // Only the supervisor's and active workers' pcs mean something.
        if (in.debug_address == DebugControl::kPc) in.debug_context = 0;
        break;
    }
    ask(in);
  }

  // Now and then the debugger changes what the matrix engine holds.
  void poke(Random& random) {
    const auto context = static_cast<uint8_t>(random.below(7));
    const uint32_t number = random.below(context == 0 ? kWeightWords : kLatchEnd);
    if (random.one_in(2)) debug_write(chip::DebugSpace::kVector, number, random.word(), context);
  }

  // Accumulators, latches, repeats and random numbers of the workers, and the weights.
  void compare_engine() {
    for (uint8_t context = 0; context < 7; ++context) {
      chip::TileInputs in;
      in.debug_valid = true;
      in.debug_context = context;
      in.debug_space = chip::DebugSpace::kVector;
      for (uint32_t n = 0; n < (context == 0 ? kWeightWords : kVectorWords); ++n) {
        in.debug_address = n;
        ask(in);
        if (differs()) return;
      }
      in.debug_space = chip::DebugSpace::kCsr;
      if (context == 0) continue;
      for (const uint32_t csr : kExtensionCsrs) {
        in.debug_address = csr;
        ask(in);
        if (differs()) return;
      }
    }
  }

  // Words that a record says were written.
  void compare_memory() {
    for (const uint32_t address : written_)
      for (const uint32_t word : {address, address + 4}) {
        chip::TileInputs in;
        in.debug_valid = true;
        in.debug_address = word;
        ask(in);
        if (differs()) return;
      }
  }
  // A debug read, answered alike by both.
  void ask(const chip::TileInputs& in) {
    step(in);
    for (int n = 0; n < 3; ++n) step({});
    if (left_out_.debug_data != right_out_.debug_data && report_.empty())
      report_ = fmt::format("debug read of space {} context {} number {:#x}: left {:#x}, right {:#x}\n",
                            static_cast<int>(in.debug_space), in.debug_context, in.debug_address, left_out_.debug_data,
                            right_out_.debug_data);
  }
  void note(const chip::Retire& retire, const chip::PortWrites& writes) {
    if (retire.valid && retire.mem_write) written_.insert(retire.mem_address);
    writes.each([&](const chip::PortWrite& write) { written_.insert(write.address & ~7u); });
  }

  uint32_t touched_in_ = 0;  // 0: not at all
  uint64_t touches_ = 0, refused_ = 0, resumed_ = 0, triggered_ = 0, struck_ = 0, read_until_ = 0, told_at_ = 0;
  std::string touched_;
  Left& left_;
  Right& right_;
  const unsigned tile_;
  chip::Lockstep lockstep_;
  TileSurroundings* surroundings_ = nullptr;
  chip::TileOutputs left_out_, right_out_;
  uint64_t cycle_ = 0, cycles_ = 0, stuck_ = 0;
  uint64_t limit_ = ~uint64_t{0};
  spec::Opcode failing_ = spec::Opcode::Illegal;
  std::array<uint64_t, 16> ended_by_{};
  std::set<uint32_t> written_;
  std::string report_;
};

}  // namespace tessera::test
