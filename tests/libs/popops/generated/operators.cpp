#include "tests/libs/popops/generated/groups.h"

namespace popops_test {

const std::vector<Operator>& operators() {
  static const std::vector<Operator> all = [] {
    std::vector<Operator> out;
    for (const auto& group : {unary_operators(), binary_operators(), ternary_operators(), conversion_operators(),
                              reduce_operators(), order_operators(), slice_operators(), gather_operators(),
                              row_operators(), arrange_operators(), statistic_operators()})
      out.insert(out.end(), group.begin(), group.end());
    return out;
  }();
  return all;
}

Case draw(std::size_t op, Choices& choices, bool full) {
  Case c;
  c.op = op;
  Draft draft(choices, c, full);
  operators()[op].draw(draft);
  c.choices = choices.made();
  return c;
}

}  // namespace popops_test
