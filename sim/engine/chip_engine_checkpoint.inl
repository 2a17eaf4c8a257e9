// ChipEngine: checkpoints that fit both backends. Included by chip_engine.h.
#pragma once

#include "sim/engine/tile_checkpoint.h"

namespace tessera::chip {

template <class Tile>
Checkpoint ChipEngine<Tile>::checkpoint() {
  const bool boundary = notified_ || (ack_ == now_ && sync_.zone == spec::SyncZone::kInternal);
  if (!boundary) throw std::logic_error("checkpoint: the chip stands at no superstep boundary and no host sync");
  if (!awake_.empty()) throw std::logic_error("checkpoint: tile " + std::to_string(awake_[0]) + " still works");
  for (unsigned id = 0; id < slots_.size(); ++id)
    if (slots_[id]->out.sync_zone == spec::SyncZone::kAutomatic)
      throw std::logic_error("checkpoint: tile " + std::to_string(id) + " has automatic syncs outstanding");
  // What the host port has yet to take of packets whose words are all known counts as well; a packet that is asked for
  // now comes later than what may be in the registers of the up path.
  bool packets = !links_.settled() || !link_in_.empty() || edge_.requested() || edge_.busy() || edge_.drained() > now_ + machine_.edge_latency;
  packets |= next_input() != kNever;
  if (edge_.refusal()) throw std::logic_error("checkpoint: host memory has refused a packet");
  if (packets) throw std::logic_error("checkpoint: packets are in flight");
  Checkpoint checkpoint;
  checkpoint.machine = machine_.name;
  checkpoint.machine_hash = machine_.hash();
  checkpoint.course = *this;
  checkpoint.course.inputs_ = NextInputs(machine_.tiles());
  checkpoint.edge = edge_.state();
  checkpoint.turns = links_.turns();
  checkpoint.tiles.resize(slots_.size());
  for (unsigned id = 0; id < slots_.size(); ++id) {
    Tile& tile = slots_[id]->tile;
    size_t bytes = 0;
    const auto before = tile.snapshot(bytes);
    read_tile(tile, now_, machine_, checkpoint.tiles[id]);
    tile.restore(before);
    checkpoint.tiles[id].place = *slots_[id];
  }
  return checkpoint;
}

template <class Tile>
void ChipEngine<Tile>::put(const Checkpoint& checkpoint) {
  if (checkpoint.machine_hash != machine_.hash() || checkpoint.tiles.size() != slots_.size())
    throw BadCheckpoint("the checkpoint is of machine " + checkpoint.machine + ", the chip is " + machine_.name);
  if (!links_.takes(checkpoint.turns)) throw BadCheckpoint("the checkpoint's turns are those of other links");
  ChipEngine::reset();
  const uint64_t now = checkpoint.course.now_;
  for (unsigned id = 0; id < slots_.size(); ++id) {
    Slot& s = *slots_[id];
    const Checkpoint::Tile& state = checkpoint.tiles[id];
    if (now < placing_cycles(state))
      throw BadCheckpoint("the checkpoint is of cycle " + std::to_string(now) + ": too early");
    const TileOutputs out = place_tile(s.tile, now, state);
    const TileOutputs& expected = state.place.out;
    if (!out.idle || out.sync_request != expected.sync_request || out.sync_zone != expected.sync_zone ||
        out.sync_value != expected.sync_value)
      throw BadCheckpoint("the checkpoint's tile " + std::to_string(id) + " does not wait at its sync");
    static_cast<TilePlace&>(s) = state.place;
    s.out = out;
    s.select = s.latency_of = kNoTile;
    s.selections.clear();
  }
  static_cast<EngineState&>(*this) = checkpoint.course;
  down_tiles_.assign(machine_.blocks(), kNoTile);
  edge_.rest(checkpoint.edge);
  links_.set_turns(checkpoint.turns);
  if (fabric_) {  // all tiles wait at a sync
    const auto& waits = barrier_.waits();
    uint64_t first = now;
    for (const auto& wait : waits) first = std::min(first, wait.cycle);
    fabric_->reset(first);
    fabric_->turns(checkpoint.turns);
    for (unsigned id = 0; id < slots_.size(); ++id) fabric_->show(id, std::min(waits[id].cycle, now), slots_[id]->out);
    fabric_->run_to(now);
  }
}

}  // namespace tessera::chip
