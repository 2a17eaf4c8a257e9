#include "sw/card/card.h"

#include <cstdio>
#include <sstream>
#include <stdexcept>

#include "inspect/options.h"
#include "inspect/program_end.h"
#include "sw/card/environment.h"
#include "sw/card/errors.h"

namespace tessera::card {
namespace {

constexpr const char* kProgress = "progress=5";  // unless something else is asked for

const char* words_for(const std::string& backend) {
  if (backend == "rtl") return "the RTL";
  if (backend == "model") return "the model";
  return "the RTL and the model in lockstep";
}

bool shows_all_signals(const inspect::Options& options) { return !options.waves.empty() && options.wave_all_signals; }

}  // namespace

std::string Card::describe() const {
  std::string text = "machine " + machine() + " (" + backend();
  if (running_.process) text += ", process " + std::to_string(running_.process->pid());
  return text + ")";
}

std::string Card::merged_with_over(const std::string& options) const {
  return options_.inspect_over ? inspect::merge(options, options_.inspect_over()) : options;
}

void Card::start() {
  const std::lock_guard lock(mutex_);
  start_locked();
}

void Card::start_locked() {
  if (running_.client) return;
  std::string executable;
  std::vector<std::string> more;
  in_force_ = merged_with_over(options_.inspect);
  if (options_.say || options_.notice) in_force_ = inspect::merge(kProgress, in_force_);
  const inspect::Options wanted = inspect::parse_options(in_force_);
  inspect::check_companions(in_force_);
  if (shows_all_signals(wanted) && backend() != "rtl")
    throw inspect::BadOption(std::string("inspection option 'wave-depth=all' shows the RTL; this machine is run by ") +
                             words_for(backend()));
  if (!in_force_.empty()) more = {"--inspect", in_force_};
  if (const std::string threads = threads_variable(); !threads.empty()) more.insert(more.end(), {"--threads", threads});
  // Every signal needs tiles that were built to tell them.
  const std::string held = shows_all_signals(wanted) ? "waves" : backend();
  try {
    executable = find_machine(held);
    Running running;
    running.process = std::make_unique<Process>(executable, machine(), backend(), more);
    running.client = std::make_unique<Client>(running.process->take_socket());
    running.client->share_interrupts(wanted.progress != 0);
    in_force_ = inspect::of_process(in_force_, running.process->pid());
    running_ = std::move(running);
  } catch (const std::exception& error) {
    throw CannotAttach(describe() + " cannot be attached" + (executable.empty() ? "" : " through " + executable) +
                       ": " + error.what());
  }
  inspect::close_at_end(this, [this] {
    // A thread that still runs something goes down with its program.
    if (const std::unique_lock lock(mutex_, std::try_to_lock); lock.owns_lock()) stop_locked();
  });
  const machine::Identity& identity = running_.client->identity();
  const size_t chips = identity.chips.size();
  const std::string text = identity.system + " (" + (chips > 1 ? std::to_string(chips) + " chips of " : "") +
                           std::to_string(identity.chips.front().tiles) + " tiles), run by " +
                           words_for(identity.backend);
  if (options_.say && text != said_) options_.say("attached " + text);
  said_ = text;
  give_notice(identity.notice);
  say_what_is_left();
}

void Card::give_notice(const std::string& text) const {
  const auto& give = options_.notice ? options_.notice : options_.say;
  std::istringstream lines(text);
  for (std::string line; give && std::getline(lines, line);) give(line);
}

void Card::say_what_is_left() const {
  if (!options_.say) return;
  const inspect::Options now = inspect::parse_options(in_force_);
  const auto say = [&](const char* what, const inspect::Window& window, const std::string& path) {
    if (path.empty()) return;
    const std::string tiles = window.tiles.all ? "all tiles" : "tiles " + inspect::text(window.tiles);
    options_.say(std::string("leaving ") + what + " of " + tiles + " in " + path);
  };
  say("waves", now.wave_window, now.waves);
  say("a trace", now.trace_window, now.trace);
}

void Card::stop() {
  const std::lock_guard lock(mutex_);
  stop_locked();
}

void Card::inspect(const std::string& options) {
  const std::lock_guard lock(mutex_);
  inspect::parse_options(options);  // names what is wrong by itself
  const std::string merged = inspect::merge(options_.inspect, options);
  const inspect::Options wanted = inspect::parse_options(merged_with_over(merged));
  inspect::check_companions(merged_with_over(merged));
  const bool other_tiles = wanted.wave_all_signals != inspect::parse_options(in_force_).wave_all_signals;
  if (running_.client && owner_ != 0 && !other_tiles) {
    std::string refusal;
    use_locked("changing what is looked at", [&](Client& client) {
      try {
        give_notice(client.inspect(options));
      } catch (const Refused& error) {
        refusal = error.what();
      }
    });
    if (!refusal.empty()) throw inspect::BadOption(refusal);
    in_force_ = inspect::merge(in_force_, options);
  } else {
    stop_locked();  // another executable may be needed, or files at once
  }
  options_.inspect = merged;
  if (running_.client) say_what_is_left();
}

bool Card::wants_names() const {
  const std::lock_guard lock(mutex_);
  const inspect::Options now = inspect::parse_options(in_force_);
  return backend() == "lockstep" || !now.waves.empty() || !now.trace.empty() || !now.gdb.empty() ||
         !now.on_failure.empty() || now.check || now.progress != 0;
}

void Card::finish_files() {
  std::string unwritten;  // names its file; what the machine was doing is of no interest then
  use("closing files", [&](Client& client) {
    try {
      client.finish();
    } catch (const Refused& error) {
      unwritten = error.what();
    }
  });
  const std::lock_guard lock(mutex_);
  options_.inspect = inspect::merge(options_.inspect, "waves=;trace=");
  in_force_ = inspect::merge(in_force_, "waves=;trace=");
  if (!unwritten.empty()) throw Refused(unwritten);
}

void Card::stop_locked() {
  inspect::forget_at_end(this);
  if (running_.client && !in_force_.empty()) {
    try {
      running_.client->finish();
    } catch (const Refused& error) {
      std::fprintf(stderr, "tessera: %s\n", error.what());
      inspect::end_with_files_missing();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "tessera: %s\n", error.what());
    }
  }
  running_.client.reset();  // the process ends when its socket closes, and then it is reaped
  running_.process.reset();
  owner_ = 0;
}

