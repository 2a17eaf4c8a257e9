// A card as libpoplar holds it: the tessera-machine process behind a device, started when it is needed.
// Calls may come from any thread; one at a time is served. When the process dies, the call throws
// recoverable_runtime_error naming it, and the next use() starts a new one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "sw/card/client.h"
#include "sw/card/process.h"

namespace tessera::runtime {

class AttachedCard {
 public:
  // system: machine description by name or path; backend: "rtl", "model" or "lockstep".
  AttachedCard(std::string system, std::string backend) : system_(std::move(system)), backend_(std::move(backend)) {}

  const std::string& system() const { return system_; }
  const std::string& backend() const { return backend_; }
  // What to look at (docs/reference/inspection.md), merged over what was asked before. A machine that runs is told, as
  // far as it can change that; else those started later are. Throws poplar_error naming the option.
  void inspect(const std::string& options);
  // Whether the machine is to know the names of the program from its load on.
  bool wants_names() const;
  // Closes the files of waves and trace; no more is written to them.
  void finish_files();

  // Starts the process unless it runs. Says once on standard error what was attached, unless TESSERA_QUIET is set.
  // Throws system_runtime_error if it cannot be started.
  void start();
  void stop();        // ends the process, if it runs
  pid_t pid() const;  // of the process; 0 if it does not run

  // Gives the card to a new owner, whose number is returned; what an earlier one loaded is not there any more.
  uint64_t take();

  // Calls the client. `what` is what it is doing, for the error ("loading program"). Starts the process if need be.
  // The body must not call back into this object.
  void use(const std::string& what, const std::function<void(machine::Client&)>& body);
  // The same for the owner: throws poplar_error if the card has been lost, reset, stopped or taken since.
  void use_as(uint64_t owner, const std::string& what, const std::function<void(machine::Client&)>& body);

 private:
  struct Running {
    std::unique_ptr<machine::Process> process;
    std::unique_ptr<machine::Client> client;  // destroyed first: the process ends when its socket closes
  };
  void start_locked();
  void stop_locked();
  void say_what_is_left() const;
  void use_locked(const std::string& what, const std::function<void(machine::Client&)>& body);
  std::string describe() const;

  const std::string system_, backend_;
  mutable std::mutex mutex_;
  Running running_;
  uint64_t owner_ = 0, last_owner_ = 0;
  std::string inspect_;   // asked through inspect()
  std::string in_force_;  // of the running machine: with TESSERA_INSPECT
  std::string said_;      // on standard error, of what was attached
};

}  // namespace tessera::runtime
