// What becomes of cards that a program still holds when it ends, and of its exit status when files of a run could not
// be written: a device may be let go of where nothing can be thrown, in a destructor or not at all.
#pragma once

#include <functional>

namespace tessera::card {

constexpr int kExitFiles = 5;

// `close` is called when the program ends by exit() or by returning from main(), unless it is forgotten before. Not in
// a process that was forked off.
void close_at_end(const void* whose, std::function<void()> close);
void forget_at_end(const void* whose);

// The program's exit status, if it were 0, is kExitFiles.
void end_with_files_missing();

}  // namespace tessera::card
