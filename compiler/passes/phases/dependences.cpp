#include "compiler/passes/phases/dependences.h"

namespace tessera::compiler {

void Dependences::follow(std::uint32_t before, std::uint32_t number, std::vector<std::uint32_t>& found) {
  if (before == kNobody || before == number || seen_[before] == number) return;
  seen_[before] = number;
  found.push_back(before);
}

void Dependences::read(const ir::Span& span, std::uint32_t number, std::vector<std::uint32_t>& found) {
  std::uint32_t was = kNobody, made = kNobody;  // neighbours with the same list get the same again
  last_.change(span, [&](Last& last) {
    follow(last.writer, number, found);
    if (made != kNobody && last.readers == was) {
      last.readers = made;
    } else if (last.readers == kNobody || readers_[last.readers].step != number) {
      was = last.readers;
      made = static_cast<std::uint32_t>(readers_.size());
      readers_.push_back({number, last.readers});
      last.readers = made;
    }
  });
}

void Dependences::write(const ir::Span& span, std::uint32_t number, std::vector<std::uint32_t>& found) {
  last_.change(span, [&](Last& last) {
    follow(last.writer, number, found);
    for (std::uint32_t r = last.readers; r != kNobody && readers_[r].visited != number; r = readers_[r].next) {
      readers_[r].visited = number;
      follow(readers_[r].step, number, found);
    }
  });
  last_.assign(span, {number, kNobody});
}

}  // namespace tessera::compiler
