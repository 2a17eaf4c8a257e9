// What the contexts of a tile left in their buffers with printf (tessera/print.h), fetched and formatted.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sw/card/client.h"

namespace tessera::card {

// Symbols of what is printed with, and the section of the formats, in what was linked.
constexpr const char* kAttentionSymbol = "tessera_attention";
constexpr const char* kPrintBuffersSymbol = "tessera_print_buffers";
constexpr const char* kFormatsSection = ".tessera.formats";

// Where a program has them.
struct PrintPlaces {
  uint32_t attention = 0;                   // address
  uint32_t buffers = 0, buffers_bytes = 0;  // of all contexts; no bytes: the program has none
  std::span<const uint8_t> formats{};
  uint32_t memory_begin = 0, memory_end = 0;  // of the tile
  // Text up to its zero among the program's constants; none if the address is not there. May be empty.
  std::function<std::optional<std::string>(uint32_t address)> constant_text = nullptr;
};

struct Printed {
  uint32_t tile = 0, context = 0;  // 0 supervisor, 1..6 workers
  std::string text{};
  uint32_t lost = 0, buffer_words = 0;  // lost != 0: so many printfs found no room in that buffer, and there is no text
};

uint32_t read_attention(Client& client, const PrintPlaces& places, uint32_t tile);
// Appends what is in the tile's buffers, supervisor first, and empties them. `attention`: the word just read. For a
// tile that has settled.
void take_printed(Client& client, const PrintPlaces& places, uint32_t tile, uint32_t attention,
                  std::vector<Printed>& printed);

}  // namespace tessera::card
