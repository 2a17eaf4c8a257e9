// Random packets from tiles to tiles of other chips, as programs of all tiles, and what they write.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "rtl/spec/system.h"
#include "rtl/spec/words.h"
#include "tb/chip/chip_programs.h"

namespace tessera::test {

struct Traffic {
  std::vector<ChipProgram> programs;
  struct Word {
    uint32_t chip, tile, address, value;
  };
  std::vector<Word> written;
};

// Each tile sends `packets` of them, of `longest` words at most, in each phase; between two phases comes a sync with
// the host. All tiles end with a trap, the last mark in their result. `remote`: so many times, 4 at most, a tile also
// writes remote memory and reads it back. `replica`: chips of each, that send to each other alone and meet by
// themselves, but for the end; 0: all are one, and meet in turn by zone 3 and 7.
inline Traffic random_traffic(const spec::System& system, unsigned packets, unsigned longest, std::mt19937& random,
                              unsigned phases = 1, unsigned remote = 0, uint32_t replica = 0) {
  const spec::Machine& m = system.chips[0];
  const auto chips = static_cast<uint32_t>(system.chips.size());
  Traffic traffic{std::vector<ChipProgram>(chips, ChipProgram(m.tiles(), TileProgram(Places(m)))), {}};
  std::vector<uint32_t> awaited(system.tiles()), places(system.tiles());
  std::vector<std::vector<unsigned>> lengths(system.tiles());
  for (uint32_t from = 0; from < system.tiles(); ++from) {
    TileProgram& p = traffic.programs[system.tile(from).chip][system.tile(from).tile];
    for (unsigned i = 0; i < packets; ++i) {
      uint32_t to = 0;
      do to = static_cast<uint32_t>(random() % system.tiles());
      while (system.tile(to).chip == system.tile(from).chip || places[to] == 60 ||
             (replica != 0 && system.tile(to).chip / replica != system.tile(from).chip / replica));
      const spec::TileId target = system.tile(to);
      const unsigned words = 1 + static_cast<unsigned>(random() % longest);
      const uint32_t place = p.places().sent + 0x108 * i, there = p.places().received + 0x100 * places[to]++;
      p.data(place, {spec::PacketHeader{
                         .words = words, .chip = target.chip, .tile = target.tile, .kind = spec::PacketKind::kWriteTile}
                         .encode(),
                     there});
      for (unsigned w = 0; w < words; ++w) {
        const auto value = static_cast<uint32_t>(random());
        p.data(place + 8 + 4 * w, value);
        traffic.written.push_back({target.chip, target.tile, there + 4 * w, value});
      }
      awaited[to] += words;
      lengths[from].push_back(words + 2);
    }
  }
  std::vector<std::vector<unsigned>> remote_lengths(system.tiles());
  for (uint32_t t = 0; t < system.tiles(); ++t) {
    TileProgram& p = traffic.programs[system.tile(t).chip][system.tile(t).tile];
    for (unsigned i = 0; i < remote; ++i) {
      const auto [chip, tile] = system.tile(t);
      const unsigned words = 1 + static_cast<unsigned>(random() % longest);
      const uint64_t address = (uint64_t{t + 2} << 32) - 0x40 + 0x100 * i;
      const uint32_t place = p.places().sent + 0x108 * (packets + 2 * i), back = p.places().received + 0x100 * (60 + i);
      p.data(place, remote_packet(spec::PacketKind::kWriteRemote, words, tile, address));
      p.data(place + 0x108, remote_packet(spec::PacketKind::kReadRemote, words, tile, address));
      p.data(place + 0x110, back);
      for (unsigned w = 0; w < words; ++w) {
        const auto value = static_cast<uint32_t>(random());
        p.data(place + 8 + 4 * w, value);
        traffic.written.push_back({chip, tile, back + 4 * w, value});
      }
      awaited[t] += words;
      remote_lengths[t].push_back(words + 2);
    }
  }
  for (uint32_t t = 0; t < system.tiles(); ++t) {
    TileProgram& p = traffic.programs[system.tile(t).chip][system.tile(t).tile];
    for (unsigned phase = 0; phase < phases; ++phase) {
      if (phase > 0) {  // nothing goes from chip to chip
        p.sync(2);
        p.delay(1 + static_cast<uint32_t>(random() % 3000));
        p.sync(4);
      }
      p.li(9, awaited[t]);
      p.csr_write(spec::Csr::Xcount, 9);
      p.delay(1 + static_cast<uint32_t>(random() % 300));
      p.sync(replica != 0 || phase % 2 == 1 ? 7 : 3);
      for (unsigned i = 0; i < packets; ++i) {
        if (random() % 2 == 0) p.delay(1 + static_cast<uint32_t>(random() % 60));
        p.hsend(p.places().sent + 0x108 * i, lengths[t][i]);
        if (i >= remote) continue;
        p.hsend(p.places().sent + 0x108 * (packets + 2 * i), remote_lengths[t][i]);
        p.hsend(p.places().sent + 0x108 * (packets + 2 * i + 1), 3);
      }
      if (awaited[t] > 0) p.sync(5);
    }
    p.sync(replica != 0 || phases % 2 == 0 ? 3 : 7);
    p.csr_read(9, spec::Csr::Xmark);
    p.sw(9, p.places().result);
    p.trap(1);
  }
  return traffic;
}

}  // namespace tessera::test
