#include "sw/card/attached_card.h"

#include <cstdio>
#include <cstdlib>
#include <poplar/exceptions.hpp>

#include "inspect/options.h"

namespace tessera::runtime {
namespace {

bool quiet() {
  const char* value = std::getenv("TESSERA_QUIET");
  return value != nullptr && *value != '\0' && std::string(value) != "0";
}

const char* words_for(const std::string& backend) {
  if (backend == "rtl") return "the RTL";
  if (backend == "model") return "the model";
  return "the RTL and the model in lockstep";
}

std::string asked_by_environment() {
  const char* value = std::getenv("TESSERA_INSPECT");
  return value != nullptr ? value : "";
}

inspect::Options options_of(const std::string& text) {
  try {
    return inspect::parse_options(text);
  } catch (const inspect::BadOption& error) {
    throw poplar::poplar_error(error.what());
  }
}

bool shows_all_signals(const inspect::Options& options) { return !options.waves.empty() && options.wave_all_signals; }

// Throws poplar_error naming a key or value that is wrong.
std::string merged_options(const std::string& a, const std::string& b) {
  options_of(b);
  return inspect::merge(a, b);
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
  in_force_ = merged_options(inspect_, asked_by_environment());
  const inspect::Options options = options_of(in_force_);
  if (shows_all_signals(options) && backend_ != "rtl")
    throw poplar::poplar_error("inspection option 'wave-depth=all' shows the RTL; this device is run by " +
                               std::string(words_for(backend_)));
  if (!in_force_.empty()) more = {"--inspect", in_force_};
  // Every signal needs tiles that were built to tell them.
  const std::string held = shows_all_signals(options) ? "waves" : backend_;
  try {
    executable = machine::find_machine(held);
    Running running;
    running.process = std::make_unique<machine::Process>(executable, system_, backend_, more);
    running.client = std::make_unique<machine::Client>(running.process->take_socket());
    in_force_ = inspect::of_process(in_force_, running.process->pid());
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
  say_what_is_left();
}

void AttachedCard::say_what_is_left() const {
  if (quiet()) return;
  const inspect::Options options = inspect::parse_options(in_force_);
  const auto say = [](const char* what, const inspect::Window& window, const std::string& path) {
    if (path.empty()) return;
    const std::string tiles = window.tiles.all ? "all tiles" : "tiles " + inspect::text(window.tiles);
    std::fprintf(stderr, "tessera: leaving %s of %s in %s\n", what, tiles.c_str(), path.c_str());
  };
  say("waves", options.wave_window, options.waves);
  say("a trace", options.trace_window, options.trace);
}

void AttachedCard::stop() {
  const std::lock_guard lock(mutex_);
  stop_locked();
}

void AttachedCard::inspect(const std::string& options) {
  const std::lock_guard lock(mutex_);
  const std::string merged = merged_options(inspect_, options);
  const inspect::Options wanted = options_of(inspect::merge(merged, asked_by_environment()));
  const bool other_tiles = wanted.wave_all_signals != inspect::parse_options(in_force_).wave_all_signals;
  if (running_.client && owner_ != 0 && !other_tiles) {
    std::string refusal;
    use_locked("changing what is looked at", [&](machine::Client& client) {
      try {
        client.inspect(options);
      } catch (const machine::MachineRefused& error) {
        refusal = error.what();
      }
    });
    if (!refusal.empty()) throw poplar::poplar_error(refusal);
    in_force_ = inspect::merge(in_force_, options);
  } else {
    stop_locked();  // another executable may be needed, or files at once
  }
  inspect_ = merged;
  if (running_.client) say_what_is_left();
}

bool AttachedCard::wants_names() const {
  const std::lock_guard lock(mutex_);
  const inspect::Options options = inspect::parse_options(in_force_);
  return backend_ == "lockstep" || !options.waves.empty() || !options.trace.empty() || !options.gdb.empty() ||
         !options.on_failure.empty();
}

void AttachedCard::finish_files() {
  use("closing files", [](machine::Client& client) { client.finish(); });
  const std::lock_guard lock(mutex_);
  inspect_ = inspect::merge(inspect_, "waves=;trace=");
  in_force_ = inspect::merge(in_force_, "waves=;trace=");
}

void AttachedCard::stop_locked() {
  if (running_.client && !in_force_.empty()) {
    try {
      running_.client->finish();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "tessera: %s\n", error.what());
    }
  }
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
