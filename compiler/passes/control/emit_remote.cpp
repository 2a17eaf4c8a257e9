#include "compiler/passes/control/emit_remote.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "compiler/passes/control/emit_packets.h"
#include "compiler/passes/exchange/plan_packets.h"
#include "rtl/spec/words.h"

namespace tessera::compiler {
namespace {

using spec::Csr;
using spec::Opcode;
using spec::SyncZone;

constexpr std::uint32_t kChipBit = 10;  // of word 0: where bit 34 of the address goes
static_assert(spec::PacketHeader{.chip = 1}.encode() == 1u << kChipBit);

class RemoteEmission {
 public:
  RemoteEmission(const ir::Program& program, const RemoteTables& tables, std::uint32_t tile, Assembler& code,
                 const std::function<void()>& before_last_wait)
      : program_(program), tables_(tables), tile_(tile), a_(code), before_last_wait_(before_last_wait) {}

  // What is written leaves before what is read is asked for, but behind what is read of the same buffer before. Every
  // other tile does it the other way round, so that words go both ways at once.
  void run(const std::vector<std::uint32_t>& transfers) {
    for (const std::uint32_t transfer : transfers) {
      const RemoteTable* table = tables_.of_transfer[transfer].find(tile_);
      if (table == nullptr) continue;
      const bool reads = ir::is_to_device(program_.host.streams[transfer].use);
      const auto same_buffer = [&](const Part& part) { return rows(part.transfer).buffer == rows(transfer).buffer; };
      if (!reads && std::ranges::any_of(reads_, same_buffer)) leave(false);
      (reads ? reads_ : writes_).push_back({transfer, table});
    }
    leave(true);
  }

 private:
  struct Part {
    std::uint32_t transfer;
    const RemoteTable* table;
  };
  // Requests that follow each other, as in a table of what is read.
  struct Requests {
    ir::Place first;
    std::uint32_t count;
  };

  const ir::RemoteRows& rows(std::uint32_t transfer) const { return program_.host_transfers[transfer].remote; }

  void leave(bool last) {
    if (!writes_.empty() && !reads_.empty() && reads_first()) {
      const std::vector<Part> writes = std::exchange(writes_, {});
      leave(false);
      writes_ = writes;
    }
    for (const std::vector<Part>* parts : {&writes_, &reads_})
      for (const Part& part : *parts) make_addresses(part);
    for (const Part& part : writes_) send(part);
    request(last);
    writes_.clear();
    reads_.clear();
  }

  // Of the tile's rows: where the buffer begins, and as many times the stride as the row's number says.
  void make_addresses(const Part& part) {
    const ir::RemoteRows& remote = rows(part.transfer);
    if (remote.numbers.empty()) return;
    const ir::RemoteBuffer& buffer = program_.remote_buffers[remote.buffer];
    const auto& tiles = program_.host_transfers[part.transfer].of_tile.tiles();
    const ir::Span& numbers = remote.numbers[static_cast<std::size_t>(std::ranges::find(tiles, tile_) - tiles.begin())];
    const Label next = a_.label(), there = a_.label();
    a_.load_addresses({{kA0, numbers.at},
                       {kA2, {numbers.at.block, numbers.at.offset + numbers.bytes}},
                       {kA1, {part.table->rows, 0}},
                       {kA7, {part.table->begin, 0}}});
    a_.i(Opcode::Lw, kA3, kA7, 0);
    a_.i(Opcode::Lw, kA4, kA7, 4);
    a_.load_constant(kA5, static_cast<std::uint32_t>(buffer.stride / 4));
    a_.load_constant(kA6, static_cast<std::uint32_t>(std::min<std::uint64_t>(buffer.rows, ~0u)));
    a_.bind(next);
    a_.i(Opcode::Lw, kT0, kA0, 0);
    a_.branch(Opcode::Bltu, kT0, kA6, there);
    a_.move(kRefusedRow, kT0);
    a_.i(Opcode::Addi, kA7, kA7, kRowAddressBytes);
    a_.load_constant(kT1, kRefusedBytes / 4);
    a_.emit(Opcode::Hsend, {.rs1 = kA7, .rs2 = kT1});  // does not come back
    a_.bind(there);
    a_.r(Opcode::Mul, kT1, kT0, kA5);
    a_.r(Opcode::Mulhu, kT2, kT0, kA5);
    a_.r(Opcode::Add, kT1, kT1, kA3);
    a_.r(Opcode::Sltu, kT3, kT1, kA3);
    a_.r(Opcode::Add, kT2, kT2, kT3);
    a_.i(Opcode::Slli, kT2, kT2, kChipBit);
    a_.r(Opcode::Add, kT2, kT2, kA4);
    a_.store(Opcode::Sw, kT1, 0, kA1);
    a_.store(Opcode::Sw, kT2, 4, kA1);
    a_.i(Opcode::Addi, kA0, kA0, 4);
    a_.i(Opcode::Addi, kA1, kA1, kRowAddressBytes);
    a_.branch(Opcode::Bltu, kA0, kA2, next);
  }

