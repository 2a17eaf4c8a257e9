// Emits what the tiles hold beside code: vertex states with their edge lists, lists for the worker start routine, lists
// of copies, host requests and packet descriptions, event list blocks, stacks.
#pragma once

#include "compiler/passes/link_text.h"
#include "compiler/passes/lowered.h"

namespace tessera::compiler {

// A description of a packet to the host for control code: address of the payload - 8, header, host address, words of
// the packet. A request is the packet itself: header, host address, tile address.
constexpr std::uint32_t kPacketBytes = 16, kRequestBytes = 12;

// Adds blocks, contents and pointers to `lowered`; fills stacks and all members marked emit_state() there.
void emit_state(const graph::Graph& graph, const Text& text, Lowered& lowered);

// Whether copies of a tile are few and small enough for the supervisor to make them itself.
bool copied_in_line(const LocalCopy* first, const LocalCopy* last);

}  // namespace tessera::compiler
