#include "inspect/trace/aligned_difference.h"

#include <algorithm>
#include <set>

namespace tessera::inspect::trace {
namespace {

constexpr uint64_t kMostCells = 1u << 22;  // of the table by which supersteps are aligned

using Side = ValueDifference::Side;

// Elements that a part has written, each with its bytes. A supervisor puts the header of a packet in front of the data
// that it sends, and then what was there: it writes twice what it leaves as it was, which depends on what lies there.
std::map<uint32_t, Side> elements_of(const Part& part) {
  std::map<uint32_t, Side> all;
  for (const auto& [at, written] : part) {
    if (written.again) continue;
    Side& side = all[at.element];
    side.bytes.resize(std::max<size_t>(side.bytes.size(), at.offset + 1), -1);
    side.bytes[at.offset] = written.value;
    if (written.cycle >= side.cycle) side.cycle = written.cycle, side.lane = written.lane;
  }
  return all;
}

class StoryComparison {
 public:
  StoryComparison(TextNumbers& texts, size_t most) : texts_(texts), most_(most) {}

  void add(const SuperstepStory* a, const SuperstepStory* b) {
    if (a != nullptr && b != nullptr) compare_values(*a, *b);
    count(a, &CyclePair::first, &CyclePair::first_times);
    count(b, &CyclePair::second, &CyclePair::second_times);
  }

  AlignedDifference take() {
    for (auto& [key, cycles] : vertices_) {
      const auto [tile, name] = key;
      if (cycles.more() != 0 || cycles.first_times != cycles.second_times)
        result_.vertices.push_back({tile, texts_.text(name), cycles});
    }
    std::stable_sort(result_.vertices.begin(), result_.vertices.end(), [](const auto& x, const auto& y) {
      return std::abs(x.cycles.more()) > std::abs(y.cycles.more());
    });
    return std::move(result_);
  }
  AlignedDifference& result() { return result_; }

 private:
  void compare_values(const SuperstepStory& a, const SuperstepStory& b) {
    std::set<std::pair<uint32_t, std::string>> parts;  // by name, so that the order does not hang on who came first
    for (const auto* story : {&a, &b})
      for (const auto& [key, part] : story->parts) parts.insert({key.tile, texts_.text(key.name)});
    std::vector<ValueDifference> found;
    for (const auto& [tile, name] : parts) {
      const PartKey key{tile, texts_.of(name)};
      const auto of = [&](const SuperstepStory& story) {
        const auto part = story.parts.find(key);
        return part == story.parts.end() ? std::map<uint32_t, Side>() : elements_of(part->second);
      };
      const std::map<uint32_t, Side> ours = of(a), theirs = of(b);
      const auto differ = [&](uint32_t element, const Side* x, const Side* y) {
        ValueDifference d{a.index, tile, name, texts_.text(element), std::nullopt, std::nullopt};
        if (x != nullptr) d.first = *x;
        if (y != nullptr) d.second = *y;
        found.push_back(std::move(d));
      };
      for (const auto& [element, side] : ours) {
        const auto other = theirs.find(element);
        if (other == theirs.end())
          differ(element, &side, nullptr);
        else if (side.bytes != other->second.bytes)
          differ(element, &side, &other->second);
        else
          ++result_.values;
      }
      for (const auto& [element, side] : theirs)
        if (!ours.contains(element)) differ(element, nullptr, &side);
    }
    result_.values_differ += found.size();
    if (result_.first_values.size() >= most_) return;
    const auto time = [](const ValueDifference& d) { return d.first ? d.first->cycle : d.second->cycle; };
    std::stable_sort(found.begin(), found.end(), [&](const auto& x, const auto& y) {
      return std::tuple(time(x), x.tile, x.element) < std::tuple(time(y), y.tile, y.element);
    });
    found.resize(std::min(found.size(), most_ - result_.first_values.size()));
    std::move(found.begin(), found.end(), std::back_inserter(result_.first_values));
  }

  void count(const SuperstepStory* story, uint64_t CyclePair::* cycles, uint64_t CyclePair::* times) {
    if (story == nullptr) return;
    for (const auto& [key, took] : story->vertices) {
      for (CyclePair* pair : {&vertices_[{key.tile, key.name}], &result_.codelets[texts_.text(key.codelet)]}) {
        pair->*cycles += took.cycles;
        pair->*times += took.times;
      }
    }
  }

