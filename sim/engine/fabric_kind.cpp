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
#include "rtl/spec/words.h"
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
    set_word(top_->sync_request_i, id,
             spec::SyncRequest{.value = out.sync_value, .zone = out.sync_zone, .valid = out.sync_request});
    set_bit(top_->sent_valid_i, id, out.exchange_valid);
    set_field(top_->sent_data_i, 32 * id, 32, out.exchange_data);
    set_field(top_->select_i, 11 * id, 11, out.exchange_select);
    set_bit(top_->pair_valid_i, id, out.pair_valid);
    set_field(top_->pair_data_i, 32 * id, 32, out.pair_data);
    set_bit(top_->paired_i, id, out.paired);
    set_bit(top_->packet_request_i, id, out.packet_request);
    set_word(top_->packet_out_i, id,
             spec::TileSent{.data = out.packet_data, .last = out.packet_last, .valid = out.packet_valid});
    set_bit(top_->exception_i, id, out.exception);
    set_bit(top_->idle_i, id, out.idle);
    set_field(top_->debug_data_i, 32 * id, 32, out.debug_data);
    set_bit(top_->debug_refused_i, id, out.debug_refused);
  }
  void down(const Word& word) override {
    top_->down_i =
        spec::PacketDown{.data = word.data, .last = word.last, .first = word.first, .valid = word.valid}.encode();
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
    return spec::HostAnswer::decode(top_->mmio_o).rdata;
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
    set_word(top_->channel_i, event.channel,
             spec::ChannelWord{
                 .data = word.data, .bad = word.bad, .last = word.last, .layer = word.layer != 0, .valid = true});
  }
  void group_answer(uint8_t zone, bool consensus) override {
    const uint32_t group = zone == spec::SyncZone::kReplica ? 2 : 1;
    top_->group_i = spec::GroupAnswer{.consensus = consensus ? group : 0, .answer = group}.encode();
  }
  std::vector<LinkEvent> link_out() const override {
    std::vector<LinkEvent> out;
    if (!any_bit(top_->channel_o) && !any_bit(top_->credit_o)) return out;
    for (unsigned c = 0;
         spec::ChannelWord::kBits * c < 8 * sizeof top_->channel_o && c < machine_.links * machine_.link_words; ++c) {
      const auto word = get_word<spec::ChannelWord>(top_->channel_o, c);
      if (word.valid) out.push_back({0, c, LinkWord{word.last, word.bad, uint8_t{word.layer}, word.data}, 0});
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
    top_->group_i = 0;
#endif
    top_->clk_i = top_->clk_host_i = 0;
    top_->eval();
  }

  void inputs(unsigned id, TileInputs& in) const override {
    const auto sync = get_word<spec::SyncAnswer>(top_->sync_answer_o, id);
    in.sync_ack = sync.ack;
    in.sync_ack_zone = static_cast<uint8_t>(sync.zone);
    in.sync_consensus = sync.consensus;
    in.sync_mark = static_cast<uint16_t>(sync.mark);
    in.exchange_valid = get_bit(top_->received_valid_o, id);
    in.exchange_data = in.exchange_valid ? static_cast<uint32_t>(get_field(top_->received_data_o, 32 * id, 32)) : 0;
    in.pair_valid = get_bit(top_->pair_valid_o, id);
    in.pair_data = in.pair_valid ? static_cast<uint32_t>(get_field(top_->pair_data_o, 32 * id, 32)) : 0;
    in.packet_grant = get_bit(top_->packet_grant_o, id);
    const spec::TilePacket packet = packet_for(id);
    in.packet_valid = packet.valid;
    in.packet_first = packet.valid && packet.first;
    in.packet_data = packet.valid ? packet.data : 0;
    in.debug_valid = get_bit(top_->debug_valid_o, id);
    if (!in.debug_valid) return;
    const auto debug = spec::TileDebug::decode(&top_->debug_o[0]);
    in.debug_write = debug.write;
    in.debug_space = static_cast<DebugSpace>(debug.space);
    in.debug_context = static_cast<uint8_t>(debug.context_id);
    in.debug_address = debug.address;
    in.debug_wdata = debug.wdata;
  }
  bool gives() const override {
    return any_bit(top_->sync_answer_o) || any_packet() || any_bit(top_->received_valid_o) ||
           any_bit(top_->packet_grant_o) || any_bit(top_->debug_valid_o);
  }
  Word up() const override {
    const auto up = spec::PacketUp::decode(top_->up_o);
    return up.valid ? Word{true, false, up.last, up.bad, up.data} : Word();
  }
  bool host_waits() const override { return top_->host_waiting_o; }
  uint32_t description(unsigned i) override {
    request(false, false, spec::kRegMachineFirst + 4 * i, 0);
    top_->eval();
    return spec::HostAnswer::decode(top_->mmio_o).rdata;
  }

  Pages save(const Pages& earlier, size_t& bytes) override { return VerilatedPages::save(*top_, earlier, bytes); }
  void load(const Pages& pages) override { VerilatedPages::load(*top_, pages); }

 private:
  // The word that comes down to a tile; whether one comes to some tile.
#ifdef FABRIC_LINKS
  spec::TilePacket packet_for(unsigned id) const {
    return get_word<spec::TilePacket>(top_->packet_o, machine_.block_of(id));
  }
  bool any_packet() const {
    for (unsigned b = 0; b < machine_.blocks(); ++b)
      if (get_bit(top_->packet_o, spec::TilePacket::kBits * b + spec::TilePacket::Layout::valid.low)) return true;
    return false;
  }
  // A register of the host port, in no chip time.
  void write(uint32_t offset, uint32_t value) {
    request(true, true, offset, value);
    clock(0);
  }
#else
  spec::TilePacket packet_for(unsigned) const { return spec::TilePacket::decode(top_->packet_o); }
  bool any_packet() const { return packet_for(0).valid; }
#endif
  void request(bool valid, bool write, uint32_t offset, uint32_t data) {
    top_->mmio_i = spec::HostAccess{.wdata = data, .address = offset, .write = write, .valid = valid}.encode();
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
