// Which packet host or remote memory refused, and the instruction that sent it.
#include <fmt/format.h>

#include "inspect/failure/case.h"
#include "inspect/failure/instruction_text.h"
#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"

namespace tessera::inspect::failure {
namespace {

// The history up to the packet: its hsend is the last of the supervisor, which issues nothing before the packet is out.
class PacketWatch : public chip::Observer {
 public:
  PacketWatch(History& history, const chip::Refusal& packet) : history_(history), packet_(packet) {}

  chip::Retire sender;  // valid: it was seen

  bool wants(unsigned tile) const override { return tile == packet_.tile; }
  void retire(unsigned tile, const chip::Retire& record) override {
    if (tile != packet_.tile || out_) return;
    history_.retire(tile, record);
    if (spec::decode(record.instruction) == spec::Opcode::Hsend) sender = record;
  }
  void packet_out(unsigned tile, uint64_t cycle, uint32_t, bool last) override {
    out_ |= tile == packet_.tile && last && cycle >= packet_.sent;
  }

 private:
  History& history_;
  const chip::Refusal packet_;
  bool out_ = false;  // the packet has left
};

}  // namespace

std::string explain_refusal(Case& c) {
  const chip::Refusal& packet = c.stop.refusal.value();
  c.involved.push_back(packet.tile);
  History history(c.words.program(), c.words.machine().tiles(), {packet.tile});
  PacketWatch watch(history, packet);
  history.begin(c.run, begin_of_replay(c.run, packet.sent));
  c.run.replay(c.end(), &watch);

  std::string text =
      fmt::format("{}, {}: {} memory refused a packet: {} of {} at {} address {:#x}",
                  capital(c.words.tile(packet.tile)), context_name(0), packet.memory(), packet.write ? "write" : "read",
                  counted(packet.words, "word"), packet.memory(), packet.address);
  if (watch.sender.valid) {
    text += row("at", c.words.place(watch.sender.pc));
    for (const Source& s : sources_of(watch.sender.instruction)) {
      const chip::Retire& writer = history.tile(packet.tile).contexts[0].x_writer[s.number];
      if (!writer.valid) continue;
      text += row(register_name(s), register_value(s, written_value(s, writer)) + origin(c.words, writer));
    }
  }
  const Run::Boundary superstep = c.run.boundary_before(packet.cycle);
  const std::string step = history.step(packet.tile);
  text += row("when",
              fmt::format("it reached the host port in cycle {}, {} cycles into superstep {}{}", packet.cycle,
                          packet.cycle - superstep.cycle, superstep.superstep, step.empty() ? "" : ", step " + step));
  if (const std::string last = listing(c.words, history.tile(packet.tile).contexts[0]); !last.empty())
    text += "\n  last instructions of " + the_context(0) + ":" + last;
  return text;
}

}  // namespace tessera::inspect::failure
