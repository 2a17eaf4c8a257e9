#include "inspect/failure/instruction_text.h"

#include <fmt/format.h>

#include <bit>

#include "formats/half.h"
#include "rtl/spec/instructions.h"

namespace tessera::inspect::failure {

std::string register_value(Source s, uint64_t value) {
  if (!s.is_float) return fmt::format("{:#x}", static_cast<uint32_t>(value));
  if (value >> 16 == 0xffffffffffffu)
    return fmt::format("half {}", formats::half_to_float(static_cast<uint16_t>(value)));
  if (value >> 32 == 0xffffffffu) return fmt::format("{}", std::bit_cast<float>(static_cast<uint32_t>(value)));
  return fmt::format("{:#018x}", value);
}

std::string effect(const chip::Retire& r) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (r.exception != 0) return "does not complete";
  if (r.reg_write) {
    const Source s{r.reg_float, r.reg};
    add(fmt::format("{} = {}", register_name(s), register_value(s, r.reg_data)));
  }
  if (r.base_write && !r.base_float) add(fmt::format("{} = {:#x}", spec::register_name({false, r.base}), r.base_data));
  if (r.mem_write && r.mem_strobe != 0) {
    const int first = std::countr_zero(r.mem_strobe), bytes = std::popcount(r.mem_strobe);
    const uint64_t data = r.mem_data >> 8 * first & (bytes == 8 ? ~0ull : (1ull << 8 * bytes) - 1);
    add(fmt::format("[{:#x}] = {:#x}", r.mem_address + static_cast<uint32_t>(first), data));
  }
  return text;
}

uint64_t written_value(Source s, const chip::Retire& r) {
  if (r.reg_write && r.reg == s.number && r.reg_float == s.is_float) return r.reg_data;
  return r.base_write && r.base == s.number && r.base_float == s.is_float ? r.base_data : r.pair_data;
}

std::string origin(const Words& words, const chip::Retire& writer) {
  const std::string line = words.line(writer.pc);
  return fmt::format(", from `{}` in cycle {}{}", spec::disassemble(writer.instruction, writer.pc), writer.cycle,
                     line.empty() ? "" : " at " + line);
}

std::string listing(const Words& words, const chip::Retire& r) {
  std::string text = fmt::format("    {:>9}  {:#x}  {:<28} {:<24} {}", r.cycle, r.pc,
                                 spec::disassemble(r.instruction, r.pc), effect(r), words.line(r.pc));
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string listing(const Words& words, const History::Context& context) {
  std::string text;
  for (const chip::Retire& record : context.last) text += "\n" + listing(words, record);
  return text;
}

}  // namespace tessera::inspect::failure
