#include "sim/port/chip.h"

#include <stdexcept>

#include "sim/port/checkpoint.h"

namespace tessera::chip {

void HostBus::remote_write(uint64_t, unsigned, uint64_t, std::span<const uint32_t>) {
  throw std::logic_error("this bus has no remote memory");
}

uint64_t HostBus::remote_read(uint64_t, unsigned, uint64_t, std::span<uint32_t>) {
  throw std::logic_error("this bus has no remote memory");
}

void Chip::stop_at_superstep(uint64_t) { throw std::logic_error("this chip does not stop at supersteps"); }

std::shared_ptr<const Snapshot> Chip::snapshot() const { throw std::logic_error("this chip gives no snapshots"); }

void Chip::restore(const Snapshot&) { throw std::logic_error("this chip takes no snapshots"); }

void Chip::flip(const Flip&) { throw std::logic_error("this chip takes no faults"); }

Checkpoint Chip::checkpoint() { throw std::logic_error("this chip gives no checkpoints"); }

void Chip::put(const Checkpoint&) { throw std::logic_error("this chip takes no checkpoints"); }

namespace {
[[noreturn]] void no_links() { throw std::logic_error("this chip has no links"); }
}  // namespace

void Chip::join(uint32_t, const spec::LinkTables&, Grouped) { no_links(); }

void Chip::group_answer(uint64_t, bool) { no_links(); }

void Chip::link_in(const LinkEvent&) { no_links(); }

std::vector<LinkEvent> Chip::link_out() { no_links(); }

void Chip::expect_links(uint64_t) { no_links(); }

bool Chip::may_send() const { no_links(); }

}  // namespace tessera::chip
