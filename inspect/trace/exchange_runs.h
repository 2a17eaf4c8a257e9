// The exchange as slices: what tiles send and receive in one go, and which of it belongs together.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include "inspect/trace/event.h"
#include "rtl/spec/machine.h"

namespace tessera::inspect::trace {

// Words one a cycle, of a paired transfer two: begin <= c < end.
struct SentRun {
  uint32_t tile = 0;
  uint64_t begin = 0, end = 0;
  uint64_t words = 0;
};
struct ReceivedRun {
  uint32_t tile = 0, source = 0;
  uint64_t begin = 0, end = 0;
  uint64_t words = 0;
  uint64_t sent = 0;                    // cycle in which the source sent the first word
  std::optional<uint32_t> first, last;  // addresses that were written, of its first and last word
};

class ExchangeRuns {
 public:
  using Sent = std::function<void(const SentRun&)>;
  using Received = std::function<void(const ReceivedRun&)>;
  // The machine is not owned.
  ExchangeRuns(const spec::Machine& machine, Sent sent, Received received)
      : machine_(machine), to_sent_(std::move(sent)), to_received_(std::move(received)) {}

  void add(const Event&);  // in the order of time
  void end();

 private:
  const spec::Machine& machine_;
  const Sent to_sent_;
  const Received to_received_;
  std::map<uint32_t, SentRun> sent_;  // under way, by tile
  std::map<uint32_t, ReceivedRun> received_;
};

}  // namespace tessera::inspect::trace
