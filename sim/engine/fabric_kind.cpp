// The pins of one verilated fabric. Compiled once for each machine that has one: KIND is its id in fabric_kinds.def,
// FABRIC_CLASS the class, FABRIC_HEADER its header; and once more for that with waves, with FABRIC_TRACED, and for that
// with links, with FABRIC_LINKS and TURNS_HEADER, where it keeps whose turn it is.
#include FABRIC_HEADER
#ifdef FABRIC_TRACED
#include <verilated_fst_c.h>
#endif
#ifdef FABRIC_LINKS
#include TURNS_HEADER
#endif

#include <stdexcept>
#include <utility>

#include "rtl/spec/machine.h"
#include "rtl/spec/registers.h"
#include "sim/engine/fabric_pins.h"
#include "sim/engine/port_bits.h"
#include "sim/engine/verilated_pages.h"

#define JOINED(a, b) a##b
#define OF_KIND(name, kind) JOINED(name, kind)

namespace tessera::chip {
namespace {

class Pins : public FabricPins {
 public:
  explicit Pins(VerilatedContext* context) : context_(context) {
    Pins::reset();
#ifdef FABRIC_LINKS
    unsigned i = 0;
#define FIELD(f) machine_.f = Pins::description(i++);
    TESSERA_MACHINE_FIELDS(FIELD)
#undef FIELD
#endif
  }
  ~Pins() override { top_->final(); }

  // A context that traces knows each instance that it has had: one that has done nothing is kept.
  void reset() override {
    if (top_ && !used_) return;
    if (top_) top_->final();
    top_.reset(new FABRIC_CLASS(context_ ? context_ : ::Verilated::defaultContextp(), "fabric"));
    ::Verilated::threadContextp(::Verilated::defaultContextp());
    top_->alike_i = 1;
    top_->rst_ni = 0;
    for (int n = 0; n < 2; ++n) clock(0);
    top_->rst_ni = 1;
    used_ = false;
  }

