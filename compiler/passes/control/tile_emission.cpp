#include "compiler/passes/control/tile_emission.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "compiler/passes/control/emit_copies.h"
#include "compiler/passes/control/emit_outlined.h"
#include "compiler/passes/control/emit_packets.h"
#include "compiler/passes/control/emit_remote.h"
#include "compiler/passes/control/outline.h"
#include "compiler/passes/memory/out_of_tile_memory.h"
#include "compiler/passes/vertices/emit_state.h"
#include "rtl/spec/words.h"

namespace tessera::compiler {
namespace {

using spec::Csr;
using spec::Opcode;
using spec::SyncZone;

constexpr std::uint32_t kBranchReach = 4096;                      // bytes back
constexpr std::uint32_t kMostCounted = spec::kMostSansCount + 1;  // syncs that one sans stands for

// All that a tile does in a phase of others.
const std::uint32_t kWaitForOthers = spec::encode(
    Opcode::Sync, {.imm = static_cast<std::int32_t>(spec::SyncOperand{.zone = SyncZone::kInternal}.encode())});
const std::uint32_t kGoOn = spec::encode(Opcode::Sans, {.imm = 0});

// Zone of all tiles that branch alike.
SyncZone consensus_of(const ir::Program& program) {
  if (program.chips == 1) return SyncZone::kInternal;
  return program.replicas > 1 ? SyncZone::kReplica : SyncZone::kExternal;
}

class TileEmission {
 public:
  TileEmission(const ControlInput& input, const ControlPlan& plan, std::uint32_t tile, const ir::Blocks& blocks)
      : program_(input.program),
        plans_(input.plans),
        schedules_(input.schedules),
        text_(input.text),
        state_(input.state),
        plan_(plan),
        tile_(tile),
        chip_(program_.chip_of(tile)),
        consensus_(consensus_of(program_)),
        blocks_(blocks) {}

  TileControl run() {
    data_ = add_block(ir::BlockUse::kControlData);
    data_bytes_ = kEventPacketBytes + 4 * program_.entries.size();
    TileCode& code = made_.code;
    code.block = add_block(ir::BlockUse::kControl);
    body_labels_.reserve(program_.bodies.size());
    for (std::size_t i = 0; i < program_.bodies.size(); ++i) body_labels_.push_back(a_.label());
    main_loop();
    for (std::size_t i = 0; i < program_.bodies.size(); ++i)
      if (plan_.subroutine[i]) subroutine(i);
    if (plan_.outline != Outlining::kOff) hold_once();
    for (std::size_t i = 0; i < program_.entries.size(); ++i)
      made_.data.pointers.push_back({{data_, kEventPacketBytes + 4 * static_cast<std::uint32_t>(i)},
                                     {code.block, a_.offset_of(body_labels_[program_.entries[i].body])}});
    ir::Content packet{{data_, 0}, std::vector<std::uint8_t>(kEventPacketBytes)};
    const std::uint32_t header =
        spec::PacketHeader{.words = 1, .tile = tile_ % program_.tiles_of_chip(), .kind = spec::PacketKind::kWriteHost}
            .encode();
    for (int i = 0; i < 4; ++i) {
      packet.bytes[i] = static_cast<std::uint8_t>(header >> 8 * i);
      packet.bytes[4 + i] = static_cast<std::uint8_t>(program_.host.event_offset >> 8 * i);
    }
    made_.data.contents.push_back(std::move(packet));
    code.words = a_.take();
    code.fixups = a_.fixups();
    code.marks = std::move(straight_.marks);
    own(code.block).bytes =
        tile_bytes(std::uint64_t{4} * code.words.size(), tile_, [] { return std::string("control code"); });
    own(data_).bytes = data_bytes_;
    return std::move(made_);
  }

 private:
  ir::BlockId add_block(ir::BlockUse use) {
    made_.blocks.push_back({.tile = tile_, .use = use});
    return static_cast<ir::BlockId>(blocks_.size() + made_.blocks.size() - 1);
  }
  ir::Block& own(ir::BlockId block) { return made_.blocks[block - blocks_.size()]; }

