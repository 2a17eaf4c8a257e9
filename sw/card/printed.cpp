#include "sw/card/printed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "sw/card/print_format.h"
#include "sw/device/include/tessera/print_layout.h"

namespace tessera::card {
namespace {

constexpr unsigned kContexts = TESSERA_PRINT_CONTEXTS;
constexpr uint32_t kPrintedByte = 0xffu << 8 * offsetof(tessera_attention, printed);  // of the first word
constexpr uint32_t kBufferHead = offsetof(tessera_print_buffer, words) / 4;           // words: used, lost
constexpr uint32_t kOffsetMask = (1u << TESSERA_PRINT_COUNT_SHIFT) - 1;
constexpr size_t kMostText = 1024;  // of a %s

std::string text_at(Client& client, const PrintPlaces& places, uint32_t tile, uint32_t address) {
  if (places.constant_text)
    if (auto text = places.constant_text(address)) return *text;
  std::string text;
  while (text.size() < kMostText) {
    if (address < places.memory_begin || address >= places.memory_end)
      return text + fmt::format("<no text at {:#x}>", address);
    const uint32_t word = client.peek(tile, address & ~3u, 1).at(0);
    for (unsigned byte = address % 4; byte < 4; ++byte) {
      const char c = static_cast<char>(word >> 8 * byte);
      if (c == '\0') return text;
      text += c;
    }
    address = (address & ~3u) + 4;
  }
  return text + "...";
}

std::string format_of(const PrintPlaces& places, uint32_t offset) {
  if (offset >= places.formats.size()) return "<a printf whose format is not in the file>\n";
  const auto begin = places.formats.begin() + offset;
  return {begin, std::find(begin, places.formats.end(), 0)};
}

void take_context(Client& client, const PrintPlaces& places, uint32_t tile, uint32_t context, uint32_t buffer,
                  uint32_t buffer_words, std::vector<Printed>& printed) {
  const std::vector<uint32_t> head = client.peek(tile, buffer, kBufferHead);
  const uint32_t used = std::min(head[0], buffer_words), lost = head[1];
  if (used == 0 && lost == 0) return;
  if (used != 0) {
    const std::vector<uint32_t> words = client.peek(tile, buffer + 4 * kBufferHead, used);
    for (size_t at = 0; at < words.size();) {
      const uint32_t offset = words[at] & kOffsetMask, count = words[at] >> TESSERA_PRINT_COUNT_SHIFT;
      ++at;
      const size_t there = std::min<size_t>(count & ~uint32_t{TESSERA_PRINT_DOUBLES}, words.size() - at);
      std::span<const uint32_t> arguments = std::span(words).subspan(at, there);
      at += there;
      uint32_t doubles = 0;
      if ((count & TESSERA_PRINT_DOUBLES) != 0 && !arguments.empty()) {
        doubles = arguments[0];
        arguments = arguments.subspan(1);
      }
      const auto read_text = [&](uint32_t address) { return text_at(client, places, tile, address); };
      printed.push_back({tile, context, format_print(format_of(places, offset), arguments, read_text, doubles)});
    }
  }
  if (lost != 0) printed.push_back({tile, context, "", lost, buffer_words});
  const uint32_t empty[kBufferHead] = {0, 0};
  client.load(tile, buffer, empty);
}

}  // namespace

uint32_t read_attention(Client& client, const PrintPlaces& places, uint32_t tile) {
  return client.peek(tile, places.attention, 1).at(0);
}

void take_printed(Client& client, const PrintPlaces& places, uint32_t tile, uint32_t attention,
                  std::vector<Printed>& printed) {
  if ((attention & kPrintedByte) == 0 || places.buffers_bytes == 0) return;
  const uint32_t bytes = places.buffers_bytes / kContexts;
  for (unsigned context = 0; context < kContexts; ++context) {
    const unsigned worker_id = (context + 6) % kContexts;  // of CSR xwid: 6 is the supervisor
    take_context(client, places, tile, context, places.buffers + bytes * worker_id, bytes / 4 - kBufferHead, printed);
  }
  const uint32_t seen = attention & ~kPrintedByte;
  client.load(tile, places.attention, {&seen, 1});
}

}  // namespace tessera::card