  void tile(unsigned id, const TileOutputs& out) override {
    set_bit(top_->sync_request_i, id, out.sync_request);
    set_field(top_->sync_zone_i, 4 * id, 4, out.sync_zone);
    set_bit(top_->sync_value_i, id, out.sync_value);
    set_bit(top_->sent_valid_i, id, out.exchange_valid);
    set_field(top_->sent_data_i, 32 * id, 32, out.exchange_data);
    set_field(top_->select_i, 11 * id, 11, out.exchange_select);
    set_bit(top_->pair_valid_i, id, out.pair_valid);
    set_field(top_->pair_data_i, 32 * id, 32, out.pair_data);
    set_bit(top_->paired_i, id, out.paired);
    set_bit(top_->packet_request_i, id, out.packet_request);
    set_field(top_->packet_out_i, 34 * id, 34,
              uint64_t{out.packet_valid} << 33 | uint64_t{out.packet_last} << 32 | out.packet_data);
    set_bit(top_->exception_i, id, out.exception);
    set_bit(top_->idle_i, id, out.idle);
    set_field(top_->debug_data_i, 32 * id, 32, out.debug_data);
    set_bit(top_->debug_refused_i, id, out.debug_refused);
  }
  void down(const Word& word) override {
    top_->down_valid_i = word.valid;
    top_->down_first_i = word.first;
    top_->down_last_i = word.last;
    top_->down_data_i = word.data;
  }
  void mark(uint16_t value) override { request(value != 0, true, spec::kRegMark, value); }
  void select(uint32_t select, uint32_t address) override {
    for (const auto& [offset, value] : {std::pair<uint32_t, uint32_t>{spec::kRegDebugSelect, select},
                                        std::pair<uint32_t, uint32_t>{spec::kRegDebugAddress, address}}) {
      request(true, true, offset, value);
      for (const bool high : {true, false}) {
        top_->clk_host_i = high;
        top_->eval();
      }
    }
    request(false, false, 0, 0);
  }
  void access(bool write, uint32_t data) override {
    request(true, write, spec::kRegDebugData, data);
    top_->eval();
  }
  uint32_t answer() override {
    request(false, false, spec::kRegDebugData, 0);
    top_->eval();
    return top_->mmio_rdata_o;
  }
  void settle() override { top_->eval(); }
#ifdef FABRIC_TRACED
  void trace(VerilatedFstC& file) override { top_->trace(&file, 99); }
#else
  void trace(VerilatedFstC&) override { throw std::logic_error("fabric: it is verilated without waves"); }
#endif
#ifdef FABRIC_LINKS
  void join(uint32_t chip, const spec::LinkTables& tables, Grouped grouped) override {
    write(spec::kRegPlace,
          spec::PlaceInSystem{.chip = chip, .grouped = grouped.external, .replica_grouped = grouped.replica}.encode());
    for (uint32_t i = 0; i < tables.routes.size(); ++i) {
      write(spec::kRegLinkSelect, i);
      write(spec::kRegLinkData, tables.routes[i].encode());
    }
    for (uint32_t c = 0; c < tables.sites.size(); ++c) {
      write(spec::kRegLinkSelect, spec::kMostChips + c);
      write(spec::kRegLinkData, tables.sites[c].encode());
    }
  }
  void turns(std::span<const unsigned> first) override {
    if (first.size() != kLinkWays) throw std::logic_error("fabric: turns of other ways");
    for (unsigned way = 0; way < kLinkWays; ++way) set_link_turn(*top_, way, ~uint64_t{0} << first[way]);
  }
  void link_in(const LinkEvent& event) override {
    if (!event.word) {
      set_bit(top_->credit_i, 2 * event.channel + event.layer, true);
      return;
    }
    const LinkWord& word = *event.word;
    set_field(top_->channel_i, 36 * event.channel, 36,
              uint64_t{1} << 35 | uint64_t{word.layer} << 34 | uint64_t{word.last} << 33 | uint64_t{word.bad} << 32 |
                  word.data);
  }
  void group_answer(uint8_t zone, bool consensus) override {
    top_->group_answer_i = zone == spec::SyncZone::kReplica ? 2 : 1;
    top_->group_consensus_i = consensus ? top_->group_answer_i : 0;
  }
  std::vector<LinkEvent> link_out() const override {
    std::vector<LinkEvent> out;
    if (!any_bit(top_->channel_o) && !any_bit(top_->credit_o)) return out;
    for (unsigned c = 0; 36 * c < 8 * sizeof top_->channel_o && c < machine_.links * machine_.link_words; ++c) {
      const uint64_t bits = get_field(top_->channel_o, 36 * c, 36);
      if (bits >> 35 & 1)
        out.push_back({0, c,
                       LinkWord{(bits >> 33 & 1) != 0, (bits >> 32 & 1) != 0, static_cast<uint8_t>(bits >> 34 & 1),
                                static_cast<uint32_t>(bits)},
                       0});
      for (uint8_t layer = 0; layer < 2; ++layer)
        if (get_bit(top_->credit_o, 2 * c + layer)) out.push_back({0, c, std::nullopt, layer});
    }
    return out;
  }
#endif
  void clock(uint64_t cycle) override {
    used_ = true;
#ifndef FABRIC_LINKS
    top_->link_take_i = top_->link_valid_o;  // there are no other chips
#endif
    top_->cycle_i = cycle;
    top_->clk_i = top_->clk_host_i = 1;
    top_->eval();
    request(false, false, 0, 0);
    down({});
#ifdef FABRIC_LINKS
    clear(top_->channel_i);
    clear(top_->credit_i);
    top_->group_answer_i = top_->group_consensus_i = 0;
#endif
    top_->clk_i = top_->clk_host_i = 0;
    top_->eval();
  }

