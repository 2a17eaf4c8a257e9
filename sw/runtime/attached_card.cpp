#include "sw/runtime/attached_card.h"

#include <cstdio>
#include <cstdlib>
#include <poplar/exceptions.hpp>

namespace tessera::runtime {
namespace {

bool quiet() {
  const char* value = std::getenv("TESSERA_QUIET");
  return value != nullptr && *value != '\0' && std::string(value) != "0";
}

const char* words_for(const std::string& backend) {
  if (backend == "rtl") return "the RTL";
  if (backend == "waves") return "the RTL, leaving waves";
  if (backend == "model") return "the model";
  return "the RTL and the model in lockstep";
}

}  // namespace

std::string AttachedCard::describe() const {
  std::string text = "machine " + system_ + " (" + backend_;
  if (running_.process) text += ", process " + std::to_string(running_.process->pid());
  return text + ")";
}

void AttachedCard::start() {
  const std::lock_guard lock(mutex_);
  start_locked();
}

void AttachedCard::start_locked() {
  if (running_.client) return;
  std::string executable;
  std::vector<std::string> more;
  if (waves_) {
    std::string tiles;
    for (unsigned tile : waves_->tiles) tiles += (tiles.empty() ? "" : ",") + std::to_string(tile);
    more = {"--waves",           waves_->path,
            "--wave-tiles",      tiles,
            "--wave-from",       std::to_string(waves_->from_superstep),
            "--wave-supersteps", std::to_string(waves_->supersteps)};
  }
  const std::string held = waves_ ? "waves" : backend_;
  try {
    executable = machine::find_machine(held);
    Running running;
    running.process = std::make_unique<machine::Process>(executable, system_, held, more);
    running.client = std::make_unique<machine::Client>(running.process->take_socket());
    running_ = std::move(running);
  } catch (const std::exception& error) {
    throw poplar::system_runtime_error(describe() + " cannot be attached" +
                                       (executable.empty() ? "" : " through " + executable) + ": " + error.what());
  }
  const machine::Identity& identity = running_.client->identity();
  const std::string text =
      identity.machine + " (" + std::to_string(identity.tiles) + " tiles), run by " + words_for(identity.backend);
  if (!quiet() && text != said_) std::fprintf(stderr, "tessera: attached %s\n", text.c_str());
  said_ = text;
}

void AttachedCard::stop() {
  const std::lock_guard lock(mutex_);
  stop_locked();
}

void AttachedCard::leave_waves(Waves waves) {
  const std::lock_guard lock(mutex_);
  if (backend_ != "rtl")
    throw poplar::poplar_error("waves show the RTL; this device is run by " + std::string(words_for(backend_)));
  stop_locked();
  waves_ = std::move(waves);
}

void AttachedCard::stop_locked() {
  running_.client.reset();  // the process ends when its socket closes, and then it is reaped
  running_.process.reset();
  owner_ = 0;
}

pid_t AttachedCard::pid() const {
  const std::lock_guard lock(mutex_);
  return running_.process ? running_.process->pid() : 0;
}

uint64_t AttachedCard::take() {
  const std::lock_guard lock(mutex_);
  return owner_ = ++last_owner_;
}

void AttachedCard::use(const std::string& what, const std::function<void(machine::Client&)>& body) {
  const std::lock_guard lock(mutex_);
  start_locked();
  use_locked(what, body);
}

void AttachedCard::use_as(uint64_t owner, const std::string& what, const std::function<void(machine::Client&)>& body) {
  const std::lock_guard lock(mutex_);
  if (owner_ != owner)
    throw poplar::poplar_error(
        "the program is not on the device any more (another was loaded, or the device was reset or "
        "detached) while " +
        what + "; load it again");
  use_locked(what, body);
}

void AttachedCard::use_locked(const std::string& what, const std::function<void(machine::Client&)>& body) {
  try {
    body(*running_.client);
  } catch (const machine::MachineGone& error) {
    const std::string name = describe();
    running_.client.reset();
    const std::string end = running_.process->end();
    running_.process.reset();
    owner_ = 0;
    throw poplar::recoverable_runtime_error(poplar::RecoveryAction::IPU_RESET,
                                            name + " " + end + " while " + what +
                                                "; load the program again to go on with a new one (" + error.what() +
                                                ")");
  } catch (const machine::MachineRefused& error) {
    throw poplar::system_runtime_error(describe() + " failed while " + what + ": " + error.what());
  }
}

}  // namespace tessera::runtime
