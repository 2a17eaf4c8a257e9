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

Session::Session(sc_core::sc_module_name name, Channel& channel, inspect::RecordedRun& run, Card& card,
                 spec::System system, std::string backend)
    : sc_module(name),
      channel_(channel),
      run_(run),
      card_(card),
      system_(std::move(system)),
      backend_(std::move(backend)),
      watch_(channel.fd(), [this] { return run_.abandon(); }),
      recorder_(run.machine()) {
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
      channel_.send(kind, reply.bytes(), -1, request.chip);
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
    for (int descriptor : run_.wake_descriptors()) watched.push_back({descriptor, POLLIN, 0});
    if (watched.size() == 1) return true;                          // receiving waits as well
    if (::poll(watched.data(), watched.size(), -1) < 0) continue;  // interrupted
    if (watched[0].revents != 0) return true;
    if (!watch_.begin()) return false;
    for (const pollfd& one : watched)
      if (one.revents != 0) run_.wake(one.fd);
    watch_.end();
  }
}

chip::Stop Session::run(uint64_t limit, uint64_t budget) {
  card_.endpoint.start(limit, budget);
  wait(card_.endpoint.stopped);
  return card_.endpoint.stop();
}

void Session::act(const Message& request, Writer& reply) {
  if (request.chip >= system_.chips.size())
    throw std::runtime_error("there is no chip " + std::to_string(request.chip) + ": system " + system_.name + " has " +
                             std::to_string(system_.chips.size()) + ", from 0 on");
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
      identity.notice = run_.notice();
      put(reply, identity);
      return;
    }
    case Kind::kWindow: {
      const uint64_t bytes = in.number<uint64_t>();
      const uint64_t offset = in.number<uint64_t>();
      in.end();
      if (bytes > 0 && !request.descriptor.valid()) throw DamagedMessage("no host memory came with the message");
      Window window = bytes > 0 ? Window(request.descriptor.get(), bytes, offset) : Window();
      card_.memory.map(window.bytes());
      window_ = std::move(window);
      return;
    }
    case Kind::kWrite: {
      do {
        const uint32_t offset = in.number<uint32_t>();
        card_.host.write(offset, in.words());
      } while (!in.empty());
      return;
    }
    case Kind::kRead: {
      const uint32_t offset = in.number<uint32_t>();
      const uint32_t count = in.number<uint32_t>();
      in.end();
      if (count > kMaxBody / 8) throw DamagedMessage("too many words to read");
      std::vector<uint32_t> words(count);
      card_.host.read(offset, words);
      reply.words(words);
      return;
    }
    case Kind::kRun: {
      const uint64_t limit = in.number<uint64_t>();
      const uint64_t budget = in.number<uint64_t>();
      in.end();
      put(reply, std::vector<chip::Stop>{run(limit, budget)});
      return;
    }
    case Kind::kExceptions: {
      in.end();
      std::vector<ExceptionReport> reports;
      for (uint32_t tile = 0; tile < run_.machine().tiles(); ++tile)
        if (const auto status = run_.exception(tile); status.cause != 0) reports.push_back({tile, status});
      put(reply, reports);
      return;
    }
    case Kind::kWaits:
      in.end();
      put(reply, run_.waits());
      return;
    case Kind::kCounters:
      in.end();
      put(reply, run_.counters());
      return;
    case Kind::kMemoryHash:
      in.end();
      reply.number(run_.memory_hash());
      return;
    case Kind::kRecord: {
      const uint32_t on = in.number<uint32_t>();
      in.end();
      run_.observe(on != 0 ? &recorder_ : nullptr);
      return;
    }
    case Kind::kTakeRecord:
      in.end();
      put(reply, recorder_.take());
      return;
    case Kind::kReset:
      in.end();
      card_.endpoint.reset();
      card_.host.restart();
      recorder_.reset();
      return;
    case Kind::kProgram:
    case Kind::kFailure:
    case Kind::kInspect:
    case Kind::kFinish:
      inspect(request, reply);
      return;
    case Kind::kReply:
    case Kind::kError:
      break;
  }
  throw DamagedMessage("a message of the unknown kind " + std::to_string(static_cast<uint32_t>(request.kind)));
}

void Session::inspect(const Message& request, Writer& reply) {
  Reader in(request.body);
  if (request.kind == Kind::kProgram) {
    const uint32_t already_there = in.number<uint32_t>();
    const std::vector<uint8_t> info = in.block();
    in.end();
    run_.set_program(names::deserialize(info), already_there != 0);
  } else if (request.kind == Kind::kInspect) {
    const std::string options = in.text();
    in.end();
    run_.inspect(options);
    reply.text(run_.notice());
  } else if (request.kind == Kind::kFailure && !request.body.empty()) {
    const std::string what = in.text();
    const std::vector<uint32_t> tiles = in.words();
    in.end();
    reply.text(run_.explain_check(what, tiles));
  } else if (request.kind == Kind::kFailure) {
    reply.text(run_.explain_failure());
  } else {
    in.end();
    run_.finish();
  }
}

}  // namespace tessera::machine
