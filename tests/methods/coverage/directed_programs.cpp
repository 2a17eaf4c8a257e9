#include "directed_programs.h"

#include <functional>

#include "rtl/spec/words.h"
#include "tb/model/program.h"
#include "tb/random/layout.h"

namespace tessera::test {
namespace {

using spec::Csr;
using spec::Opcode;

constexpr Layout kAt;  // of mk2
constexpr unsigned kPointer = layout::kPointer, kOperand = layout::kOperand, kBase = layout::kBase0;
constexpr uint32_t kRoutineBytes = 256, kSegmentBytes = 256, kMostRoutines = 60;
constexpr uint32_t kLoops = 200;

void set(Program& p, Csr csr, uint32_t value) {
  p.load_immediate(kOperand, value);
  p.add(Opcode::Csrrw, {.rs1 = kOperand, .imm = static_cast<int32_t>(csr)});
}

// f[number] = a NaN-boxed value of 16 or 32 bits.
void set_half(Program& p, unsigned number, uint32_t bits) {
  p.load_immediate(5, bits);
  p.add(Opcode::FmvHX, {.rd = number, .rs1 = 5});
}
void set_single(Program& p, unsigned number, uint32_t bits) {
  p.load_immediate(5, bits);
  p.add(Opcode::FmvWX, {.rd = number, .rs1 = 5});
}

// A program of segments, each with a worker's routine and the supervisor's code around it.
class Segments {
 public:
  using Code = std::function<void(Program&)>;

  // `before` runs first; then one worker, or all six, run `routine`; the segment ends when they have, or by exception.
  void add(const Code& routine, bool all = false, const Code& before = {}, const Code& beside = {}) {
    Program worker{kRoutineArea + static_cast<uint32_t>(entries_.size()) * kRoutineBytes, {}};
    routine(worker);
    worker.add(Opcode::Exit, {.rs1 = 0});
    Program supervisor{kAt.supervisor_code + static_cast<uint32_t>(entries_.size()) * kSegmentBytes, {}};
    if (before) before(supervisor);
    supervisor.load_immediate(kPointer, worker.base);
    supervisor.add(all ? Opcode::Runall : Opcode::Run, {.rs1 = kPointer, .rs2 = 0, .imm = 0});
    if (beside) beside(supervisor);
    supervisor.add(Opcode::Sync, {.rs1 = 0, .imm = 0});
    supervisor.add(Opcode::Ebreak);
    entries_.push_back(supervisor.base);
    images_.push_back({worker.base, worker.words, true});
    images_.push_back({supervisor.base, supervisor.words, true});
  }
  void data(uint32_t address, std::vector<uint32_t> words) { images_.push_back({address, std::move(words)}); }
  RandomProgram program(uint64_t seed) const { return {seed, images_, entries_, {}}; }

