#include "inspect/gdb/server.h"

#include <stdexcept>
#include <utility>

#include "formats/whole_file.h"

namespace tessera::inspect::gdb {

Server::Server(const Options& options, std::vector<unsigned> tiles, unsigned tiles_in_all, unsigned chips)
    : connection_(options.gdb),
      protocol_(navigator_, std::move(tiles), !options.gdb_tiles.all, tiles_in_all, chips),
      awaited_(options.gdb_halt) {
  if (options.gdb_file.empty()) return;
  // Whoever waits for the file must not see it half written.
  try {
    formats::write_whole_file(options.gdb_file, std::to_string(connection_.port()) + "\n");
  } catch (const formats::CannotWrite& error) {
    throw std::runtime_error(std::string("gdb-file: ") + error.what());
  }
}

Part::Needs Server::needs() const {
  const bool looking = connection_.connected() && protocol_.attached();
  if (!looking) return {false, kPollCycles, 0};
  if (navigator_.hardware()) return {false, kPollCycles, 0};
  const bool stops = !std::as_const(navigator_).stops().empty() || navigator_.stepping();
  return stops ? Part::Needs{true, stride_, kStridesToSnapshot * stride_}
               : Part::Needs{navigator_.has_goal(), kPollCycles, 0};
}

void Server::at_boundary(Target& target) {
  if (connection_.accept()) welcome(target);
  while (awaited_ && !connection_.connected()) {
    connection_.wait(target.abandoned_descriptor());
    if (target.abandoned()) return;
    if (connection_.accept()) welcome(target);
  }
  awaited_ = false;
  if (!connection_.connected()) return;
  if (navigator_.running()) {
    if (const auto found = navigator_.arrived(target))
      tell(target, *found);
    else if (interrupted())
      tell(target, navigator_.interrupt(target));
    else
      stride_ = std::min(2 * stride_, kLongestStride);
  }
  if (!halted_ && !navigator_.running() && receive()) halted_ = true;  // asks something after it has detached
  while (halted_) serve(target);
}

std::string Server::notice() const {
  const std::string port = std::to_string(connection_.port());
  return "serving a debugger at port " + port + (awaited_ ? ", and waiting for it" : "") + ": tessera gdb " + port;
}

void Server::program_changed(unsigned chip) {
  protocol_.program_changed(chip);
  navigator_.begin_anew();
}

void Server::finish() {
  if (connection_.connected() && navigator_.running()) send(protocol_.exit_reply());
  connection_.close();
}

void Server::welcome(Target& target) {
  reader_.clear();
  Found here = navigator_.interrupt(target);
  here.kind = StopKind::kAttached;
  protocol_.begin(here);
  halted_ = true;
}

void Server::send(const std::string& payload) {
  last_ = framed(payload);
  connection_.send(last_);
}

bool Server::receive() {
  std::vector<char> bytes;
  connection_.receive(bytes);
  reader_.feed(bytes);
  return !bytes.empty();
}

bool Server::interrupted() {
  receive();
  if (!connection_.connected()) return true;
  bool stop = false;
  while (const auto event = reader_.next()) stop |= event->kind == PacketReader::Event::Kind::kInterrupt;
  return stop;
}

void Server::tell(Target& target, const Found& found) {
  halted_ = true;
  stride_ = kShortestStride;
  std::string text;
  const std::string reply = protocol_.stop_reply(target, found, text);
  if (!text.empty()) send("O" + to_hex(text));
  send(reply);
}

void Server::serve(Target& target) {
  auto event = reader_.next();
  while (!event && connection_.connected()) {
    if (target.abandoned()) break;
    if (!receive() && connection_.connected()) connection_.wait(target.abandoned_descriptor());
    connection_.accept();  // turns others away
    event = reader_.next();
  }
  if (!event) return let_go(target);
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
      obey(target, protocol_.handle(event->payload, target));
  }
}

void Server::obey(Target& target, const Order& order) {
  const auto ctrl_c = [&] { return interrupted(); };
  switch (order.kind) {
    case Order::Kind::kAnswer:
      return send(order.answer);
    case Order::Kind::kResume:
      halted_ = false;
      navigator_.resume(target, order.resume);
      if (const auto found = navigator_.search(target, ctrl_c)) tell(target, *found);
      return;
    case Order::Kind::kReverseStep:
      return tell(target, navigator_.reverse_step(target, order.thread));
    case Order::Kind::kReverseContinue:
      return tell(target, navigator_.reverse_continue(target, ctrl_c));
    case Order::Kind::kAttach:
      return tell(target, navigator_.interrupt(target));
    case Order::Kind::kDetach:
      send(order.answer);
      navigator_.let_go(target);
      halted_ = false;
      return;
    case Order::Kind::kKill:
      if (!order.answer.empty()) send(order.answer);
      let_go(target);
      throw std::runtime_error("the debugger has killed the run");
  }
}

void Server::let_go(Target& target) {
  connection_.close();
  navigator_.let_go(target);
  halted_ = false;
}

}  // namespace tessera::inspect::gdb
