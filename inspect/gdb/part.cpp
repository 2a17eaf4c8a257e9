#include "inspect/gdb/part.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "formats/whole_file.h"
#include "inspect/gdb/connection.h"
#include "inspect/gdb/protocol.h"
#include "inspect/gdb/rsp.h"
#include "rtl/spec/machine.h"

namespace tessera::inspect::gdb {
namespace {

class GdbPart : public Part {
 public:
  GdbPart(const Options& options, const spec::Machine& machine, const spec::ChipPlace& place)
      : connection_(options.gdb),
        protocol_(navigator_, options.gdb_tiles.of(machine.tiles(), place), !options.gdb_tiles.all, machine.tiles()),
        awaited_(options.gdb_halt) {
    if (options.gdb_file.empty()) return;
    // Whoever waits for the file must not see it half written.
    try {
      formats::write_whole_file(options.gdb_file, std::to_string(connection_.port()) + "\n");
    } catch (const formats::CannotWrite& error) {
      throw std::runtime_error(std::string("gdb-file: ") + error.what());
    }
  }

  chip::Observer* observer() override { return navigator_.observer(); }

  Needs needs() const override {
    const bool looking = connection_.connected() && protocol_.attached();
    if (!looking) return {false, kPollCycles, 0};
    if (navigator_.hardware()) return {false, kPollCycles, 0};
    const bool stops = !std::as_const(navigator_).stops().empty() || navigator_.stepping();
    return stops ? Needs{true, stride_, kStridesToSnapshot * stride_} : Needs{navigator_.has_goal(), kPollCycles, 0};
  }

  void at_boundary(Run& run, const chip::Stop& stop) override {
    if (connection_.accept()) welcome(run, stop);
    while (awaited_ && !connection_.connected()) {
      connection_.wait(run.abandoned_descriptor());
      if (run.abandoned()) return;
      if (connection_.accept()) welcome(run, stop);
    }
    awaited_ = false;
    if (!connection_.connected()) return;
    if (navigator_.running()) {
      if (const auto found = navigator_.arrived(run, stop))
        tell(run, *found);
      else if (interrupted())
        tell(run, navigator_.interrupt(run, stop));
      else
        stride_ = std::min(2 * stride_, kLongestStride);
    }
    if (!halted_ && !navigator_.running() && receive()) halted_ = true;  // asks something after it has detached
    while (halted_) serve(run, stop);
  }

  std::string notice() const override {
    const std::string port = std::to_string(connection_.port());
    return "serving a debugger at port " + port + (awaited_ ? ", and waiting for it" : "") + ": tessera gdb " + port;
  }

  int wake_descriptor() const override { return connection_.wake_fd(); }

  void program_changed(const names::ProgramInfo&) override {
    protocol_.program_changed();
    navigator_.begin_anew();
  }

  void finish() override {
    if (connection_.connected() && navigator_.running()) send(protocol_.exit_reply());
    connection_.close();
  }

 private:
  // How often a run without stops looks for a debugger or Ctrl-C, and one with stops for them, in cycles: the next stop
  // is as far from the last one as that was from the one before, more or less, and what the run has gone too far is
  // wasted.
  static constexpr uint64_t kPollCycles = 16384, kShortestStride = 512, kLongestStride = 4096, kStridesToSnapshot = 4;

  void welcome(Run& run, const chip::Stop& stop) {
    reader_.clear();
    Found here = navigator_.interrupt(run, stop);
    here.kind = StopKind::kAttached;
    protocol_.begin(here);
    halted_ = true;
  }

  void send(const std::string& payload) {
    last_ = framed(payload);
    connection_.send(last_);
  }

  // Takes in what has come. False: nothing to do.
  bool receive() {
    std::vector<char> bytes;
    connection_.receive(bytes);
    reader_.feed(bytes);
    return !bytes.empty();
  }

  // Whether Ctrl-C has come, or the debugger has gone. Packets have no business here.
  bool interrupted() {
    receive();
    if (!connection_.connected()) return true;
    bool stop = false;
    while (const auto event = reader_.next()) stop |= event->kind == PacketReader::Event::Kind::kInterrupt;
    return stop;
  }

  void tell(Run& run, const Found& found) {
    halted_ = true;
    stride_ = kShortestStride;
    std::string text;
    const std::string reply = protocol_.stop_reply(run, found, text);
    if (!text.empty()) send("O" + to_hex(text));
    send(reply);
  }

  // One packet, waiting for it.
  void serve(Run& run, const chip::Stop& stop) {
    auto event = reader_.next();
    while (!event && connection_.connected()) {
      if (run.abandoned()) break;
      if (!receive() && connection_.connected()) connection_.wait(run.abandoned_descriptor());
      connection_.accept();  // turns others away
      event = reader_.next();
    }
    if (!event) return let_go(run);
    // Who acknowledges waits for the answer: of several packets the earlier ones were sent again, or given up, while
    // the run was busy. An answer to each would be taken for that of another question; a Ctrl-C stops what stands.
    if (protocol_.acknowledges())
      while (const auto later = reader_.next())
        if (later->kind == PacketReader::Event::Kind::kPacket) event = later;
    switch (event->kind) {
      case PacketReader::Event::Kind::kInterrupt:
        return;
      case PacketReader::Event::Kind::kNegative:
        if (protocol_.acknowledges()) connection_.send(last_);
        return;
      case PacketReader::Event::Kind::kDamaged:
        if (protocol_.acknowledges()) connection_.send("-");
        return;
      case PacketReader::Event::Kind::kPacket:
        if (protocol_.acknowledges()) connection_.send("+");
        obey(run, stop, protocol_.handle(event->payload, run));
    }
  }

  void obey(Run& run, const chip::Stop& stop, const Order& order) {
    const auto ctrl_c = [&] { return interrupted(); };
    switch (order.kind) {
      case Order::Kind::kAnswer:
        return send(order.answer);
      case Order::Kind::kResume:
        halted_ = false;
        navigator_.resume(run, order.resume);
        if (const auto found = navigator_.search(run, stop, ctrl_c)) tell(run, *found);
        return;
      case Order::Kind::kReverseStep:
        return tell(run, navigator_.reverse_step(run, order.thread));
      case Order::Kind::kReverseContinue:
        return tell(run, navigator_.reverse_continue(run, ctrl_c));
      case Order::Kind::kAttach:
        return tell(run, navigator_.interrupt(run, stop));
      case Order::Kind::kDetach:
        send(order.answer);
        navigator_.let_go(run);
        halted_ = false;
        return;
      case Order::Kind::kKill:
        if (!order.answer.empty()) send(order.answer);
        let_go(run);
        throw std::runtime_error("the debugger has killed the run");
    }
  }

  void let_go(Run& run) {
    connection_.close();
    navigator_.let_go(run);
    halted_ = false;
  }

  Navigator navigator_;
  Connection connection_;
  PacketReader reader_;
  Protocol protocol_;
  std::string last_;      // sent
  bool awaited_ = false;  // the run does not begin without a debugger
  bool halted_ = false;   // packets are answered, the run stands
  uint64_t stride_ = kShortestStride;
};

}  // namespace

std::unique_ptr<Part> make_part(const Options& options, const spec::Machine& machine, const spec::ChipPlace& place) {
  if (options.gdb.empty()) return nullptr;
  return std::make_unique<GdbPart>(options, machine, place);
}

}  // namespace tessera::inspect::gdb
