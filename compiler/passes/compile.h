// The compiler: from a graph and its programs to an executable for chips of one machine. Runs the passes of this folder
// in order: validate, lower_programs, merge_host_phases, merge_phases, overlap_remote, split_chips, find_views,
// link_text, assign_workers, plan_exchange, find_lives, schedule_exchange, emit_state, emit_control, allocate,
// build_image.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/image/executable.h"
#include "compiler/ir/program.h"
#include "compiler/passes/optimisations.h"
#include "compiler/passes/remote/place_buffers.h"
#include "rtl/spec/machine.h"

namespace tessera::compiler {

struct GraphCompileOptions {
  // Of one replica, all of the machine that is compiled for; the tiles of a graph for several are those of all.
  std::uint32_t chips = 1;
  // By replica, the memory of a gateway that all its chips reach, for remote buffers. Empty: the host has them.
  std::vector<GatewayMemory> gateways;
  // Whether the chips of each replica have a sync of their own; of one chip each they do.
  bool replica_syncs = true;
  // Whether each replica meets the host by itself, and not all of them together.
  bool replicas_independent = false;
  // Called before each pass: passes done, passes in all, name of the next.
  std::function<void(unsigned done, unsigned total, const std::string& pass)> progress;
  // A folder for a textual dump after each pass ("01-lower_programs.txt", ...); empty: none. Made if missing.
  std::string dump_directory;
  // What a pass has come to, in words and numbers, after it; empty: nobody wants to know.
  std::function<void(const std::string& pass, const std::string& result)> finished;
  // Bytes of each worker's stack; none: what the codelets need.
  std::optional<std::uint32_t> worker_stack;
  // Given: when tiles are too small, the message goes there, and the executable has usage, host layout and the names of
  // variables and steps alone: it cannot be loaded.
  std::string* out_of_memory = nullptr;
  Optimisations optimise;
  // Bytes behind each piece of data that are nobody's, so that what goes a little beyond its own memory meets nothing.
  std::uint32_t guard = 0;
  // Of vertices of which the graph has none.
  graph::Estimates estimates;
  // Threads that passes may use, 0: as many as there are cores. What they make does not depend on it.
  unsigned threads = 0;
};

// The name that callers without codelet/compile.h, which has options of its own, may use.
using CompileOptions = GraphCompileOptions;

// Throws graph::GraphError (compiler/graph/validate.h), CodeletError (compiler/codelet/codelet_error.h),
// StackTooSmall (compiler/passes/text/link_text.h), OutOfGatewayMemory (compiler/passes/remote/place_buffers.h) and
// OutOfTileMemory (compiler/passes/memory/out_of_tile_memory.h), each naming the user's object.
image::Executable compile(const graph::Graph& graph, const std::vector<graph::ProgramRef>& programs,
                          const spec::Machine& machine, const GraphCompileOptions& options = {});

// From the program's own form on, as lower_programs() makes it or as it has been read: all passes after that one.
image::Executable compile(const graph::Graph& graph, ir::Program program, const spec::Machine& machine,
                          const GraphCompileOptions& options = {});

}  // namespace tessera::compiler