  template <class Visit>
  void for_each(const ir::Place& first, std::uint32_t count, std::uint32_t bytes, const Visit& visit) {
    const Label next = a_.label();
    a_.load_addresses({{kA0, first}, {kA1, {first.block, first.offset + count * bytes}}});
    a_.bind(next);
    visit();
    a_.i(Opcode::Addi, kA0, kA0, static_cast<std::int32_t>(bytes));
    a_.branch(Opcode::Bltu, kA0, kA1, next);
  }

  // t0, t1: words 0 and 1 of the packet; t0 has word 0, t1 the words from the row's beginning, t2 points at the row's
  // address. Changes t3 to t5.
  void add_address() {
    a_.i(Opcode::Lw, kT3, kT2, 0);
    a_.i(Opcode::Lw, kT4, kT2, 4);
    a_.r(Opcode::Add, kT1, kT1, kT3);
    a_.r(Opcode::Sltu, kT5, kT1, kT3);
    a_.i(Opcode::Slli, kT5, kT5, kChipBit);
    a_.r(Opcode::Add, kT0, kT0, kT4);
    a_.r(Opcode::Add, kT0, kT0, kT5);
  }

  bool reads_first() const {
    const auto in_both = [&](const Part& part) {
      return std::ranges::any_of(reads_,
                                 [&](const Part& r) { return rows(r.transfer).buffer == rows(part.transfer).buffer; });
    };
    const auto& tiles = program_.host_transfers[writes_.front().transfer].of_tile.tiles();
    return (std::ranges::lower_bound(tiles, tile_) - tiles.begin()) % 2 == 1 && std::ranges::none_of(writes_, in_both);
  }

  std::uint32_t runs(const Part& part) const { return program_.host_transfers[part.transfer].of_tile[tile_].size(); }

  void send(const Part& part) {
    for_each({part.table->runs, 0}, runs(part), kRemoteWriteBytes, [&] {
      a_.i(Opcode::Lw, kA2, kA0, 0);
      a_.i(Opcode::Lw, kT0, kA0, 4);
      a_.i(Opcode::Lw, kT1, kA0, 8);
      a_.i(Opcode::Lw, kA3, kA0, 12);
      a_.i(Opcode::Lw, kT2, kA0, 16);
      add_address();
      emit_send(kA2, kT0, kT1, kA3, a_);
    });
  }

  // What comes may come at once: all requests are made before, and the tile writes nothing until they are answered.
  void request(bool last) {
    std::vector<Requests> batch;
    std::uint32_t words = 0;
    const auto fetch_batch = [&](bool last_batch) {
      if (!batch.empty()) fetch(batch, words, last_batch);
      batch.clear();
      words = 0;
    };
    for (const Part& part : writes_)
      if (part.table->confirm != ir::kNone) make_requests({part.table->confirm, 0}, 1);
    for (const Part& part : reads_) {
      if (has_one_row(part))
        make_requests_of_row(part);
      else
        make_requests({part.table->runs, 0}, runs(part));
    }
    for (const Part& part : writes_) {
      if (part.table->confirm == ir::kNone) continue;
      batch.push_back({{part.table->confirm, 0}, 1});
      ++words;
    }
    for (const Part& part : reads_) {
      const ir::HostTransfer& transfer = program_.host_transfers[part.transfer];
      const auto [base, runs_end] = transfer.of_tile[tile_];
      for (std::uint32_t i = base; i < runs_end;) {
        if (words + transfer.runs[i].words > kMostAwaited) fetch_batch(false);
        std::uint32_t end = i;
        while (end < runs_end && words + transfer.runs[end].words <= kMostAwaited) words += transfer.runs[end++].words;
        batch.push_back({{part.table->runs, (i - base) * kRemoteReadBytes}, end - i});
        i = end;
      }
    }
    fetch_batch(last);
  }

