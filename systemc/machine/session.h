// Serves one client: takes messages from the channel and acts on the card, until the client closes.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "inspect/recorded_run.h"
#include "inspect/superstep_recorder.h"
#include "rtl/spec/system.h"
#include "sim/process/channel.h"
#include "sim/process/client_watch.h"
#include "systemc/machine/rack.h"

namespace tessera::machine {

// The client's memory that it shares with us, mapped.
class Window {
 public:
  Window() = default;
  Window(int descriptor, uint64_t bytes, uint64_t offset);  // throws std::runtime_error
  ~Window();
  Window(Window&& other) noexcept;
  Window& operator=(Window&& other) noexcept;

  std::span<std::byte> bytes() const { return bytes_; }

 private:
  std::span<std::byte> mapped_, bytes_;
};

class Session : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Session);
  // runs: of the chips of the rack, by id.
  Session(sc_core::sc_module_name name, Channel& channel, const std::vector<inspect::RecordedRun*>& runs, Rack& rack,
          spec::System system, std::string backend);

  // Closes the files of all runs. Throws std::runtime_error when one is not whole.
  void finish_all() {
    finish_each([](inspect::RecordedRun& run) { run.finish_all(); });
  }
  int exit_status() const { return exit_status_; }  // after the simulation has ended

 private:
  struct Side {  // what the session has of a chip
    explicit Side(inspect::RecordedRun& run, Card& card) : run(run), card(card), recorder(run.machine()) {}
    inspect::RecordedRun& run;
    Card& card;
    inspect::SuperstepRecorder recorder;
    Window window;
  };

  void serve();            // SC_THREAD; ends by sc_stop
  bool wait_for_client();  // serving whoever else asks; false: the client is gone
  void act(const Message& request, Writer& reply);
  void inspect(Side& side, const Message& request, Writer& reply);  // the messages of inspection
  std::string notices();
  // Of every run, and the rack, whatever goes wrong with one; then throws std::runtime_error.
  void finish_each(const std::function<void(inspect::RecordedRun&)>& finish);

  Channel& channel_;
  Rack& rack_;
  std::deque<Side> sides_;  // by chip
  const spec::System system_;
  std::string backend_;
  ClientWatch watch_;
  int exit_status_ = 0;
};

constexpr int kExitDamagedMessage = 3;

}  // namespace tessera::machine
