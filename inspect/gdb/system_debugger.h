// The debugger of the chips of a system: one server for all of them, which stands between their rounds, and a part for
// the recorded run of each.
#pragma once

#include <memory>
#include <vector>

#include "inspect/options.h"
#include "inspect/recorded_run.h"
#include "rtl/spec/tile_id.h"
#include "sim/link/between_rounds.h"

namespace tessera::inspect::gdb {

class Server;

class SystemDebugger : public link::BetweenRounds {
 public:
  SystemDebugger(unsigned tiles_of_chip, unsigned chips);
  ~SystemDebugger() override;

  // Of chip `place`. The first one opens the server, as gdb/part.h says; the options of all are the same.
  std::unique_ptr<Part> make_part(const Options& options, const spec::ChipPlace& place);
  // By chip, not owned; before the first look.
  void look_into(std::vector<RecordedRun*> runs);

  uint64_t longest() const override;
  std::vector<bool> look(const Moment&) override;
  void begin() override { running_ = true; }
  void end() override;

 private:
  class ChipPart;
  void finish(unsigned chip);
  void wake();

  const unsigned tiles_of_chip_, chips_;
  std::unique_ptr<Server> server_;
  std::vector<bool> open_;  // by chip: it has a part of the server
  std::vector<RecordedRun*> runs_;
  Moment last_;
  uint64_t reached_ = 0;  // the frontier that was looked at last
  bool running_ = false;
};

}  // namespace tessera::inspect::gdb
