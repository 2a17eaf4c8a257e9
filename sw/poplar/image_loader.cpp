#include "sw/poplar/image_loader.h"

#include <algorithm>

namespace tessera::runtime {

void load_image(card::Client& client, const image::Executable& executable, const WorkerStart& workers) {
  client.reset();
  card::Client::Writes writes(client);
  image::for_each_segment(executable.chip(), [&](uint32_t tile, const image::Segment& segment) {
    writes.load(tile == image::kAllTiles ? chip::kNoTile : tile, segment.address, segment.words);
  });
  const auto& tiles = executable.chip().tiles;
  write_worker_start(writes, workers, static_cast<uint32_t>(tiles.size()));
  const bool same = std::all_of(tiles.begin(), tiles.end(),
                                [&](const image::TileImage& tile) { return tile.entry == tiles.front().entry; });
  if (same) {
    writes.start(chip::kNoTile, tiles.front().entry);
  } else {
    for (uint32_t tile = 0; tile < tiles.size(); ++tile) writes.start(tile, tiles[tile].entry);
  }
  writes.send();
}

}  // namespace tessera::runtime
