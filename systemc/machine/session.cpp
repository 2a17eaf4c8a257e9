#include "systemc/machine/session.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include "inspect/options_of_chip.h"
#include "rtl/spec/machine.h"
#include "sim/process/report.h"

namespace tessera::machine {
namespace {

constexpr int kStackBytes = 8 << 20;  // debug accesses evaluate the chip on this thread's stack

}  // namespace

Window::Window(int descriptor, uint64_t bytes, uint64_t offset) {
  struct stat status;
  if (::fstat(descriptor, &status) != 0) throw std::runtime_error("the host memory handed over is no file");
  const auto size = static_cast<uint64_t>(status.st_size);
  if (size < bytes || size - bytes < offset)
    throw std::runtime_error("the host memory handed over is smaller than it is said to be");
  const uint64_t before = offset % static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  void* at = ::mmap(nullptr, before + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor,
                    static_cast<off_t>(offset - before));
  if (at == MAP_FAILED) throw std::runtime_error(std::string("host memory cannot be mapped: ") + std::strerror(errno));
  mapped_ = {static_cast<std::byte*>(at), before + bytes};
  bytes_ = mapped_.subspan(before);
}

Window::~Window() {
  if (!mapped_.empty()) ::munmap(mapped_.data(), mapped_.size());
}

Window::Window(Window&& other) noexcept
    : mapped_(std::exchange(other.mapped_, {})), bytes_(std::exchange(other.bytes_, {})) {}

Window& Window::operator=(Window&& other) noexcept {
  std::swap(mapped_, other.mapped_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

Session::Session(sc_core::sc_module_name name, Channel& channel, const std::vector<inspect::RecordedRun*>& runs,
                 Rack& rack, spec::System system, std::string backend)
    : sc_module(name),
      channel_(channel),
      rack_(rack),
      system_(std::move(system)),
      backend_(std::move(backend)),
      watch_(channel.fd(), [this] {
        bool closes = false;
        for (Side& side : sides_) closes |= side.run.abandon();
        return closes;
      }) {
  for (uint32_t c = 0; c < runs.size(); ++c) sides_.emplace_back(*runs[c], rack.card(c));
  SC_THREAD(serve);
  set_stack_size(kStackBytes);
}

void Session::serve() {
  try {
    for (;;) {
      if (!wait_for_client()) break;
      const Message request = channel_.receive();
      if (!watch_.begin()) break;
      Writer reply;
      Kind kind = Kind::kReply;
      try {
        act(request, reply);
      } catch (const sc_core::sc_unwind_exception&) {
        throw;
      } catch (const DamagedMessage&) {
        throw;
      } catch (const inspect::Abandoned&) {
        exit_status_ = kExitClientGone;
        break;
      } catch (const std::exception& error) {
        kind = Kind::kError;
        reply = Writer();
        reply.text(error.what());
      }
      watch_.end();
      const bool remote = kind == Kind::kReply && request.kind == Kind::kRemoteMemory;
      const gateway::Gateway* gateway = remote ? rack_.gateway(request.chip) : nullptr;
      channel_.send(kind, reply.bytes(), gateway != nullptr ? gateway->memory().descriptor() : -1, request.chip);
    }
  } catch (const ChannelClosed&) {
    // The client has detached, or is gone.
  } catch (const DamagedMessage& error) {
    exit_status_ = kExitDamagedMessage;
    try {
      channel_.send(Kind::kError, Writer().text(std::string("damaged message: ") + error.what()).bytes());
    } catch (const ChannelClosed&) {
      // Nobody left to tell; the exit status says it.
    }
  }
  watch_.end();
  sc_core::sc_stop();
}

bool Session::wait_for_client() {
  for (;;) {
    std::vector<pollfd> watched = {{channel_.fd(), POLLIN, 0}};
    for (Side& side : sides_)
      for (int descriptor : side.run.wake_descriptors()) watched.push_back({descriptor, POLLIN, 0});
    if (watched.size() == 1) return true;                          // receiving waits as well
    if (::poll(watched.data(), watched.size(), -1) < 0) continue;  // interrupted
    if (watched[0].revents != 0) return true;
    if (!watch_.begin()) return false;
    for (const pollfd& one : watched)
      if (one.revents != 0)
        for (Side& side : sides_) side.run.wake(one.fd);
    watch_.end();
  }
}

void Session::finish_each(const std::function<void(inspect::RecordedRun&)>& finish) {
  std::string errors;
  const auto attempt = [&](const auto& act) {
    try {
      act();
    } catch (const std::exception& error) {
      errors += (errors.empty() ? "" : "; ") + std::string(error.what());
    }
  };
  for (Side& side : sides_) attempt([&] { finish(side.run); });
  attempt([&] { rack_.finish(); });
  if (!errors.empty()) throw std::runtime_error(errors);
}

// What inspection has to tell that has not been told yet.
std::string Session::notices() {
  std::string all;
  for (Side& side : sides_)
    if (const std::string one = side.run.notice(); !one.empty()) all += (all.empty() ? "" : "\n") + one;
  if (const std::string links = rack_.link_report(); !links.empty()) all += (all.empty() ? "" : "\n") + links;
  return all;
}

void Session::act(const Message& request, Writer& reply) {
  if (request.chip >= system_.chips.size())
    throw std::runtime_error("there is no chip " + std::to_string(request.chip) + ": system " + system_.name + " has " +
                             std::to_string(system_.chips.size()) + ", from 0 on");
  Side& side = sides_[request.chip];
  Reader in(request.body);
  switch (request.kind) {
    case Kind::kHello: {
      const uint32_t version = in.number<uint32_t>();
      in.end();
      if (version != kProtocolVersion)
        throw std::runtime_error("the client speaks version " + std::to_string(version) +
                                 " of the machine's protocol, the machine version " + std::to_string(kProtocolVersion));
      Identity identity{kProtocolVersion, system_.name, system_.hash(), backend_};
      for (const spec::Machine& chip : system_.chips) identity.chips.push_back({chip.name, chip.tiles(), chip.hash()});
      identity.notice = notices();
      put(reply, identity);
      return;
    }
    case Kind::kWindow: {
      const uint64_t bytes = in.number<uint64_t>();
      const uint64_t offset = in.number<uint64_t>();
      in.end();
      if (bytes > 0 && !request.descriptor.valid()) throw DamagedMessage("no host memory came with the message");
      Window window = bytes > 0 ? Window(request.descriptor.get(), bytes, offset) : Window();
      side.card.memory.map(window.bytes());
      side.window = std::move(window);
      return;
    }
    case Kind::kWrite: {
      do {
        const uint32_t offset = in.number<uint32_t>();
        side.card.host.write(offset, in.words());
      } while (!in.empty());
      return;
    }
    case Kind::kRead: {
      const uint32_t offset = in.number<uint32_t>();
      const uint32_t count = in.number<uint32_t>();
      in.end();
      if (count > kMaxBody / 8) throw DamagedMessage("too many words to read");
      std::vector<uint32_t> words(count);
      side.card.host.read(offset, words);
      reply.words(words);
      return;
    }
    case Kind::kRun: {
      const uint64_t limit = in.number<uint64_t>();
      const uint64_t budget = in.number<uint64_t>();
      in.end();
      put(reply, rack_.run(limit, budget));
      return;
    }
    case Kind::kExceptions: {
      in.end();
      std::vector<ExceptionReport> reports;
      for (uint32_t tile = 0; tile < side.run.machine().tiles(); ++tile)
        if (const auto status = side.run.exception(tile); status.cause != 0) reports.push_back({tile, status});
      put(reply, reports);
      return;
    }
    case Kind::kWaits:
      in.end();
      put(reply, side.run.waits());
      return;
    case Kind::kCounters:
      in.end();
      put(reply, side.run.counters());
      return;
    case Kind::kMemoryHash:
      in.end();
      reply.number(side.run.memory_hash());
      return;
    case Kind::kRecord: {
      const uint32_t on = in.number<uint32_t>();
      in.end();
      side.run.observe(on != 0 ? &side.recorder : nullptr);
      return;
    }
    case Kind::kTakeRecord:
      in.end();
      put(reply, side.recorder.take());
      return;
    case Kind::kReset:
      in.end();
      rack_.reset();
      for (Side& each : sides_) each.recorder.reset();
      return;
    case Kind::kRemoteMemory: {
      in.end();
      const gateway::Gateway* gateway = rack_.gateway(request.chip);
      reply.number(gateway != nullptr ? gateway->memory().bytes() : 0);  // the descriptor goes with it
      return;
    }
    case Kind::kReplicas: {
      const uint32_t chips = in.number<uint32_t>();
      const uint32_t independent = in.number<uint32_t>();
      in.end();
      rack_.share_out({chips, chips != 0 && independent != 0});
      return;
    }
    case Kind::kProgram:
    case Kind::kFailure:
    case Kind::kInspect:
    case Kind::kFinish:
      inspect(side, request, reply);
      return;
    case Kind::kReply:
    case Kind::kError:
      break;
  }
  throw DamagedMessage("a message of the unknown kind " + std::to_string(static_cast<uint32_t>(request.kind)));
}

void Session::inspect(Side& side, const Message& request, Writer& reply) {
  Reader in(request.body);
  if (request.kind == Kind::kProgram) {
    const uint32_t already_there = in.number<uint32_t>();
    const std::vector<uint8_t> info = in.block();
    in.end();
    side.run.set_program(names::deserialize(info), already_there != 0);
  } else if (request.kind == Kind::kInspect) {
    const std::string options = in.text();
    in.end();
    const auto chips = static_cast<uint32_t>(sides_.size());
    for (uint32_t c = 0; c < chips; ++c) inspect::of_chip(options, {c, chips});  // refused before any has changed
    for (uint32_t c = 0; c < chips; ++c) sides_[c].run.inspect(inspect::of_chip(options, {c, chips}));
    reply.text(notices());
  } else if (request.kind == Kind::kFailure && !request.body.empty()) {
    const std::string what = in.text();
    const std::vector<uint32_t> tiles = in.words();
    in.end();
    reply.text(side.run.explain_check(what, tiles));
  } else if (request.kind == Kind::kFailure) {
    reply.text(side.run.explain_failure());
  } else {
    in.end();
    finish_each([](inspect::RecordedRun& run) { run.finish(); });
  }
}

}  // namespace tessera::machine