pid_t Card::pid() const {
  const std::lock_guard lock(mutex_);
  return running_.process ? running_.process->pid() : 0;
}

uint64_t Card::take() {
  const std::lock_guard lock(mutex_);
  return owner_ = ++last_owner_;
}

Client& Card::client() {
  const std::lock_guard lock(mutex_);
  if (!running_.client) throw std::logic_error(describe() + " does not run");
  return *running_.client;
}

void Card::use(const std::string& what, const std::function<void(Client&)>& body) {
  const std::lock_guard lock(mutex_);
  start_locked();
  use_locked(what, body);
}

void Card::use_as(uint64_t owner, const std::string& what, const std::function<void(Client&)>& body) {
  const std::lock_guard lock(mutex_);
  if (owner_ != owner)
    throw Displaced(
        "the program is not on the device any more (another was loaded, or the device was reset or "
        "detached) while " +
        what + "; load it again");
  use_locked(what, body);
}

void Card::use_locked(const std::string& what, const std::function<void(Client&)>& body) {
  try {
    body(*running_.client);
  } catch (const Lost& error) {
    const std::string name = describe();
    running_.client.reset();
    const std::string end = running_.process->end();
    running_.process.reset();
    owner_ = 0;
    throw Lost(name + " " + end + " while " + what + "; load the program again to go on with a new one (" +
               error.what() + ")");
  } catch (const AtWork& error) {
    throw AtWork(describe() + ", " + what + ": " + error.what());
  } catch (const Refused& error) {
    throw Refused(describe() + " failed while " + what + ": " + error.what());
  }
}

}  // namespace tessera::card
