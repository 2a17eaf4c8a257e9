#include "rtl/spec/register_use.h"

#include <string_view>

namespace tessera::spec {
namespace {

struct FormatUse {
  std::string_view reads;  // letters of rs1, rs2, rs3
  char written;
  bool updates;
};

constexpr bool KEEPS = false, UPDATES = true;
constexpr FormatUse kFormats[] = {
#define FORMAT(id, reads, written, updates, immediate, rounding, operands) {reads, written, updates},
#include "rtl/spec/formats.def"
#undef FORMAT
};

// The rs1 field holds a number.
bool by_immediate(Opcode o) { return o == Opcode::Csrrwi || o == Opcode::Csrrsi || o == Opcode::Csrrci; }

}  // namespace

RegisterUse register_use(Opcode opcode) {
  const InstructionInfo& entry = info(opcode);
  const FormatUse& format = kFormats[static_cast<unsigned>(entry.format)];
  const auto reads = [&](size_t n, char letter) { return n < format.reads.size() && format.reads[n] == letter; };
  RegisterUse use;
  use.reads_x1 = reads(0, 'x') && !by_immediate(opcode);
  use.reads_x2 = reads(1, 'x');
  use.reads_f1 = reads(0, 'f');
  use.reads_f2 = reads(1, 'f');
  use.reads_f3 = reads(2, 'f');
  use.writes_x = format.written == 'x';
  use.writes_f = format.written == 'f';
  // rd and rd + 1 are written where the encoding wants an even rd.
  use.writes_pair = use.writes_f && rd_of(entry.mask) == 1 && rd_of(entry.match) == 0;
  use.updates_x = format.updates && use.reads_x1;
  use.updates_f = format.updates && use.reads_f1;
  return use;
}

}  // namespace tessera::spec
