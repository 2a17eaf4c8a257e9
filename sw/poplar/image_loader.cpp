#include "sw/poplar/image_loader.h"

#include <algorithm>

namespace tessera::runtime {
namespace {

// The chip that is chosen: number `chip` of replica `replica`.
void load_chip(card::Client& client, const image::Executable& executable, uint32_t replica, uint32_t chip,
               const WorkerStart& workers) {
  const image::ChipImage& image = executable.chips[chip];
  const auto chips = static_cast<uint32_t>(executable.chips.size()), tiles = static_cast<uint32_t>(image.tiles.size());
  card::Client::Writes writes(client);
  image::for_each_segment(image, [&](uint32_t tile, const image::Segment& segment) {
    writes.load(tile == image::kAllTiles ? chip::kNoTile : tile, segment.address, segment.words);
  });
  for (const image::ReplicaWord& word : executable.replica_words)
    if (word.chip == chip) writes.load(word.tile, word.address, {&word.values[replica], 1});
  write_worker_start(writes, workers, tiles, (replica * chips + chip) * tiles);
  writes.send();
}

void start_chip(card::Client& client, const std::vector<image::TileImage>& tiles) {
  card::Client::Writes writes(client);
  const bool same = std::all_of(tiles.begin(), tiles.end(),
                                [&](const image::TileImage& tile) { return tile.entry == tiles.front().entry; });
  if (same) {
    writes.start(chip::kNoTile, tiles.front().entry);
  } else {
    for (uint32_t tile = 0; tile < tiles.size(); ++tile) writes.start(tile, tiles[tile].entry);
  }
  writes.send();
}

}  // namespace

void load_image(card::Client& client, const image::Executable& executable, const WorkerStart& workers) {
  const auto chips = static_cast<uint32_t>(executable.chips.size());
  client.choose(0);
  client.reset();
  for (uint32_t number = 0; number < executable.replicas * chips; ++number) {
    client.choose(number);
    load_chip(client, executable, number / chips, number % chips, workers);
  }
  for (uint32_t number = 0; number < executable.replicas * chips; ++number) {
    client.choose(number);
    start_chip(client, executable.chips[number % chips].tiles);
  }
  client.choose(0);
}

}  // namespace tessera::runtime
