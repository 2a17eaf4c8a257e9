#include "tests/libs/popops/generated/shrink.h"

#include <algorithm>
#include <numeric>

#include "tests/libs/popops/generated/operator.h"

namespace popops_test {
namespace {

using Made = std::vector<std::uint32_t>;

constexpr unsigned kMostTries = 400;

// What a reader has to take in.
std::size_t weight(const Case& c) {
  std::size_t sum = 0;
  for (const Variable& v : c.variables) {
    sum += 40 + v.shape.size() + 2 * v.values.size() + 4 * v.mapping.size();
    sum += v.constant ? 1 : 0;
    for (const Piece& piece : v.mapping) sum += piece.tile;
    for (std::size_t i = 0; i < v.values.size(); ++i) sum += v.values[i] == static_cast<double>(i % 100 + 1) ? 0 : 1;
  }
  for (const View& view : c.tensors) sum += 20 * view.ops.size();
  for (const Parameter& p : c.parameters) sum += p.list.size() + (p.number == 0 ? 0 : 1);
  return sum;
}

class Shrinking {
 public:
  Shrinking(const Case& c, bool full, const std::function<bool(const Case&)>& fails)
      : least_(c), full_(full), fails_(fails) {}

  Case run() {
    for (bool shrank = true; shrank && tries_ < kMostTries;) {
      shrank = false;
      for (std::size_t length : {16, 8, 4, 2, 1}) shrank |= without(length);
      shrank |= smaller();
    }
    return least_;
  }

 private:
  bool better(const Made& made) {
    if (tries_ >= kMostTries) return false;
    Choices choices(made);
    const Case c = draw(least_.op, choices, full_);
    const std::size_t now = weight(c), before = weight(least_);
    const auto sum = [](const Made& m) { return std::accumulate(m.begin(), m.end(), std::uint64_t{0}); };
    if (now > before || (now == before && sum(c.choices) >= sum(least_.choices))) return false;
    ++tries_;
    if (!fails_(c)) return false;
    least_ = c;
    return true;
  }

  // Runs of choices taken out, or made 0.
  bool without(std::size_t length) {
    bool shrank = false;
    for (std::size_t at = 0; at + length <= least_.choices.size();) {
      Made shorter = least_.choices, zeros = least_.choices;
      const auto begin = static_cast<std::ptrdiff_t>(at), end = static_cast<std::ptrdiff_t>(at + length);
      shorter.erase(shorter.begin() + begin, shorter.begin() + end);
      std::fill(zeros.begin() + begin, zeros.begin() + end, 0);
      if (better(shorter) || better(zeros))
        shrank = true;
      else
        ++at;
    }
    return shrank;
  }

  bool smaller() {
    bool shrank = false;
    for (std::size_t at = 0; at < least_.choices.size(); ++at) {
      for (const std::uint32_t by : {2U, 1U}) {
        while (at < least_.choices.size() && least_.choices[at] != 0) {
          Made made = least_.choices;
          made[at] = by == 2 ? made[at] / 2 : made[at] - 1;
          if (!better(made)) break;
          shrank = true;
        }
      }
    }
    return shrank;
  }

  Case least_;
  bool full_;
  const std::function<bool(const Case&)>& fails_;
  unsigned tries_ = 0;
};

}  // namespace

Case shrink(const Case& c, bool full, const std::function<bool(const Case&)>& fails) {
  return Shrinking(c, full, fails).run();
}

}  // namespace popops_test
