// The end of a bench in other ways than by itself, for one that holds files to be closed: by a signal (Ctrl-C, SIGTERM,
// the end of its terminal) or by an exception that nobody catches.
#pragma once

#include <memory>

#include "inspect/abandonment.h"

namespace tessera::inspect {

// Told when the first such signal comes; the second ends the program at once. From the first call on; signals that the
// program has a handler for, or ignores, stay its own. What is to be closed at the program's end (program_end.h) is
// from then on closed before an uncaught exception ends it, too.
std::shared_ptr<Abandonment> interruption();
// If a signal has come: closes what is to be closed at the end, and ends the program by that signal.
void end_if_interrupted();

}  // namespace tessera::inspect