  TextNumbers& texts_;
  const size_t most_;
  AlignedDifference result_;
  std::map<std::pair<uint32_t, uint32_t>, CyclePair> vertices_;  // by tile and name
};

void add_supersteps(AlignedDifference& result, const std::vector<SuperstepOutline>& a,
                    const std::vector<SuperstepOutline>& b, const std::vector<std::pair<size_t, size_t>>& pairs) {
  const auto cycles = [](const SuperstepOutline& s) { return s.end - s.begin; };
  size_t i = 0, j = 0;
  const auto only = [&](size_t to_i, size_t to_j) {
    for (; i < to_i; ++i) result.supersteps.push_back({a[i].index, std::nullopt, {cycles(a[i]), 0, 1, 0}, a[i].steps});
    for (; j < to_j; ++j) result.supersteps.push_back({std::nullopt, b[j].index, {0, cycles(b[j]), 0, 1}, b[j].steps});
  };
  for (const auto& [x, y] : pairs) {
    only(x, y);
    if (cycles(a[x]) != cycles(b[y]))
      result.supersteps.push_back({a[x].index, b[y].index, {cycles(a[x]), cycles(b[y]), 1, 1}, a[x].steps});
    i = x + 1, j = y + 1;
  }
  only(a.size(), b.size());
  for (const SuperstepOutline& s : a) result.all.first += cycles(s), ++result.all.first_times;
  for (const SuperstepOutline& s : b) result.all.second += cycles(s), ++result.all.second_times;
}

// Of the first superstep of a window the steps may be there only in part.
bool same_steps(const std::vector<SuperstepOutline>& a, size_t i, const std::vector<SuperstepOutline>& b, size_t j) {
  return a[i].steps == b[j].steps || ((i == 0 || j == 0) && a[i].index == b[j].index && a[i].index != 0);
}

// The longest common subsequence of a[from..] and b[from..], sizes n and m.
std::vector<std::pair<size_t, size_t>> common(const std::vector<SuperstepOutline>& a,
                                              const std::vector<SuperstepOutline>& b, size_t from, size_t n, size_t m) {
  std::vector<uint32_t> longest((n + 1) * (m + 1));
  const auto at = [&](size_t i, size_t j) -> uint32_t& { return longest[i * (m + 1) + j]; };
  const auto same = [&](size_t i, size_t j) { return same_steps(a, from + i, b, from + j); };
  for (size_t i = n; i-- > 0;)
    for (size_t j = m; j-- > 0;) at(i, j) = same(i, j) ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  std::vector<std::pair<size_t, size_t>> pairs;
  for (size_t i = 0, j = 0; i < n && j < m;) {
    if (same(i, j) && at(i, j) == at(i + 1, j + 1) + 1)
      pairs.emplace_back(from + i++, from + j++);
    else if (at(i + 1, j) >= at(i, j + 1))
      ++i;
    else
      ++j;
  }
  return pairs;
}

}  // namespace

std::vector<std::pair<size_t, size_t>> align(const std::vector<SuperstepOutline>& a,
                                             const std::vector<SuperstepOutline>& b) {
  // Windows of one program begin in different supersteps: those are known by their numbers.
  std::map<uint64_t, size_t> by_index;
  for (size_t j = 0; j < b.size(); ++j) by_index[b[j].index] = j;
  std::vector<std::pair<size_t, size_t>> numbered;
  bool same = true;
  for (size_t i = 0; i < a.size(); ++i)
    if (const auto other = by_index.find(a[i].index); other != by_index.end()) {
      same = same && same_steps(a, i, b, other->second);
      numbered.emplace_back(i, other->second);
    }
  size_t begin = 0, end = 0;
  const size_t shorter = std::min(a.size(), b.size());
  while (begin < shorter && same_steps(a, begin, b, begin)) ++begin;
  while (end < shorter - begin && same_steps(a, a.size() - 1 - end, b, b.size() - 1 - end)) ++end;
  const size_t n = a.size() - begin - end, m = b.size() - begin - end;
  const bool as_long = a.size() == b.size() || a.front().index != b.front().index;
  if ((same && !numbered.empty() && as_long) || n * m > kMostCells) return numbered;
  std::vector<std::pair<size_t, size_t>> pairs;
  for (size_t i = 0; i < begin; ++i) pairs.emplace_back(i, i);
  for (const auto& pair : common(a, b, begin, n, m)) pairs.push_back(pair);
  for (size_t i = end; i > 0; --i) pairs.emplace_back(a.size() - i, b.size() - i);
  return pairs;
}

AlignedDifference compare_by_program(TraceReader& first, TraceReader& second, size_t run, const Selection& selection,
                                     bool same_program, size_t most) {
  const std::vector<SuperstepOutline> a = outline(first, run, selection), b = outline(second, run, selection);
  const auto pairs = align(a, b);
  TextNumbers texts;
  StoryComparison comparison(texts, most);
  add_supersteps(comparison.result(), a, b, pairs);
  ProgramStory ours(first, run, selection, texts, same_program), theirs(second, run, selection, texts, same_program);
  size_t i = 0, j = 0;
  const auto pass = [&](size_t to_i, size_t to_j) {
    for (; i < to_i; ++i)
      if (const auto story = ours.next()) comparison.add(&*story, nullptr);
    for (; j < to_j; ++j)
      if (const auto story = theirs.next()) comparison.add(nullptr, &*story);
  };
  for (const auto& [x, y] : pairs) {
    pass(x, y);
    const auto mine = ours.next(), other = theirs.next();
    comparison.add(mine ? &*mine : nullptr, other ? &*other : nullptr);
    i = x + 1, j = y + 1;
  }
  pass(a.size(), b.size());
  return comparison.take();
}

}  // namespace tessera::inspect::trace