  // Equal sequences of steps become one.
  void hold_once() {
    straight_.code = std::move(a_);
    const Outline found = outline(straight_, plan_.outline == Outlining::kSmallest);
    const ir::BlockId table = add_block(ir::BlockUse::kControlData);
    OutlinedCode outlined = emit_outlined(straight_, found, table, made_.data);
    own(table).bytes = outlined.table_bytes;
    if (outlined.table_bytes == 0) made_.blocks.pop_back();
    a_ = std::move(outlined.code);
    straight_.marks = std::move(outlined.marks);
  }

  std::uint32_t slot() {
    data_bytes_ += 4;
    return data_bytes_ - 4;
  }
  // Words of control data beyond the reach of a load's offset are addressed through t6.
  void load_slot(unsigned rd, std::uint32_t offset) {
    if (offset < 2048) return a_.i(Opcode::Lw, rd, kTp, offset);
    a_.load_addresses({{kT6, {data_, offset}}});
    a_.i(Opcode::Lw, rd, kT6, 0);
  }
  void store_slot(unsigned rs, std::uint32_t offset) {
    if (offset < 2048) return a_.store(Opcode::Sw, rs, offset, kTp);
    a_.load_addresses({{kT6, {data_, offset}}});
    a_.store(Opcode::Sw, rs, 0, kT6);
  }

  void sync(std::uint32_t zone) { sync({.zone = zone}, 0); }
  // Zone of what concerns one replica alone.
  SyncZone inside() const { return program_.replica_syncs ? SyncZone::kReplica : SyncZone::kExternal; }
  void sync(const spec::SyncOperand& operand, std::uint32_t value) {
    a_.emit(Opcode::Sync, {.rs1 = value, .imm = static_cast<std::int32_t>(operand.encode())});
  }
  void sync_with(std::uint32_t zone, unsigned value) { sync({.zone = zone, .contributes = true}, value); }

  void mark(std::uint32_t step) {
    if (!straight_.marks.empty() && straight_.marks.back().offset == a_.bytes()) straight_.marks.pop_back();
    straight_.marks.push_back({a_.bytes(), step});
  }

  void main_loop() {
    mark(0);
    a_.load_addresses({{kTp, {data_, 0}}});
    const ir::BlockId stack = state_.stacks[tile_];
    if (stack != ir::kNone && text_.supervisor_stack > 0) {
      const std::uint32_t limit = 6 * text_.worker_stack;
      a_.load_addresses({{kSp, {stack, limit + text_.supervisor_stack}}, {kT0, {stack, limit}}});
      a_.write_csr(Csr::Xstacklimit, kT0);
    }
    const Label wait = a_.label();
    a_.bind(wait);
    sync(SyncZone::kHost);
    a_.read_csr(kT0, Csr::Xmark);
    a_.r(Opcode::Sh2add, kT0, kT0, kTp);
    load_dispatch();
    a_.i(Opcode::Jalr, kRa, kT0, 0);
    mark(0);
    sync(SyncZone::kExternal);
    send_event(image::kEventDone);
    a_.jump(kZero, wait);
  }

  // t0 = dispatch table's word for the mark, of which t0 holds tp + 4 * mark.
  void load_dispatch() { a_.i(Opcode::Lw, kT0, kT0, static_cast<std::int32_t>(kEventPacketBytes) - 4); }

  // Only tile 0 of chip 0 tells the host.
  void send_event(std::uint32_t code) {
    if (tile_ != 0) return;
    a_.load_constant(kT0, code);
    a_.load_constant(kA1, kEventPacketBytes / 4);
    a_.store(Opcode::Sw, kT0, kEventCodeOffset, kTp);
    a_.emit(Opcode::Hsend, {.rs1 = kTp, .rs2 = kA1});
  }

  void subroutine(std::uint32_t body) {
    a_.bind(body_labels_[body]);
    if (!program_.bodies[body].empty()) mark(plan_.names[body].front());
    const std::uint32_t return_slot = slot();
    store_slot(kRa, return_slot);
    steps(body);
    load_slot(kRa, return_slot);
    a_.i(Opcode::Jalr, kZero, kRa, 0);
  }

  void enter(std::uint32_t body) {
    if (plan_.subroutine[body])
      a_.jump(kRa, body_labels_[body]);
    else
      steps(body);
  }