  void inputs(unsigned id, TileInputs& in) const override {
    in.sync_ack = get_bit(top_->sync_ack_o, id);
    in.sync_ack_zone = static_cast<uint8_t>(get_field(top_->sync_ack_zone_o, 4 * id, 4));
    in.sync_consensus = get_bit(top_->sync_consensus_o, id);
    in.sync_mark = static_cast<uint16_t>(get_field(top_->sync_mark_o, 16 * id, 16));
    in.exchange_valid = get_bit(top_->received_valid_o, id);
    in.exchange_data = in.exchange_valid ? static_cast<uint32_t>(get_field(top_->received_data_o, 32 * id, 32)) : 0;
    in.pair_valid = get_bit(top_->pair_valid_o, id);
    in.pair_data = in.pair_valid ? static_cast<uint32_t>(get_field(top_->pair_data_o, 32 * id, 32)) : 0;
    in.packet_grant = get_bit(top_->packet_grant_o, id);
#ifdef FABRIC_LINKS
    const unsigned block = machine_.block_of(id);
    in.packet_valid = get_bit(top_->packet_valid_o, block);
    in.packet_first = in.packet_valid && get_bit(top_->packet_first_o, block);
    in.packet_data = in.packet_valid ? static_cast<uint32_t>(get_field(top_->packet_data_o, 32 * block, 32)) : 0;
#else
    in.packet_valid = top_->packet_valid_o;
    in.packet_first = top_->packet_valid_o && top_->packet_first_o;
    in.packet_data = top_->packet_valid_o ? top_->packet_data_o : 0;
#endif
    in.debug_valid = get_bit(top_->debug_valid_o, id);
    if (!in.debug_valid) return;
    in.debug_write = top_->debug_write_o;
    in.debug_space = static_cast<DebugSpace>(top_->debug_space_o);
    in.debug_context = top_->debug_context_o;
    in.debug_address = top_->debug_address_o;
    in.debug_wdata = top_->debug_wdata_o;
  }
  bool gives() const override {
    return any_bit(top_->sync_ack_o) || any_bit(top_->packet_valid_o) || any_bit(top_->received_valid_o) ||
           any_bit(top_->packet_grant_o) || any_bit(top_->debug_valid_o);
  }
  Word up() const override {
    if (!top_->up_valid_o) return {};
    return {true, false, static_cast<bool>(top_->up_last_o), static_cast<bool>(top_->up_bad_o), top_->up_data_o};
  }
  bool host_waits() const override { return top_->host_waiting_o; }
  uint32_t description(unsigned i) override {
    request(false, false, spec::kRegMachineFirst + 4 * i, 0);
    top_->eval();
    return top_->mmio_rdata_o;
  }

  Pages save(const Pages& earlier, size_t& bytes) override { return VerilatedPages::save(*top_, earlier, bytes); }
  void load(const Pages& pages) override { VerilatedPages::load(*top_, pages); }

 private:
#ifdef FABRIC_LINKS
  // A register of the host port, in no chip time.
  void write(uint32_t offset, uint32_t value) {
    request(true, true, offset, value);
    clock(0);
  }
#endif
  void request(bool valid, bool write, uint32_t offset, uint32_t data) {
    top_->mmio_valid_i = valid;
    top_->mmio_write_i = write;
    top_->mmio_address_i = static_cast<uint16_t>(offset);
    top_->mmio_wdata_i = data;
  }

  // A scope takes itself off the list of the thread's context, whichever that is.
  struct Removal {
    void operator()(FABRIC_CLASS* top) const {
      ::Verilated::threadContextp(top->contextp());
      delete top;
      ::Verilated::threadContextp(::Verilated::defaultContextp());
    }
  };

  VerilatedContext* const context_;
#ifdef FABRIC_LINKS
  spec::Machine machine_;
#endif
  std::unique_ptr<FABRIC_CLASS, Removal> top_;
  bool used_ = false;  // since reset
};

}  // namespace

std::unique_ptr<FabricPins> OF_KIND(make_fabric_, KIND)(VerilatedContext* context) {
  return std::make_unique<Pins>(context);
}

}  // namespace tessera::chip
