// Which of the steps in a row must run after which others. Part of merge_phases().
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/ir/accesses.h"
#include "compiler/ir/span_map.h"

namespace tessera::compiler {

class Dependences {
 public:
  // The next step. Returns the steps before it that it must follow: those that have written what it reads or writes,
  // and those that have read what it writes. Not all of them: some that come before others of them are left out.
  // `relevant(block)`: blocks for which it matters.
  template <class Relevant>
  std::vector<std::uint32_t> add(const ir::Accesses& step, const Relevant& relevant) {
    const std::uint32_t number = steps_++;
    std::vector<std::uint32_t> found;
    seen_.push_back(number);
    for (const ir::Span& span : step.reads)
      if (relevant(span.at.block)) read(span, number, found);
    for (const std::vector<ir::Span>* spans : {&step.writes, &step.may_write})
      for (const ir::Span& span : *spans)
        if (relevant(span.at.block)) write(span, number, found);
    return found;
  }

 private:
  static constexpr std::uint32_t kNobody = 0xffffffff;

  // Readers since the last write are a list; pieces that were one when they were read share its end.
  struct Reader {
    std::uint32_t step, next;
    std::uint32_t visited = kNobody;  // by which step's write
  };
  struct Last {
    std::uint32_t writer = kNobody;
    std::uint32_t readers = kNobody;  // first of the list
  };

  void follow(std::uint32_t before, std::uint32_t number, std::vector<std::uint32_t>& found);
  void read(const ir::Span& span, std::uint32_t number, std::vector<std::uint32_t>& found);
  void write(const ir::Span& span, std::uint32_t number, std::vector<std::uint32_t>& found);

  std::uint32_t steps_ = 0;
  std::vector<std::uint32_t> seen_;  // by step: which step found it last
  std::vector<Reader> readers_;
  ir::SpanMap<Last> last_;
};

}  // namespace tessera::compiler
