// A card as a program holds it: the tessera-machine process behind it, started when it is needed, and whose program is
// on it. Calls may come from any thread; one at a time is served.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "sw/card/client.h"
#include "sw/card/process.h"

namespace tessera::card {

struct CardOptions {
  std::string machine;  // description by name or .toml path
  std::string backend;  // "rtl", "model" or "lockstep"
  std::string inspect;  // what to look at from the start (docs/reference/inspection.md)
  // What to look at besides, merged over all that was asked; called whenever it matters. None: nothing.
  std::function<std::string()> inspect_over;
  // Is given a line when another machine is attached, and one for every file that will be left. None: nothing is said.
  std::function<void(const std::string& line)> say = nullptr;
  // Is given what the machine's parts tell the user, such as the debugger's port. None: `say` is.
  std::function<void(const std::string& line)> notice = nullptr;
};

class Card {
 public:
  explicit Card(CardOptions options) : options_(std::move(options)) {}
  ~Card() { stop(); }
  Card(const Card&) = delete;
  Card& operator=(const Card&) = delete;

  const std::string& machine() const { return options_.machine; }
  const std::string& backend() const { return options_.backend; }
  // What to look at, merged over what was asked before. A machine that runs is told, as far as it can change that; else
  // those started later are. Throws inspect::BadOption naming the option.
  void inspect(const std::string& options);
  // Whether the machine is to know the names of the program from its load on.
  bool wants_names() const;
  // Closes the files of waves and trace; no more is written to them. Throws Refused when one is not whole.
  void finish_files();

  // Starts the process unless it runs. Throws CannotAttach; inspect::BadOption for what this machine cannot show.
  void start();
  // Ends the process, if it runs. A file that is not whole is told on standard error, and by the program's exit status.
  void stop();
  pid_t pid() const;  // of the process; 0 if it does not run

  // Gives the card to a new owner, whose number is returned; what an earlier one loaded is not there any more.
  uint64_t take();

  // Calls the client. `what` is what it is doing, for the error ("loading program"). Starts the process if need be.
  // Throws Lost when the process ends meanwhile (the next use() starts a new one), and Refused. The body must not call
  // back into this object.
  void use(const std::string& what, const std::function<void(Client&)>& body);
  // The same for the owner: throws Displaced if the card has been lost, reset, stopped or taken since.
  void use_as(uint64_t owner, const std::string& what, const std::function<void(Client&)>& body);
  // For who is alone with a card that runs; std::logic_error if it does not.
  Client& client();

 private:
  struct Running {
    std::unique_ptr<Process> process;
    std::unique_ptr<Client> client;  // destroyed first: the process ends when its socket closes
  };
  void start_locked();
  void stop_locked();
  void give_notice(const std::string& text) const;
  void say_what_is_left() const;
  std::string merged_with_over(const std::string& options) const;
  void use_locked(const std::string& what, const std::function<void(Client&)>& body);
  std::string describe() const;

  CardOptions options_;  // inspect: with what was asked through inspect()
  mutable std::mutex mutex_;
  Running running_;
  uint64_t owner_ = 0, last_owner_ = 0;
  std::string in_force_;  // what the running machine looks at
  std::string said_;      // of what was attached
};

}  // namespace tessera::card
