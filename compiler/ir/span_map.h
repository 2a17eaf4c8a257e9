// Something known of each byte of some spans of blocks; neighbouring bytes of which the same is known are one piece.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

#include "compiler/ir/block.h"

namespace tessera::ir {

template <class Value>
class SpanMap {
 public:
  void clear() { pieces_.clear(); }

  // change(value) for every piece of `span`, with pieces of Value{} where nothing was known.
  template <class Change>
  void change(const Span& span, const Change& change) {
    const std::uint64_t begin = key(span.at), end = begin + span.bytes;
    split(begin);
    split(end);
    auto it = pieces_.lower_bound(begin);
    for (std::uint64_t at = begin; at < end; ++it) {
      if (it == pieces_.end() || it->first > at) {
        const std::uint64_t gap_end = it == pieces_.end() ? end : std::min(end, it->first);
        it = pieces_.emplace_hint(it, at, Piece{gap_end - at, Value{}});
      }
      change(it->second.value);
      at = it->first + it->second.bytes;
    }
  }

  void assign(const Span& span, Value value) {
    if (span.bytes == 0) return;
    const std::uint64_t begin = key(span.at), end = begin + span.bytes;
    split(begin);
    split(end);
    const auto after = pieces_.erase(pieces_.lower_bound(begin), pieces_.lower_bound(end));
    pieces_.emplace_hint(after, begin, Piece{span.bytes, std::move(value)});
  }

  // visit(part, value) for the parts of `span` of which something is known.
  template <class Visit>
  void look(const Span& span, const Visit& visit) const {
    const std::uint64_t begin = key(span.at), end = begin + span.bytes;
    auto it = pieces_.upper_bound(begin);
    if (it != pieces_.begin()) --it;
    for (; it != pieces_.end() && it->first < end; ++it) {
      const std::uint64_t from = std::max(begin, it->first), to = std::min(end, it->first + it->second.bytes);
      if (from >= to) continue;
      const Place at{span.at.block, static_cast<std::uint32_t>(from)};
      visit(Span{at, static_cast<std::uint32_t>(to - from)}, it->second.value);
    }
  }

 private:
  struct Piece {
    std::uint64_t bytes;
    Value value;
  };
  static std::uint64_t key(const Place& at) { return std::uint64_t{at.block} << 32 | at.offset; }

  void split(std::uint64_t at) {
    auto it = pieces_.lower_bound(at);
    if (it == pieces_.begin() || (it != pieces_.end() && it->first == at)) return;
    --it;
    const std::uint64_t end = it->first + it->second.bytes;
    if (end <= at) return;
    it->second.bytes = at - it->first;
    pieces_.emplace_hint(std::next(it), at, Piece{end - at, it->second.value});
  }

  std::map<std::uint64_t, Piece> pieces_;
};

}  // namespace tessera::ir
