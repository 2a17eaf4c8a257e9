// Protocol: how a stop is told.
#include <algorithm>

#include "inspect/gdb/protocol.h"
#include "inspect/gdb/registers.h"
#include "inspect/gdb/rsp.h"
#include "rtl/spec/causes.h"

namespace tessera::inspect::gdb {
namespace {

// gdb's own numbers.
enum Signal : uint8_t { kInt = 2, kIll = 4, kTrap = 5, kAbort = 6, kFloat = 8, kBus = 10, kSegv = 11, kCpu = 24 };

Signal signal_of(spec::Cause cause) {
  switch (cause) {
    case spec::Cause::Trap:
      return kAbort;
    case spec::Cause::Float:
      return kFloat;
    case spec::Cause::Clash:
    case spec::Cause::Exchange:
    case spec::Cause::Parity:
      return kBus;
    case spec::Cause::Address:
    case spec::Cause::Pc:
    case spec::Cause::Stack:
      return kSegv;
    case spec::Cause::Config:
    case spec::Cause::Operand:
    case spec::Cause::Illegal:
      return kIll;
    default:
      return kTrap;
  }
}

std::string exception_text(const std::string& thread, const chip::ExceptionStatus& e) {
  std::string text = thread + ": exception " + std::string(spec::cause_name(e.cause)) + " (" +
                     std::string(spec::cause_reason(e.cause)) + "), value 0x" + hex_text(e.value);
  if (!e.is_of_ports()) text += ", pc 0x" + hex_text(e.pc);
  return text + ", cycle " + std::to_string(e.cycle) + "\n";
}

std::string tile_name(const Target& target, unsigned tile) {
  const Target::OnChip at = target.of(tile);
  return at.place.tile(at.tile);
}

std::string waits_text(Target& target, View& view) {
  constexpr unsigned kLines = 20;
  const auto count = target.tiles();
  std::string text;
  for (unsigned tile = 0; tile < std::min(count, kLines); ++tile)
    text += tile_name(target, tile) + " " + view.wait(tile).state + "\n";
  if (count > kLines) text += "(and " + std::to_string(count - kLines) + " more: monitor tiles)\n";
  return text;
}

}  // namespace

std::string Protocol::stop_reply(Target& target, const Found& found, std::string& text) {
  last_stop_ = found;
  return told(target, found, text);
}

std::string Protocol::exit_reply() const { return processes_ ? "W00;process:" + hex_text(focus_.tile + 1) : "W00"; }

std::string Protocol::told(Target& target, const Found& found, std::string& text) {
  Thread thread = found.thread;
  const bool of_a_thread = found.kind != StopKind::kInterrupt && found.kind != StopKind::kAttached &&
                           found.kind != StopKind::kReached && found.kind != StopKind::kBegin &&
                           found.kind != StopKind::kDeadlock;
  if (of_a_thread && hidden_.contains(thread.tile)) show(thread.tile);
  if (!of_a_thread && attached_.contains(focus_.tile)) thread = focus_;
  if (!attached_.contains(thread.tile) && !attached_.empty()) thread = {*attached_.begin(), 0};
  general_ = focus_ = thread;
  uint8_t signal = kTrap;
  std::string why;
  View& view = navigator_.view(target);
  switch (found.kind) {
    case StopKind::kBreak:
      why = "swbreak:;";
      break;
    case StopKind::kHardwareBreak:
      why = "hwbreak:;";
      break;
    case StopKind::kWrite:
      why = "watch:" + hex_text(found.address) + ";";
      break;
    case StopKind::kRead:
      why = "rwatch:" + hex_text(found.address) + ";";
      break;
    case StopKind::kAccess:
      why = "awatch:" + hex_text(found.address) + ";";
      break;
    case StopKind::kStep:
    case StopKind::kAttached:
      break;
    case StopKind::kExit:
      text = name_of(target, found.thread) + " has executed exit and is not active any more\n";
      break;
    case StopKind::kException: {
      const auto e = view.exception(found.thread.tile);
      text = exception_text(name_of(target, found.thread), e);
      signal = signal_of(static_cast<spec::Cause>(e.cause));
      break;
    }
    case StopKind::kDeadlock:
      text = "deadlock: nothing can move any more\n" + waits_text(target, view);
      signal = kAbort;
      break;
    case StopKind::kBudget:
      text = tile_name(target, found.thread.tile) + " has computed for longer than the cycle budget\n";
      signal = kCpu;
      break;
    case StopKind::kRefused:
      text = std::string(found.remote ? "remote" : "host") + " memory has refused a packet of " +
             tile_name(target, found.thread.tile) + "\n";
      signal = kBus;
      break;
    case StopKind::kInterrupt:
      signal = kInt;
      break;
    case StopKind::kReached:
      text = "reached cycle " + std::to_string(navigator_.position()) + "\n";
      break;
    case StopKind::kBegin:
      why = "replaylog:begin;";
      break;
  }
  std::string reply = "T" + to_hex(signal, 1) + why + "thread:" + thread_text(thread, processes_) + ";";
  for (const unsigned number : {kStackRegister, kPcRegister})
    reply += hex_text(number) + ":" + register_text(target, number) + ";";
  return reply;
}

}  // namespace tessera::inspect::gdb
