#include "sw/firmware/host/text_check.h"

#include "rtl/spec/instructions.h"

namespace tessera::firmware {

std::vector<DoubleArithmetic> double_arithmetic(const ElfImage& image) {
  std::vector<DoubleArithmetic> all;
  for (const Segment& segment : image.segments) {
    if (!segment.executable) continue;
    for (size_t i = 0; i < segment.words.size(); ++i) {
      if (!spec::is_double_arithmetic(segment.words[i])) continue;
      const uint32_t address = segment.address + 4 * static_cast<uint32_t>(i);
      const ElfSymbol* symbol = image.symbol_at(address);
      if (symbol != nullptr && symbol->function) all.push_back({address, segment.words[i], symbol->name});
    }
  }
  return all;
}

}  // namespace tessera::firmware