  void steps(std::uint32_t body) {
    const ir::Body& steps = program_.bodies[body];
    const std::vector<std::uint32_t>& names = plan_.names[body];
    std::size_t first = straight_.steps.size();
    const auto end_run = [&] {
      const std::size_t last = straight_.steps.size();
      if (first < last) straight_.runs.emplace_back(first, last);
    };
    bool loaded = false;
    std::size_t ahead = 0;  // phases before this step are counted
    for (std::size_t i = 0; i < steps.size();) {
      mark(names[i]);
      // A step that has others in it or calls them stands alone.
      if (!steps[i].bodies.empty() || steps[i].kind == ir::StepKind::kCall) {
        end_run();
        emit(steps[i], names[i], false);
        first = straight_.steps.size();
        ++i;
        continue;
      }
      StepCode code{.first = a_.bytes() / 4, .first_label = a_.labels(), .step = names[i]};
      const bool syncs = steps[i].kind == ir::StepKind::kSync;
      // A compute step and its copies are one.
      do {
        if (i < ahead) continue;
        if (steps[i].kind == ir::StepKind::kRemote) {
          const SkippedPhases skipped = skipped_beside(steps, i + 1);
          if (remote(steps[i], skipped.count)) ahead = skipped.end;
          continue;
        }
        if (counts_ahead(steps[i])) {
          const SkippedPhases skipped = skipped_from(steps, i + 1);
          compute(steps[i], std::exchange(loaded, false), skipped.count);
          ahead = skipped.end;
          continue;
        }
        const bool starts_next = i + 1 < steps.size() && steps[i + 1].kind == ir::StepKind::kCompute;
        if (starts_next && steps[i].kind == ir::StepKind::kCopy)
          loaded = exchange_before(steps[i + 1], steps[i].index);
        else if (starts_next && steps[i].kind == ir::StepKind::kPackets)
          loaded = packets(steps[i].index, &steps[i + 1]);
        else
          emit(steps[i], names[i], std::exchange(loaded, false));
      } while (++i < steps.size() && names[i] == names[i - 1]);
      code.last = a_.bytes() / 4;
      code.last_label = a_.labels();
      code.waits =
          !syncs && code.last == code.first + 1 && (a_.words().back() == kWaitForOthers || a_.words().back() == kGoOn);
      if (code.first < code.last) straight_.steps.push_back(code);
    }
    end_run();
  }

  // `loaded`: the step before it has loaded what starts the workers.
  void emit(const ir::Step& step, std::uint32_t name, bool loaded) {
    switch (step.kind) {
      case ir::StepKind::kCompute:
        return compute(step, loaded, 0);
      case ir::StepKind::kCopy:
        return exchange(step.index);
      case ir::StepKind::kPackets:
        packets(step.index, nullptr);
        return;
      case ir::StepKind::kHost:
        return host(step);
      case ir::StepKind::kRemote:
        remote(step, 0);
        return;
      case ir::StepKind::kRepeat:
        return repeat(step, name);
      case ir::StepKind::kWhile:
        return repeat_while(step, name);
      case ir::StepKind::kIf:
        return branch(step, name);
      case ir::StepKind::kSwitch:
        return choose(step, name);
      case ir::StepKind::kCall:
        return a_.jump(kRa, body_labels_[program_.functions[step.index]]);
      case ir::StepKind::kSync:
        return sync(step.index);
      case ir::StepKind::kUndef:
        return;
    }
  }

  // --- copies and exchange

  using Addresses = std::vector<Assembler::Address>;

  // Loads its own addresses; t0..t3, a0, a1 are free.
  void copies(const LocalCopies& local, const BlockOfTile& tables) {
    if (const ir::BlockId* table = tables.find(tile_)) {
      a_.load_constant(kA1, text_.copy_routine);
      a_.load_addresses({{kA0, {*table, 0}}});
      a_.emit(Opcode::Runall, {.rs1 = kA1, .rs2 = kA0, .imm = 8});
      return sync(SyncZone::kLocal);
    }
    const auto [first, last] = local.of_tile[tile_];
    emit_copies({local.copies.data() + first, local.copies.data() + last}, a_);
  }

  void copies_before(std::uint32_t exchange) {
    copies(plans_.exchanges[exchange].before, state_.copies_before[exchange]);
  }

  void exchange(std::uint32_t exchange) {
    copies_before(exchange);
    phase(exchange, {});
    copies(plans_.exchanges[exchange].after, state_.copies_after[exchange]);
  }

