#include "tests/libs/popops/generated/judge.h"
#include "tests/libs/popops/generated/print_cpp.h"
#include "tests/libs/popops/generated/shrink.h"

namespace popops_test {

Report report(Judge& judge, const Case& c, const std::string& wrong, bool full) {
  Report out{c, wrong + " (beside other calls, and not alone)", ""};
  const std::string alone = judge.judge(c);
  if (!alone.empty()) {
    out.least = shrink(c, full, [&](const Case& smaller) { return !judge.judge(smaller).empty(); });
    out.wrong = judge.judge(out.least);
  }
  out.cpp = print_cpp(out.least, judge.expected(out.least), out.wrong);
  return out;
}

}  // namespace popops_test
