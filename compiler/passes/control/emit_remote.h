// The code of a tile for transfers from and to the memory of a gateway: a step kRemote behind its sync
// (docs/reference/control.md, Remote buffers in a gateway). Part of emit_tile().
#pragma once

#include <cstdint>
#include <functional>

#include "compiler/ir/program.h"
#include "compiler/passes/control/assembler.h"
#include "compiler/passes/remote/remote_tables.h"

namespace tessera::compiler {

// The register that holds the row's number when a tile sends the refused request.
constexpr unsigned kRefusedRow = kS0;

// Appends to `code`; nothing where the tile has no part. All registers but tp, sp, ra and s1 to s11 are changed.
// `before_last_wait` is called, if the tile waits for what it has asked for, when all packets have left and it is about
// to wait for the last time.
void emit_remote(const ir::Program& program, const RemoteTables& tables, const ir::Step& step, std::uint32_t tile,
                 Assembler& code, const std::function<void()>& before_last_wait);

}  // namespace tessera::compiler
