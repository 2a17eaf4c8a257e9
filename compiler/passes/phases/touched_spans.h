// Bytes that some steps have read and written, for passes that ask whether another step may move over them.
#pragma once

#include <vector>

#include "compiler/ir/block.h"
#include "compiler/ir/span_map.h"

namespace tessera::compiler {

class TouchedSpans {
 public:
  struct Touched {
    bool read = false, written = false;
  };

  void touch(const std::vector<ir::Span>& spans, bool Touched::* how) {
    for (const ir::Span& span : spans) touched_.change(span, [&](Touched& t) { t.*how = true; });
  }

  // Whether matters(touched) holds for any byte of the spans.
  template <class Matters>
  bool meets(const std::vector<ir::Span>& spans, const Matters& matters) const {
    bool any = false;
    for (const ir::Span& span : spans)
      touched_.look(span, [&](const ir::Span&, const Touched& t) { any = any || matters(t); });
    return any;
  }

 private:
  ir::SpanMap<Touched> touched_;
};

}  // namespace tessera::compiler