  void make_requests(const ir::Place& first, std::uint32_t count) {
    for_each(first, count, kRemoteReadBytes, [&] {
      a_.i(Opcode::Lw, kT0, kA0, 0);
      a_.i(Opcode::Lw, kT1, kA0, 4);
      a_.i(Opcode::Lw, kT2, kA0, 8);
      add_address();
      a_.store(Opcode::Sw, kT0, kRemoteRequestOffset, kA0);
      a_.store(Opcode::Sw, kT1, kRemoteRequestOffset + 4, kA0);
    });
  }

  bool has_one_row(const Part& part) const {
    const ir::HostTransfer& transfer = program_.host_transfers[part.transfer];
    return transfer.runs[transfer.of_tile[tile_].last - 1].row == 0;
  }

  // The same, several at a time: all words wait for this where a tile has many.
  void make_requests_of_row(const Part& part) {
    constexpr unsigned kFirst[] = {kT0, kT1, kT2, kA4}, kSecond[] = {kT3, kT4, kT5, kA5};
    constexpr std::uint32_t kTogether = 4;
    const std::uint32_t count = runs(part), rest = count % kTogether;
    const auto make = [&](std::uint32_t some) {
      for (std::uint32_t n = 0; n < some; ++n) {
        a_.i(Opcode::Lw, kFirst[n], kA0, n * kRemoteReadBytes);
        a_.i(Opcode::Lw, kSecond[n], kA0, n * kRemoteReadBytes + 4);
      }
      for (std::uint32_t n = 0; n < some; ++n) {
        a_.r(Opcode::Add, kSecond[n], kSecond[n], kA2);
        a_.r(Opcode::Sltu, kA6, kSecond[n], kA2);
        a_.i(Opcode::Slli, kA6, kA6, kChipBit);
        a_.r(Opcode::Add, kFirst[n], kFirst[n], kA3);
        a_.r(Opcode::Add, kFirst[n], kFirst[n], kA6);
      }
      for (std::uint32_t n = 0; n < some; ++n) {
        a_.store(Opcode::Sw, kFirst[n], n * kRemoteReadBytes + kRemoteRequestOffset, kA0);
        a_.store(Opcode::Sw, kSecond[n], n * kRemoteReadBytes + kRemoteRequestOffset + 4, kA0);
      }
    };
    a_.load_addresses({{kA7, {part.table->rows, 0}}, {kA0, {part.table->runs, 0}}});
    a_.i(Opcode::Lw, kA2, kA7, 0);
    a_.i(Opcode::Lw, kA3, kA7, 4);
    if (count >= kTogether)
      for_each({part.table->runs, 0}, count / kTogether, kTogether * kRemoteReadBytes, [&] { make(kTogether); });
    make(rest);
  }

  void fetch(const std::vector<Requests>& batch, std::uint32_t words, bool last) {
    a_.load_constant(kT0, words);
    a_.load_constant(kA2, kRefusedBytes / 4);
    a_.write_csr(Csr::Xcount, kT0);
    for (const auto& [first, count] : batch)
      for_each({first.block, first.offset + kRemoteRequestOffset}, count, kRemoteReadBytes,
               [&] { a_.emit(Opcode::Hsend, {.rs1 = kA0, .rs2 = kA2}); });
    if (last) before_last_wait_();
    a_.emit(Opcode::Sync, {.imm = static_cast<std::int32_t>(spec::SyncOperand{.zone = SyncZone::kReceive}.encode())});
  }

  const ir::Program& program_;
  const RemoteTables& tables_;
  std::uint32_t tile_;
  Assembler& a_;
  const std::function<void()>& before_last_wait_;
  std::vector<Part> writes_, reads_;
};

}  // namespace

void emit_remote(const ir::Program& program, const RemoteTables& tables, const ir::Step& step, std::uint32_t tile,
                 Assembler& code, const std::function<void()>& before_last_wait) {
  RemoteEmission(program, tables, tile, code, before_last_wait).run(step.transfers);
}

}  // namespace tessera::compiler
