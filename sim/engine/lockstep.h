// Compares two runs of the same program record by record: what each context retired, and what the exchange and packet
// ports wrote. Serves one tile against one tile and one chip against one chip.
//
// Each side is an Observer. Records may arrive in any order between tiles and sides, at different times on the two
// sides; per tile they are in cycle order. After the first difference nothing more is compared.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "sim/port/chip.h"
#include "sim/port/lockstep_difference.h"

namespace tessera::chip {

class Lockstep {
 public:
  struct Names {
    std::string left = "rtl", right = "model";
  };
  static constexpr unsigned kContexts = 7, kHistory = 8;
  struct Tile {
    std::array<std::deque<Retire>, 2> retired;  // not yet compared; one of the two is empty
    std::array<std::deque<PortWrite>, 2> written;
    std::array<std::deque<Retire>, kContexts> last;  // compared and equal, oldest first
  };
  struct State {  // what is known between two records
    std::vector<Tile> tiles;
    uint64_t superstep = 0;
    uint64_t compared = 0;
    std::string report;
    Difference difference;

    size_t bytes() const;
  };

  Lockstep(unsigned tiles, Names names);
  Lockstep(const Lockstep&) = delete;

  Observer& left() { return sides_[0]; }
  Observer& right() { return sides_[1]; }

  // Both sides have stopped: whatever only one of them gave is a difference.
  void finish();

  bool differs() const { return !state_.report.empty(); }
  const std::string& report() const { return state_.report; }  // empty while all is equal
  const Difference& difference() const { return state_.difference; }
  uint64_t compared() const { return state_.compared; }  // retire records found equal

  const State& state() const { return state_; }
  void set_state(const State& state) { state_ = state; }

 private:
  struct Side : Observer {
    Side(Lockstep& owner, unsigned number) : owner(owner), number(number) {}
    void retire(unsigned tile, const Retire&) override;
    void port_write(unsigned tile, const PortWrite&) override;
    void superstep(uint64_t index, uint64_t cycle) override;
    Lockstep& owner;
    unsigned number;
  };
  void compare_retired(unsigned tile);
  void compare_written(unsigned tile);
  // Either may be null: only one side gave a record.
  void differ(unsigned tile, const Retire* left, const Retire* right);
  void differ(unsigned tile, const PortWrite* left, const PortWrite* right);
  void differ(const Difference&, const std::string& left, const std::string& right);
  std::string history(unsigned tile, unsigned context) const;

  const Names names_;
  std::array<Side, 2> sides_;
  State state_;
};

// One line: cycle, context, pc, instruction disassembled, what it wrote.
std::string describe(const Retire&);
std::string describe(const PortWrite&);

}  // namespace tessera::chip
