// Runs an executable's programs on a card: load, then for each program a mark, and the host's part of every transfer
// that the program asks for (docs/reference/control.md).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "compiler/image/executable.h"
#include "sw/card/card.h"
#include "sw/card/host_window.h"

namespace tessera::runtime {

class ExecutableRunner {
 public:
  // Moves one transfer between the window and whatever stands at the stream's other end.
  using Transfer = std::function<void(const image::Stream&, std::span<std::byte> window)>;

  explicit ExecutableRunner(const image::Executable& executable) : executable_(executable) {}

  // The card to use from now on. Nothing is on it yet.
  void prepare(std::shared_ptr<card::Card> card);
  // Puts the program there with all initial values. budget: cycles of one compute phase, 0: none. trap_floats: as
  // load_image. Throws what of the card goes wrong as Poplar's exceptions, as run() does.
  void deploy(uint64_t budget, bool trap_floats);
  bool prepared() const { return card_ != nullptr; }
  bool loaded() const { return loaded_; }

  // Runs a program to its end. Throws application_runtime_error when a tile excepts, the tiles wait for each other, or
  // a compute phase passes the budget; what `transfer` throws passes through. After any of them the program must be
  // deployed again.
  void run(uint32_t program, const std::string& name, const Transfer& transfer);

 private:
  chip::Stop run_to_stop(const std::string& what);

  const image::Executable& executable_;
  std::shared_ptr<card::Card> card_;
  std::unique_ptr<card::HostWindow> window_;
  uint64_t owner_ = 0, budget_ = 0;
  bool loaded_ = false;
  bool named_ = false;  // the machine knows the program's names
};

}  // namespace tessera::runtime
