// A verilated tile whose supervisor launches worker 0, with registers and memory set through the debug port before.
#pragma once

#include "tile_run.h"

namespace tessera::test {

class WorkerCode : public TileRun {
 public:
  enum Space { kMemory, kInteger, kFloat, kCsr, kControl, kVector };

  static Program worker() {
    Program p;
    p.base = kWorker;
    return p;
  }
  static Program launcher() {
    Program p;
    p.load_immediate(1, kWorker);
    p.add(spec::Opcode::Run, {.rs1 = 1, .rs2 = 0});
    p.add(spec::Opcode::Sync, {.imm = 0});
    p.add(spec::Opcode::Ebreak);
    return p;
  }

  void set_x(unsigned number, uint32_t value, unsigned context = 1) { write(kInteger, context, number, value); }
  void set_f(unsigned number, uint64_t value, unsigned context = 1) { write64(kFloat, context, 2 * number, value); }
  uint64_t f(unsigned number, unsigned context = 1) { return read64(kFloat, context, 2 * number); }
  void set_memory(uint32_t address, uint64_t value) {
    write(kMemory, 0, address, static_cast<uint32_t>(value));
    write(kMemory, 0, address + 4, static_cast<uint32_t>(value >> 32));
  }
  uint64_t memory(uint32_t address) { return word(address) | uint64_t{word(address + 4)} << 32; }
  uint32_t csr(unsigned number, unsigned context = 1) { return read(kCsr, context, number); }
  void set_csr(unsigned number, uint32_t value, unsigned context = 1) { write(kCsr, context, number, value); }
  uint32_t vector(unsigned number, unsigned context = 1) { return read(kVector, context, number); }
  uint64_t vector64(unsigned number, unsigned context = 1) { return read64(kVector, context, number); }
  void set_vector(unsigned number, uint32_t value, unsigned context = 1) { write(kVector, context, number, value); }

  // Runs to the end of the supervisor's program or to an exception: 1 (break) is the end.
  unsigned run(const Program& worker_program, const Program& supervisor = launcher()) {
    load(supervisor);
    load(worker_program);
    start(kCode);
    while (!top.exception_o && cycle() < 5000) step();
    const auto seen = records;  // reading the cause steps the tile
    const unsigned why = cause();
    records = seen;
    return why;
  }
  // Records of worker 0.
  std::vector<Record> retired() const {
    std::vector<Record> list;
    for (const auto& r : records)
      if (r.context == 1) list.push_back(r);
    return list;
  }

 private:
  void write64(unsigned space, unsigned context, uint32_t number, uint64_t value) {
    write(space, context, number, static_cast<uint32_t>(value));
    write(space, context, number + 1, static_cast<uint32_t>(value >> 32));
  }
  uint64_t read64(unsigned space, unsigned context, uint32_t number) {
    const uint64_t low = read(space, context, number);
    return low | uint64_t{read(space, context, number + 1)} << 32;
  }
};

}  // namespace tessera::test