  // `loads` are made together with the event list's address, before the sync, so that they cost the phase nothing.
  void phase(std::uint32_t exchange, Addresses loads) {
    const bool any = schedules_[exchange].on_chip(chip_);
    const ir::BlockId* events = state_.events[exchange].find(tile_);
    if (events != nullptr) loads.push_back({kA0, {*events, 0}});
    a_.load_addresses(loads);
    if (!any) return;
    if (events == nullptr && skips(exchange)) return count_syncs(1);
    if (events != nullptr) a_.emit(Opcode::Xarm, {.rs1 = kA0});
    sync(SyncZone::kInternal);
    if (events != nullptr) sync(SyncZone::kExchange);
  }

  bool skips(std::uint32_t exchange) const { return plan_.skip_syncs && !plan_.meeting[chip_][exchange]; }
  void count_syncs(std::uint32_t number) { a_.emit(Opcode::Sans, {.imm = static_cast<std::int32_t>(number) - 1}); }

  // --- packets to other chips

  // A receiver counts from before the sync, behind which packets may come at any time. Of a compute step behind it what
  // starts the workers is loaded while the tile waits for what comes, unless copies need the registers. Whether it was.
  bool packets(std::uint32_t exchange, const ir::Step* next) {
    const ExchangePlan& plan = plans_.exchanges[exchange];
    const bool makes = std::ranges::binary_search(plan.makers, tile_);
    bool loaded = false;
    copies_before(exchange);
    for (std::size_t i = 0; i < plan.rounds.size(); ++i) {
      const PacketRound& round = plan.rounds[i];
      const std::vector<std::uint32_t>* awaited = round.awaited.find(tile_);
      const ir::BlockId* table = state_.rounds[exchange][i].find(tile_);
      const std::uint32_t packets = round.of_tile[tile_].size();
      const bool made = table != nullptr && makes, few = made && packets <= kFewPackets;
      if (few)
        emit_few_headers(*table, packets, a_);
      else if (made)
        emit_headers(*table, packets, a_);
      if (awaited != nullptr) count_words(*awaited);
      sync(program_.exchanges[exchange].lanes.empty() ? inside() : SyncZone::kExternal);
      if (few)
        emit_few_sends(packets, a_);
      else if (table != nullptr)
        made ? emit_made_sends(*table, packets, a_) : emit_sends(*table, packets, a_);
      if (awaited == nullptr) continue;
      if (next != nullptr && i + 1 == plan.rounds.size() && plan.after.of_tile[tile_].empty()) {
        load_workers(*next);
        loaded = true;
      }
      sync(SyncZone::kReceive);
    }
    copies(plan.after, state_.copies_after[exchange]);
    return loaded;
  }

  // words: by replica, or of all.
  void count_words(const std::vector<std::uint32_t>& words) {
    if (words.size() == 1) {
      a_.load_constant(kT0, words[0]);
    } else {
      const ir::Place at{data_, slot()};
      ir::ReplicaContent counts{at, {}};
      for (const std::uint32_t value : words)
        counts.bytes.push_back({static_cast<std::uint8_t>(value), static_cast<std::uint8_t>(value >> 8), 0, 0});
      load_slot(kT0, at.offset);
      made_.data.contents.push_back({at, counts.bytes[0]});
      made_.data.replicas.push_back(std::move(counts));
    }
    a_.write_csr(Csr::Xcount, kT0);
  }

  // Nothing of the exchange, nor of the copies around it, concerns this tile.
  bool has_part(std::uint32_t exchange) const {
    const ExchangePlan& plan = plans_.exchanges[exchange];
    return state_.events[exchange].find(tile_) != nullptr || !plan.before.of_tile[tile_].empty() ||
           !plan.after.of_tile[tile_].empty();
  }

