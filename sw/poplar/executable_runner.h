// Runs an executable's programs on a card: load, then for each program a mark, and the host's part of every transfer
// that the program asks for (docs/reference/control.md).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compiler/image/executable.h"
#include "sw/card/card.h"
#include "sw/card/host_window.h"
#include "sw/poplar/codelet_prints.h"
#include "sw/poplar/run_limits.h"
#include "sw/poplar/worker_start.h"

namespace tessera::runtime {

class ExecutableRunner {
 public:
  // Moves one transfer of a replica between its window and whatever stands at the stream's other end. Called for every
  // replica, in their order, before the next stream; where each meets the host by itself, for one when it does: in the
  // order of the cycles of their host syncs, of several in one cycle in their order.
  using Transfer = std::function<void(const image::Stream&, std::span<std::byte> window, uint32_t replica)>;

  explicit ExecutableRunner(const image::Executable& executable) : executable_(executable) {}

  // What codelets have printed: behind each compute set that prints, and when a run fails.
  using Print = std::function<void(const std::string& text)>;

  // The card to use from now on. Nothing is on it yet.
  void prepare(std::shared_ptr<card::Card> card);
  // Without it nobody fetches what codelets print.
  void print_to(const spec::Machine& machine, Print print);
  // Says in the program's words why a packet was refused; "": in no better ones.
  using ExplainRefusal = std::function<std::string(card::Client&, const chip::Refusal&)>;
  void explain_refusals(ExplainRefusal explain) { explain_ = std::move(explain); }
  void limit(const RunLimits& limits) { limits_ = limits; }  // from now on
  // Puts the program there with all initial values. Throws what of the card goes wrong as Poplar's exceptions, as run()
  // does.
  void deploy(const WorkerStart& workers = {});
  bool prepared() const { return card_ != nullptr; }
  bool loaded() const { return loaded_; }
  uint64_t owner() const { return owner_; }  // of the card, since deploy()

  // Runs a program to its end. Throws application_runtime_error when a tile excepts, the tiles wait for each other, or
  // a limit is passed; what `transfer` throws passes through. After any of them the program must be
  // deployed again.
  void run(uint32_t program, const std::string& name, const Transfer& transfer);

 private:
  // Replicas that the host answers together: all, or each for itself.
  struct Party {
    uint32_t first = 0, replicas = 0;
    bool waits = false;  // for the host
    bool held = false;   // its chips do, or for others
    uint64_t cycle = 0;  // of its last stop
  };

  uint32_t of_replica() const { return static_cast<uint32_t>(executable_.chips.size()); }
  uint32_t chips() const { return executable_.replicas * of_replica(); }
  uint32_t first_chip(const Party& party) const { return party.first * of_replica(); }
  uint32_t end_chip(const Party& party) const { return (party.first + party.replicas) * of_replica(); }
  uint64_t stride() const;
  void make_parties();
  uint64_t limit() const;
  std::vector<Party*> run_to_stop(const std::string& what);
  std::vector<Party*> asking(const std::vector<chip::Stop>& stops);
  std::vector<chip::Stop> late(const std::vector<chip::Stop>& stops) const;
  void answer(Party& party, uint32_t mark, const std::string& what);
  uint32_t event(const Party& party, const std::string& what) const;
  void tell_names(card::Client& client, bool already_there) const;
  std::string refused(card::Client& client, const std::vector<chip::Stop>& stops) const;
  uint32_t event(uint32_t replica) const;
  // The abort that a replica has come to, which others may not have; null if none has.
  const image::Stream* aborted() const;
  bool may_have_printed(const Party& party) const;
  std::string take_printed(card::Client& client, const std::vector<chip::Stop>& stops, uint32_t first,
                           uint32_t end) const;

  const image::Executable& executable_;
  std::shared_ptr<card::Card> card_;
  std::vector<CodeletPrints> prints_;  // of the chips of a replica
  Print print_;
  ExplainRefusal explain_;
  std::unique_ptr<card::HostWindow> window_;
  RunLimits limits_;
  uint64_t owner_ = 0;
  std::vector<Party> parties_;
  bool loaded_ = false;
  bool named_ = false;  // the machine knows the program's names
};

}  // namespace tessera::runtime
