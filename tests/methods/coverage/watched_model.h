// A model tile whose functional points are counted as it runs; for the rest the tile itself.
#pragma once

#include "functional_points.h"
#include "sim/model/tile.h"

namespace tessera::test {

class WatchedModel {
 public:
  WatchedModel(const spec::Machine& machine, unsigned id, FunctionalPoints& points)
      : tile_(machine, id), points_(points) {}

  void reset() { tile_.reset(); }
  void step(const chip::TileInputs& in, chip::TileOutputs& out) {
    points_.before_step(tile_.state());
    tile_.step(in, out);
    points_.after_step(tile_.state(), tile_.retire(), in);
  }
  const chip::Retire& retire() const { return tile_.retire(); }
  const chip::PortWrites& port_writes() const { return tile_.port_writes(); }
  chip::ExceptionStatus exception() const { return tile_.exception(); }
  chip::TileWait wait() const { return tile_.wait(); }
  void flip(const chip::Flip& flip) { tile_.flip(flip); }

 private:
  model::ModelTile tile_;
  FunctionalPoints& points_;
};

}  // namespace tessera::test
