// Makes variables views of others: what holds the same as another variable of its tile, as long as both are wanted,
// needs neither memory of its own nor the copy that would fill it.
#pragma once

#include <vector>

#include "compiler/ir/program.h"
#include "compiler/passes/memory/find_lives.h"
#include "compiler/passes/memory/homes.h"
#include "compiler/passes/memory/kept_apart.h"

namespace tessera::compiler {

struct Views {
  Homes homes;  // of the program's blocks
  std::vector<Life>
      lives;  // by block, of views: while they hold something, in points of the program (program_points.h)

  bool any() const { return !homes.empty(); }
};

// A copy inside a tile makes its target a view of its source, or the other way round, if they are parts of variables,
// the one lies in what is copied of the other as a whole, and wherever both live nothing writes either in that part but
// such copies. A part that is smaller must not live when the larger one does not. What the load gives values to both of
// is no view, nor what a codelet's constraint keeps apart from others.
Views find_views(const ir::Program& program, const AllKeptApart& kept_apart, unsigned threads = 1);

// Names what views are parts of in their place, and drops copies of things to themselves. Steps stay, if only as names
// of nothing, and with them the program's points; blocks stay without a use.
void use_views(const Views& views, ir::Program& program);

// Gives blocks that are views their lives; the program's, found after use_views(), know no use of them.
void add_lives(const Views& views, Lives& lives);

// One line a view: "0:5 is 0:3+16", tile:block and where it lies.
std::string dump(const Views& views, const ir::Blocks& blocks);

}  // namespace tessera::compiler
