// What becomes of runs that a program still holds when it ends, and of its exit status when files of a run could not be
// written: a device or a chip may be let go of where nothing can be thrown, in a destructor or not at all.
#pragma once

#include <functional>

namespace tessera::inspect {

constexpr int kExitFiles = 5;

// `close` is called when the program ends by exit() or by returning from main(), unless it is forgotten before. Not in
// a process that was forked off.
void close_at_end(const void* whose, std::function<void()> close);
void forget_at_end(const void* whose);
// What is to be closed at the end, now: for a program that ends in another way.
void close_now();

// The program's exit status, if it were 0, is kExitFiles.
void end_with_files_missing();

}  // namespace tessera::inspect
