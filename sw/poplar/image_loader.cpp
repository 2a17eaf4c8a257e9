#include "sw/poplar/image_loader.h"

#include <algorithm>

namespace tessera::runtime {

void load_image(card::Client& client, const image::Executable& executable, const WorkerStart& workers) {
  client.reset();
  card::Client::Writes writes(client);
  for (const image::Segment& segment : executable.chip().shared)
    writes.load(chip::kNoTile, segment.address, segment.words);
  const auto& tiles = executable.chip().tiles;
  for (uint32_t tile = 0; tile < tiles.size(); ++tile)
    for (const image::Segment& segment : tiles[tile].segments) writes.load(tile, segment.address, segment.words);
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
