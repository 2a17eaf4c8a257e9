// When a part of a run is looked at: options.h's Window, told from the events of a run. Waves and traces each hold one.
//
// The window is a range of cycles, [begin(), end()), each known at the latest when the superstep that holds it is over.
// So whoever keeps events holds back those of the superstep under way, and at its end keeps what inside() says. A
// window that begins by an event begins with the superstep of the event, which is why all of that superstep has to be
// held.
#pragma once

#include <cstdint>
#include <vector>

#include "inspect/options.h"
#include "program/program_info.h"
#include "sim/port/chip.h"

namespace tessera::inspect {

class WindowGate {
 public:
  static constexpr uint64_t kNever = ~0ull;

  // Of one chip. Throws BadOption naming a chip or tile that is not there.
  WindowGate(const Window&, unsigned machine_tiles, const spec::ChipPlace& place = {});
  // Looks up the trigger's pc symbol or vertex. Throws BadOption naming what the program lacks. Without a program, a
  // trigger by name never fires.
  void program(const names::ProgramInfo&);

  // For Observer::wants(): the window's tiles (and the tile whose sync begins it) while the window can still come or is
  // there; none before the superstep or (nearly) the cycle in which it begins, none after its end.
  bool wants(unsigned tile) const;
  bool shows(unsigned tile) const { return shown_[tile]; }  // the window's tiles, at any time
  const std::vector<unsigned>& tiles() const { return tiles_; }

  // Whether an event of a tile may begin the window.
  bool watches() const { return watching_; }
  // Events, as an observer gets them. They may come for tiles that shows() denies.
  void retire(unsigned tile, const chip::Retire& r) {
    if (watching_) look(tile, r);
  }
  void port_write(unsigned tile, const chip::PortWrite& w) {
    if (watching_ && kind_ == Trigger::Kind::kAddress && shown_[tile] && w.address == (address_ & ~3u)) fire();
  }
  void sync_request(unsigned tile) {
    if (watching_ && kind_ == Trigger::Kind::kSync && tile == sync_tile_) fire();
  }
  void excepted(unsigned tile) {
    if (watching_ && kind_ == Trigger::Kind::kException && shown_[tile]) fire();
  }
  // Observer::superstep(): superstep `index` ended in `cycle`.
  void superstep(uint64_t index, uint64_t cycle);
  // The run stands at `cycle`, in superstep `index` which began in `began`: for watching that begins in the middle of a
  // run, and between supersteps for windows of cycles in long ones.
  void stands_at(uint64_t cycle, uint64_t index, uint64_t began);

  uint64_t begin() const { return begin_; }
  uint64_t end() const { return end_; }
  bool inside(uint64_t cycle) const { return cycle >= begin_ && cycle < end_; }
  bool over() const { return over_; }  // nothing more will be inside

 private:
  void look(unsigned tile, const chip::Retire&);
  void fire() { open(began_); }
  void open(uint64_t cycle);

  Window window_;
  Trigger::Kind kind_;
  std::vector<unsigned> tiles_;
  std::vector<bool> shown_;
  std::vector<uint32_t> pcs_;  // any of them begins the window
  uint32_t address_ = 0;
  unsigned sync_tile_ = chip::kNoTile;
  bool watching_ = false;  // for an event
  bool over_ = false;
  uint64_t began_ = 0, now_ = 0;  // first cycle of the superstep under way, and how far is known
  uint64_t begin_ = kNever, end_ = kNever;
  uint64_t ended_ = 0;  // supersteps of the window that are over
};

}  // namespace tessera::inspect
