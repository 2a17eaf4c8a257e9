// Serves one client: takes messages from the channel and acts on the card, until the client closes.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "inspect/recorded_run.h"
#include "inspect/superstep_recorder.h"
#include "rtl/spec/system.h"
#include "sim/process/channel.h"
#include "sim/process/client_watch.h"
#include "systemc/machine/card.h"

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
  Session(sc_core::sc_module_name name, Channel& channel, inspect::RecordedRun& run, Card& card, spec::System system,
          std::string backend);

  int exit_status() const { return exit_status_; }  // after the simulation has ended

 private:
  void serve();            // SC_THREAD; ends by sc_stop
  bool wait_for_client();  // serving whoever else asks; false: the client is gone
  void act(const Message& request, Writer& reply);
  void inspect(const Message& request, Writer& reply);  // the messages of inspection
  chip::Stop run(uint64_t limit, uint64_t budget);

  Channel& channel_;
  inspect::RecordedRun& run_;
  Card& card_;
  const spec::System system_;
  std::string backend_;
  ClientWatch watch_;
  inspect::SuperstepRecorder recorder_;
  Window window_;
  int exit_status_ = 0;
};

constexpr int kExitDamagedMessage = 3;

}  // namespace tessera::machine
