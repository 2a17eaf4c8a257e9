// Which registers an instruction reads and writes, from formats.def: what the RTL's decoder, the model, reports and
// traces go by.
#pragma once

#include "rtl/spec/instructions.h"

namespace tessera::spec {

struct RegisterUse {
  bool reads_x1 = false, reads_x2 = false;                    // integer rs1, rs2
  bool reads_f1 = false, reads_f2 = false, reads_f3 = false;  // float rs1, rs2, rs3
  bool writes_x = false, writes_f = false;                    // rd
  bool writes_pair = false;                                   // float rd + 1 as well
  bool updates_x = false, updates_f = false;                  // rs1 as well
};

RegisterUse register_use(Opcode);  // opcode must not be Illegal

}  // namespace tessera::spec
