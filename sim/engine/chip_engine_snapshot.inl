// ChipEngine: snapshots. Included by chip_engine.h.
#pragma once

namespace tessera::chip {

template <class Tile>
struct ChipEngine<Tile>::Stored : Snapshot {
  Stored(const spec::Machine& machine, const EngineState& state) : machine(machine.name), state(state) {}

  uint64_t cycle() const override { return state.now_; }
  uint64_t superstep() const override { return state.supersteps_; }
  size_t bytes() const override { return own_bytes; }

  std::string machine;
  EngineState state;
  PacketEdge::State edge;
  LinkEdge::State links;
  std::vector<ExchangeWires::InFlight> wires;
  std::optional<Fabric::Snapshot> fabric;
  std::vector<TilePlace> places;
  std::vector<typename Tile::Snapshot> tiles;
  size_t own_bytes = 0;
};

template <class Tile>
std::shared_ptr<const Snapshot> ChipEngine<Tile>::snapshot() const {
  auto stored = std::make_shared<Stored>(machine_, static_cast<const EngineState&>(*this));
  stored->edge = edge_.state();
  stored->links = links_.state();
  stored->wires = wires_.in_flight(now_);
  if (fabric_) stored->fabric = fabric_->snapshot(stored->own_bytes);
  stored->own_bytes = sizeof(Stored) + stored->wires.size() * sizeof(ExchangeWires::InFlight);
  stored->places.reserve(slots_.size());
  stored->tiles.reserve(slots_.size());
  for (const auto& slot : slots_) {
    stored->places.push_back(*slot);
    stored->tiles.push_back(slot->tile.snapshot(stored->own_bytes));
    stored->own_bytes += sizeof(TilePlace) + slot->down.bytes();
  }
  return stored;
}

template <class Tile>
void ChipEngine<Tile>::restore(const Snapshot& snapshot) {
  const auto* stored = dynamic_cast<const Stored*>(&snapshot);
  if (stored == nullptr || stored->machine != machine_.name)
    throw std::logic_error("restore: the snapshot is of another backend or machine");
  static_cast<EngineState&>(*this) = stored->state;
  edge_.set_state(stored->edge);
  links_.set_state(stored->links);
  wires_.set_in_flight(stored->wires);
  if (fabric_) fabric_->restore(stored->fabric.value());
  for (unsigned id = 0; id < slots_.size(); ++id) {
    static_cast<TilePlace&>(*slots_[id]) = stored->places[id];
    slots_[id]->tile.restore(stored->tiles[id]);
  }
  note_refused();
}

}  // namespace tessera::chip