  // Phases in a row that this tile skips: how many that one sans can count, and the step behind them.
  struct SkippedPhases {
    std::uint32_t count = 0;
    std::size_t end = 0;
  };
  SkippedPhases skipped_from(const ir::Body& steps, std::size_t first) const {
    SkippedPhases skipped{.end = first};
    for (; skipped.end < steps.size() && skipped.count < kMostCounted; ++skipped.end) {
      const ir::Step& step = steps[skipped.end];
      if (step.kind != ir::StepKind::kCopy || has_part(step.index) || !skips(step.index)) break;
      if (schedules_[step.index].on_chip(chip_)) ++skipped.count;
    }
    return skipped;
  }
  // The same while the tile waits for remote memory, also beyond compute sets in which it has no part.
  SkippedPhases skipped_beside(const ir::Body& steps, std::size_t first) const {
    SkippedPhases skipped{.end = first};
    for (; skipped.end < steps.size() && skipped.count < kMostCounted; ++skipped.end) {
      const ir::Step& step = steps[skipped.end];
      const bool nothing = step.kind == ir::StepKind::kUndef ||
                           (step.kind == ir::StepKind::kCompute && !step.has_flag && workers_of(step) == nullptr &&
                            !has_supervisor_vertices(program_.computes[step.index]));
      if (nothing) continue;
      if (step.kind != ir::StepKind::kCopy || has_part(step.index) || !skips(step.index)) break;
      if (schedules_[step.index].on_chip(chip_)) ++skipped.count;
    }
    return skipped;
  }
  // `skipped`: phases behind it that the tile skips. Whether they are counted, which is so if the tile waits.
  bool remote(const ir::Step& step, std::uint32_t skipped) {
    bool counted = false;
    sync(inside());
    emit_remote(program_, state_.remote, step, tile_, a_, [&] {
      if (skipped > 0) count_syncs(skipped);
      counted = true;
    });
    return counted;
  }
  // While workers run, a sans costs nothing. Not before the conjunction of a flag, which is a sync of its own.
  bool counts_ahead(const ir::Step& step) const {
    return step.kind == ir::StepKind::kCompute && !step.has_flag && workers_of(step) != nullptr;
  }

  // --- compute sets

  const WorkerTable* workers_of(const ir::Step& step) const { return state_.workers[step.index].find(tile_); }
  Addresses worker_list(const ir::Step& step) const {
    const WorkerTable* table = workers_of(step);
    return table == nullptr ? Addresses{} : Addresses{{kA2, {table->block, 0}}};
  }
  void load_entry(const ir::Step& step) {
    if (workers_of(step) == nullptr) return;
    a_.load_constant(kA1, text_.worker_start);
    if (!step.has_flag) return;
    a_.load_constant(kT0, 1);
    a_.write_csr(Csr::Xlc, kT0);
  }

  void load_workers(const ir::Step& step) {
    load_entry(step);
    a_.load_addresses(worker_list(step));
  }

  // A phase just before a compute step: what starts the workers is loaded before the sync, where it costs the phase
  // nothing, unless copies after the phase need the registers. Whether it was.
  bool exchange_before(const ir::Step& step, std::uint32_t exchange) {
    if (!plans_.exchanges[exchange].after.of_tile[tile_].empty()) {
      this->exchange(exchange);
      return false;
    }
    copies_before(exchange);
    load_entry(step);
    phase(exchange, worker_list(step));
    return true;
  }

  // `skipped`: phases behind it that the tile skips; with workers only.
  void compute(const ir::Step& step, bool loaded, std::uint32_t skipped) {
    const ir::Compute& c = program_.computes[step.index];
    const WorkerTable* table = workers_of(step);
    if (!loaded) load_workers(step);
    if (table != nullptr)
      for (std::uint32_t round = 0; round < table->rounds; ++round) start_workers(*table, round);
    supervisor_vertices(c, step);
    if (skipped > 0) count_syncs(skipped);
    if (table != nullptr) sync(SyncZone::kLocal);
    if (step.has_flag) store_conjunction(c, step, table != nullptr);
  }

  void start_workers(const WorkerTable& table, std::uint32_t round) {
    if (round > 0) {
      sync(SyncZone::kLocal);
      a_.load_addresses({{kA2, {table.block, round * 6 * table.stride}}});
    }
    if (table.single && table.rounds == 1)
      a_.emit(Opcode::Run, {.rs1 = kA1, .rs2 = kA2});
    else
      a_.emit(Opcode::Runall, {.rs1 = kA1, .rs2 = kA2, .imm = static_cast<std::int32_t>(table.stride)});
  }

  bool has_supervisor_vertices(const ir::Compute& c) const {
    const auto [first, last] = c.of_tile[tile_];
    for (std::uint32_t i = first; i < last; ++i)
      if (c.vertices[i].worker == ir::kSupervisorWorker) return true;
    return false;
  }

