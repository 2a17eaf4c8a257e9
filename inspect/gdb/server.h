// The server for gdb: a connection, and what it is about. It is called where the chips of its target stand, and stays
// there while somebody looks. docs/reference/gdb.md.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "inspect/gdb/connection.h"
#include "inspect/gdb/navigator.h"
#include "inspect/gdb/protocol.h"
#include "inspect/gdb/rsp.h"
#include "inspect/gdb/target.h"
#include "inspect/options.h"
#include "inspect/run.h"

namespace tessera::inspect::gdb {

class Server {
 public:
  // `tiles`: of all chips, those that may be seen; `tiles_in_all`: how many there are. Listens at once and writes the
  // port to options.gdb_file. Throws BadOption or std::runtime_error, one line.
  Server(const Options& options, std::vector<unsigned> tiles, unsigned tiles_in_all, unsigned chips);

  // Of the forward run, tiles numbered through all chips; null: nothing is looked for.
  chip::Observer* observer() { return navigator_.observer(); }
  // What it asks of the forward run of a chip.
  Part::Needs needs() const;
  void at_boundary(Target& target);
  std::string notice() const;
  int wake_descriptor() const { return connection_.wake_fd(); }
  void program_changed(unsigned chip);
  void finish();

 private:
  // How often a run without stops looks for a debugger or Ctrl-C, and one with stops for them, in cycles: the next stop
  // is as far from the last one as that was from the one before, more or less, and what the run has gone too far is
  // wasted.
  static constexpr uint64_t kPollCycles = 16384, kShortestStride = 512, kLongestStride = 4096, kStridesToSnapshot = 4;

  void welcome(Target& target);
  void send(const std::string& payload);
  // Takes in what has come. False: nothing to do.
  bool receive();
  // Whether Ctrl-C has come, or the debugger has gone. Packets have no business here.
  bool interrupted();
  void tell(Target& target, const Found& found);
  // One packet, waiting for it.
  void serve(Target& target);
  void obey(Target& target, const Order& order);
  void let_go(Target& target);

  Navigator navigator_;
  Connection connection_;
  PacketReader reader_;
  Protocol protocol_;
  std::string last_;      // sent
  bool awaited_ = false;  // the run does not begin without a debugger
  bool halted_ = false;   // packets are answered, the run stands
  uint64_t stride_ = kShortestStride;
};

}  // namespace tessera::inspect::gdb