 private:
  static constexpr uint32_t kRoutineArea = kAt.worker_code;
  static_assert(kMostRoutines * kRoutineBytes <= kAt.element);
  std::vector<Image> images_;
  std::vector<uint32_t> entries_;
};

// Faults of a worker, and instructions that random workers do not take.
void add_faults(Segments& s) {
  s.add([](Program& p) { p.add(Opcode::Jalr, {.rd = 0, .rs1 = 0, .imm = 0}); });
  s.add([](Program& p) {
    set(p, Csr::Xstacklimit, 0x1000);
    p.add(Opcode::Addi, {.rd = 2, .rs1 = kOperand, .imm = -1});
  });
  s.add([](Program& p) { p.add(Opcode::FenceI); });
  // A repeat that an exception leaves is ended by the next start.
  s.add([](Program& p) {
    p.add(Opcode::Rpti, {.rd = 2, .rs1 = 0, .imm = 5});
    p.add(Opcode::Addi, {.rd = 5, .rs1 = 5, .imm = 1});
    p.add(Opcode::Exit, {.rs1 = 0});
  });
  s.add([](Program& p) {
    p.add(Opcode::Rpti, {.rd = 2, .rs1 = 0, .imm = 5});
    p.add(Opcode::Addi, {.rd = 5, .rs1 = 5, .imm = 1});
    p.add(Opcode::Jal, {.rd = 0, .imm = 4});
  });
  for (const unsigned rm : {5u, 6u})
    s.add([rm](Program& p) { p.add(Opcode::FaddS, {.rd = 1, .rs1 = 1, .rs2 = 2, .rm = rm}); });
}

// What a body may not hold, each in a body; and a stride that there is not.
void add_forbidden(Segments& s) {
  for (const Opcode opcode : {Opcode::Ebreak, Opcode::Ecall, Opcode::Trap, Opcode::Fence, Opcode::Csrrw, Opcode::Beq})
    s.add([opcode](Program& p) {
      p.add(Opcode::Rpti, {.rd = 1, .rs1 = 0, .imm = 5});
      p.add(opcode);
    });
  s.add([](Program& p) {
    p.add(Opcode::Rpti, {.rd = 1, .rs1 = 0, .imm = 5});
    p.add(Opcode::Rpti, {.rd = 1, .rs1 = 0, .imm = 5});
  });
  s.add([](Program& p) { p.add(Opcode::Ld64stride, {.rd = 1, .rs1 = 5, .imm = 4}); });
}

void add_traps(Segments& s) {
  constexpr uint32_t kZero = 0, kOne = 0x3f800000, kTiny = 0x00800000, kHuge = 0x7f7fffff, kInfinity = 0x7f800000;
  struct Case {
    Opcode opcode;
    uint32_t a, b;
  };
  for (const Case& c :
       {Case{Opcode::FmulS, kInfinity, kZero}, Case{Opcode::FmulS, kHuge, kHuge}, Case{Opcode::FdivS, kZero, kZero},
        Case{Opcode::FdivS, kOne, kZero}, Case{Opcode::FdivS, kHuge, kTiny}})
    s.add([&c](Program& p) {
      set(p, Csr::Xfpctl, 7);
      set_single(p, 1, c.a);
      set_single(p, 2, c.b);
      p.add(c.opcode, {.rd = 3, .rs1 = 1, .rs2 = 2, .rm = 0});
    });
}

// A special function that overflows.
void add_special_trap(Segments& s) {
  constexpr uint32_t kThousand = 0x447a0000;
  s.add([](Program& p) {
    set(p, Csr::Xfpctl, 4);
    set_single(p, 1, kThousand);
    p.add(Opcode::F32exp, {.rd = 3, .rs1 = 1});
  });
}

// f16 and f32 results that are not exact, in every mode, by frm and by the instruction.
void add_rounding_modes(Segments& s) {
  constexpr uint32_t kHalf = 0x3555, kHalfSmall = 0x0801, kSingle = 0x3eaaaaab, kSingleSmall = 0x30000001;
  for (unsigned mode = 0; mode < 5; ++mode)
    s.add([mode](Program& p) {
      set(p, Csr::Frm, mode);
      set_half(p, 1, kHalf);
      set_half(p, 2, kHalfSmall);
      set_single(p, 3, kSingle);
      set_single(p, 4, kSingleSmall);
      for (const unsigned rm : {7u, mode}) {
        for (const Opcode opcode : {Opcode::FaddH, Opcode::FmulH, Opcode::FdivH})
          p.add(opcode, {.rd = 6, .rs1 = 1, .rs2 = 2, .rm = rm});
        for (const Opcode opcode : {Opcode::FaddS, Opcode::FmulS, Opcode::FdivS})
          p.add(opcode, {.rd = 6, .rs1 = 3, .rs2 = 4, .rm = rm});
        p.add(Opcode::FcvtHS, {.rd = 6, .rs1 = 3, .rm = rm});
      }
    });
}

// f8 with the extremes of the scale, in conversions and sums, in both formats.
void add_scales(Segments& s) {
  for (const uint32_t scale : {0u, 1u, 31u, 32u, 63u})
    for (const uint32_t formats : {0u, 1u, 2u, 3u})
      s.add([scale, formats](Program& p) {
        set(p, Csr::Xf8, scale << 8 | formats);
        set_single(p, 1, 0x40b83581);
        p.add(Opcode::F8v4tof16, {.rd = 3, .rs1 = 1, .rm = 0});
        p.add(Opcode::F16v4tof8, {.rd = 4, .rs1 = 3, .rm = 0});
        p.add(Opcode::F8v8hihov4amp, {.rd = 5, .rs1 = 1, .rs2 = 3, .imm = 0});
        p.add(Opcode::F8v8hihov4slic, {.rd = 5, .rs1 = 1, .rs2 = 3, .imm = 0});
      });
}

constexpr uint64_t triple(uint32_t a0, uint32_t a1, uint32_t a2) {
  return uint64_t{a0 / 8} | uint64_t{a1 / 8} << 21 | uint64_t{a2 / 8} << 42;
}

// Streams that run into the element from which six workers fetch, or twice into one.
void add_fetch_clashes(Segments& s) {
  constexpr uint32_t kCode = kAt.worker_code + 0x3f00, kA = kAt.stream_a, kB = kAt.stream_b, kC = kAt.stream_c;
  const uint64_t triples[] = {triple(kCode, kB, kC), triple(kA, kCode, kC), triple(kA, kB, kCode),
                              triple(kA, kA + 16, kC)};
  std::vector<uint32_t> words;
  for (const uint64_t t : triples) {
    words.push_back(static_cast<uint32_t>(t));
    words.push_back(static_cast<uint32_t>(t >> 32));
  }
  s.data(kAt.data0, words);
  for (const Opcode opcode : {Opcode::Lw, Opcode::Sw})
    s.add(
        [opcode](Program& p) {
          p.load_immediate(kPointer, kCode);
          p.add(opcode, {.rd = 5, .rs1 = kPointer, .rs2 = 5, .imm = 0});
        },
        true);
  const int32_t every = spec::pace_immediate({0, 0, 0, 0, true, true, true});
  for (int n = 0; n < 4; ++n) {
    const auto load = [n](Program& p) {
      p.load_immediate(kBase, kAt.data0);
      p.add(Opcode::Fld, {.rd = 28, .rs1 = kBase, .imm = 8 * n});
    };
    s.add(
        [&](Program& p) {
          load(p);
          p.add(Opcode::Ld2xst64pace, {.rd = 2, .rs1 = 28, .rs2 = 6, .imm = 0});
        },
        true);
    s.add(
        [&](Program& p) {
          load(p);
          p.add(Opcode::F16v4hihov4amppace, {.rs1 = 28, .imm = every});
        },
        true);
  }
}

// A worker loads or stores in `element` all the time while a packet leaves or arrives there.
void add_packet_clashes(Segments& s) {
  constexpr uint32_t kWords = 200, kWrite = 1, kRead = 2;
  const auto accesses = [](Opcode opcode, uint32_t address) {
    return [opcode, address](Program& p) {
      p.load_immediate(kPointer, address);
      p.load_immediate(18, kLoops);
      const uint32_t loop = p.here();
      for (int n = 0; n < 8; ++n) p.add(opcode, {.rd = 5, .rs1 = kPointer, .rs2 = 5, .imm = 4 * n});
      p.add(Opcode::Addi, {.rd = 18, .rs1 = 18, .imm = -1});
      p.add(Opcode::Bne, {.rs1 = 18, .rs2 = 0, .imm = static_cast<int32_t>(loop - p.here())});
    };
  };
  const auto open = [](Program& p) { p.add(Opcode::Sync, {.rs1 = 0, .imm = 3}); };
  // Sends a packet; of a read, the words come to `target`.
  const auto send = [](uint32_t kind, uint32_t payload, uint32_t words, uint32_t target) {
    return [=](Program& p) {
      p.load_immediate(kPointer, kAt.packet_out);
      p.load_immediate(kOperand, spec::PacketHeader{.words = payload, .kind = kind}.encode());
      p.add(Opcode::Sw, {.rs1 = kPointer, .rs2 = kOperand, .imm = 0});
      p.load_immediate(kOperand, target);
      p.add(Opcode::Sw, {.rs1 = kPointer, .rs2 = kOperand, .imm = 8});
      if (kind == kRead) set(p, Csr::Xcount, payload);
      p.load_immediate(kOperand, words);
      p.add(Opcode::Hsend, {.rs1 = kPointer, .rs2 = kOperand});
      if (kind == kRead) p.add(Opcode::Sync, {.rs1 = 0, .imm = 5});
    };
  };
  s.add(accesses(Opcode::Lw, kAt.packet_out + 0x3000), false, open, send(kWrite, kWords, kWords + 2, 0));
  s.add(accesses(Opcode::Sw, kAt.packet_in + 0x3000), false, open, send(kRead, kWords, 3, kAt.packet_in));
  s.add([](Program&) {}, false, open, send(kRead, 4, 3, 0xE8000));
}

// Events and words whose place is not memory, events in the element that a worker reads, words that come where the
// supervisor stores, and automatic syncs that are outstanding meanwhile.
void add_exchange_outside(Segments& s) {
  constexpr uint32_t kCount = 4, kSource = 5;
  constexpr uint32_t kEnd = 0xE8000;
  const auto event = [](uint32_t address, uint32_t count, bool last, bool receive) {
    return spec::ExchangeEvent{
        .last = last, .is_receive = receive, .delay = 8, .word_address = address / 4, .count = count, .source = kSource}
        .encode();
  };
  const auto place = [&s](uint32_t address, std::initializer_list<uint64_t> events) {
    std::vector<uint32_t> words;
    for (const uint64_t e : events) {
      words.push_back(static_cast<uint32_t>(e));
      words.push_back(static_cast<uint32_t>(e >> 32));
    }
    s.data(address, words);
  };
  const auto exchange = [&s](uint32_t list, const Segments::Code& routine, const Segments::Code& beside) {
    s.add(
        routine, false,
        [list](Program& p) {
          p.load_immediate(kPointer, list);
          p.add(Opcode::Xarm, {.rs1 = kPointer});
          p.add(Opcode::Sync, {.rs1 = 0, .imm = 2});
        },
        beside);
  };
  const auto wait = [](Program& p) { p.add(Opcode::Sync, {.rs1 = 0, .imm = 1}); };
  const auto nothing = [](Program&) {};
  const auto reads_events = [](Program& p) {
    p.load_immediate(kPointer, kAt.events);
    for (int n = 0; n < 40; ++n) p.add(Opcode::Lw, {.rd = 5, .rs1 = kPointer, .imm = 4 * n});
  };
  place(kAt.events, {event(kEnd, kCount, true, true)});
  place(kAt.events + 0x100, {event(kEnd - 8, kCount, true, false)});
  place(kEnd - 8, {event(0, 0, false, false)});
  place(kAt.events + 0x180, {event(kAt.receive_data, 40, true, true)});
  place(kAt.events + 0x188, {event(kAt.send_data, 100, true, false)});
  // Events without a transfer, one after the other.
  for (uint32_t n = 0; n < 200; ++n)
    place(kAt.events + 0x200 + 8 * n, {spec::ExchangeEvent{.last = n == 199}.encode()});
  exchange(kAt.events, nothing, wait);
  exchange(kAt.events + 0x100, nothing, wait);
  exchange(kEnd - 8, nothing, wait);
  exchange(kAt.events + 0x200, reads_events, wait);
  // Without a worker: one that is active while words come is another exception.
  const auto begin = [](Program& p, uint32_t list) {
    p.load_immediate(kBase, kAt.receive_data + 0x1000);
    p.load_immediate(kPointer, list);
    p.add(Opcode::Xarm, {.rs1 = kPointer});
    p.add(Opcode::Sync, {.rs1 = 0, .imm = 2});
  };
  s.add(nothing, false, [=](Program& p) {
    begin(p, kAt.events + 0x180);
    for (int n = 0; n < 40; ++n) p.add(Opcode::Sw, {.rs1 = kBase, .rs2 = 5, .imm = 4 * n});
  });
  s.add(nothing, false, [=](Program& p) {
    begin(p, kAt.events + 0x188);
    p.add(Opcode::Sans, {.imm = 0});
    wait(p);
  });
}

// More automatic syncs than may be outstanding: a sans waits for those before it.
void add_many_syncs(Segments& s) {
  s.add([](Program&) {}, false,
        [](Program& p) {
          for (int n = 0; n < 20; ++n) p.add(Opcode::Sans, {.imm = spec::kMostSansCount});
        });
}

}  // namespace

std::vector<RandomProgram> directed_programs() {
  Segments first, second;
  add_faults(first);
  add_forbidden(first);
  add_traps(first);
  add_special_trap(first);
  add_rounding_modes(first);
  add_scales(first);
  add_fetch_clashes(second);
  add_packet_clashes(second);
  add_exchange_outside(second);
  add_many_syncs(second);
  return {first.program(1), second.program(2)};
}

}  // namespace tessera::test