  void supervisor_vertices(const ir::Compute& c, const ir::Step& step) {
    if (!has_supervisor_vertices(c)) return;
    if (step.has_flag && supervisor_result_ == 0) supervisor_result_ = slot();
    const std::uint32_t result = supervisor_result_;
    if (step.has_flag) {
      a_.load_constant(kT0, 1);
      store_slot(kT0, result);
    }
    const auto [first, last] = c.of_tile[tile_];
    for (std::uint32_t i = first; i < last; ++i) {
      const ir::Vertex& vertex = c.vertices[i];
      if (vertex.worker != ir::kSupervisorWorker) continue;
      a_.load_addresses({{kA0, vertex.state}});
      a_.load_constant(kT0, text_.entries[vertex.codelet]);
      a_.i(Opcode::Jalr, kRa, kT0, 0);
      if (step.has_flag) {
        load_slot(kT0, result);
        a_.r(Opcode::And, kT0, kT0, kA0);
        store_slot(kT0, result);
      }
    }
  }

  // The conjunction over the workers of this tile, its supervisor vertices and all other tiles.
  void store_conjunction(const ir::Compute& c, const ir::Step& step, bool workers) {
    const bool supervisor = has_supervisor_vertices(c);
    if (workers) a_.read_csr(kT0, Csr::Xlc);
    if (supervisor) load_slot(workers ? kT1 : kT0, supervisor_result_);
    if (workers && supervisor) a_.r(Opcode::And, kT0, kT0, kT1);
    workers || supervisor ? sync_with(consensus_, kT0) : sync(consensus_);
    if (blocks_[step.flag.block].tile != tile_) return;
    a_.read_csr(kT0, Csr::Xgc);
    a_.load_addresses({{kT1, step.flag}});
    switch (graph::size_of(step.flag_type)) {
      case 1:
        return a_.store(Opcode::Sb, kT0, 0, kT1);
      case 2:
        return a_.store(Opcode::Sh, kT0, 0, kT1);
      default:
        return a_.store(Opcode::Sw, kT0, 0, kT1);
    }
  }

  // --- control flow

  // t0 = whether the flag is not zero, on every tile.
  void test_flag(const ir::Step& step) {
    if (blocks_[step.flag.block].tile == tile_) {
      a_.load_addresses({{kT0, step.flag}});
      const std::size_t size = graph::size_of(step.flag_type);
      a_.i(size == 1 ? Opcode::Lbu : size == 2 ? Opcode::Lhu : Opcode::Lw, kT0, kT0, 0);
      sync_with(consensus_, kT0);
    } else {
      sync(consensus_);
    }
    a_.read_csr(kT0, Csr::Xgc);
  }

  void repeat(const ir::Step& step, std::uint32_t name) {
    const std::uint32_t counter = slot();
    const Label again = a_.label(), out = a_.label();
    a_.load_constant(kT0, step.count);
    store_slot(kT0, counter);
    a_.bind(again);
    enter(step.bodies[0]);
    mark(name);
    load_slot(kT0, counter);
    a_.i(Opcode::Addi, kT0, kT0, -1);
    store_slot(kT0, counter);
    if (a_.bytes() - a_.offset_of(again) < kBranchReach) return a_.branch(Opcode::Bne, kT0, kZero, again);
    a_.branch(Opcode::Beq, kT0, kZero, out);
    a_.jump(kZero, again);
    a_.bind(out);
  }

  void repeat_while(const ir::Step& step, std::uint32_t name) {
    const Label again = a_.label(), out = a_.label();
    a_.bind(again);
    enter(step.bodies[0]);
    mark(name);
    test_flag(step);
    a_.branch_unless(step.sense ? Opcode::Bne : Opcode::Beq, kT0, kZero, out);
    enter(step.bodies[1]);
    mark(name);
    a_.jump(kZero, again);
    a_.bind(out);
  }

  void branch(const ir::Step& step, std::uint32_t name) {
    const Label otherwise = a_.label(), out = a_.label();
    test_flag(step);
    a_.branch_unless(Opcode::Bne, kT0, kZero, otherwise);
    enter(step.bodies[0]);
    mark(name);
    a_.jump(kZero, out);
    a_.bind(otherwise);
    enter(step.bodies[1]);
    a_.bind(out);
  }

  void choose(const ir::Step& step, std::uint32_t name) {
    exchange(step.index);
    const Label out = a_.label();
    for (std::size_t i = 0; i < step.cases.size(); ++i) {
      const Label next = a_.label();
      a_.load_addresses({{kT0, {step.selectors[tile_], 0}}});
      a_.i(Opcode::Lw, kT0, kT0, 0);
      a_.load_constant(kT1, static_cast<std::uint32_t>(step.cases[i]));
      a_.branch_unless(Opcode::Beq, kT0, kT1, next);
      enter(step.bodies[i]);
      mark(name);
      a_.jump(kZero, out);
      a_.bind(next);
    }
    enter(step.bodies.back());
    a_.bind(out);
  }

  // --- host

  // What goes to the host has left when it is told; what comes from there is asked for when the host has answered.
  void host(const ir::Step& step) {
    std::vector<std::uint32_t> to_device;
    sync(program_.replica_hosts ? SyncZone::kReplica : SyncZone::kExternal);
    for (const std::uint32_t transfer : step.transfers) {
      if (ir::is_to_device(program_.host.streams[transfer].use))
        to_device.push_back(transfer);
      else
        send_packets(transfer);
    }
    send_event(image::event_of(plan_.host_phases.at(step.transfers)));
    sync(SyncZone::kHost);
    request(to_device);
  }

  void send_packets(std::uint32_t transfer) {
    const ir::BlockId* table = state_.packets[transfer].find(tile_);
    if (table != nullptr) emit_sends(*table, program_.host_transfers[transfer].of_tile[tile_].size(), a_);
  }

  // Requests of a table that follow each other.
  struct Requests {
    ir::Place first;
    std::uint32_t count;
  };

  void request(const std::vector<std::uint32_t>& transfers) {
    std::vector<Requests> batch;  // those that are awaited together
    std::uint32_t words = 0;
    const auto fetch_batch = [&] {
      if (!batch.empty()) fetch(batch, words);
      batch.clear();
      words = 0;
    };
    for (const std::uint32_t transfer : transfers) {
      const ir::BlockId* table = state_.packets[transfer].find(tile_);
      if (table == nullptr) continue;
      const std::vector<ir::HostRun>& runs = program_.host_transfers[transfer].runs;
      const auto [base, last] = program_.host_transfers[transfer].of_tile[tile_];
      for (std::uint32_t i = base; i < last;) {
        if (words + runs[i].words > kMostAwaited) fetch_batch();
        std::uint32_t end = i;
        while (end < last && words + runs[end].words <= kMostAwaited) words += runs[end++].words;
        batch.push_back({{*table, (i - base) * kRequestBytes}, end - i});
        i = end;
      }
    }
    fetch_batch();
    for (const std::uint32_t transfer : transfers) copies(plans_.host_after[transfer], state_.host_after[transfer]);
  }

  void fetch(const std::vector<Requests>& batch, std::uint32_t words) {
    a_.load_constant(kT0, words);
    a_.load_constant(kA2, kRequestBytes / 4);
    a_.write_csr(Csr::Xcount, kT0);
    for (const auto& [first, count] : batch) {
      a_.load_addresses({{kA0, first}, {kA1, {first.block, first.offset + count * kRequestBytes}}});
      const Label next = a_.label();
      a_.bind(next);
      a_.emit(Opcode::Hsend, {.rs1 = kA0, .rs2 = kA2});
      a_.i(Opcode::Addi, kA0, kA0, kRequestBytes);
      if (count > 1) a_.branch(Opcode::Bne, kA0, kA1, next);
    }
    sync(SyncZone::kReceive);
  }

  const ir::Program& program_;
  const Plans& plans_;
  const std::vector<Schedule>& schedules_;
  const Text& text_;
  const State& state_;
  const ControlPlan& plan_;
  std::uint32_t tile_, chip_;
  SyncZone consensus_;
  const ir::Blocks& blocks_;  // of the passes before
  TileControl made_;
  Assembler a_;
  StraightCode straight_;  // its code is in a_ until all steps are emitted
  std::vector<Label> body_labels_;
  ir::BlockId data_ = ir::kNone;
  std::uint32_t data_bytes_ = 0;
  std::uint32_t supervisor_result_ = 0;  // slot of the conjunction of a step's supervisor vertices; 0: none yet
};

}  // namespace

TileControl emit_tile(const ControlInput& input, const ControlPlan& plan, std::uint32_t tile,
                      const ir::Blocks& blocks) {
  return TileEmission(input, plan, tile, blocks).run();
}

}  // namespace tessera::compiler
