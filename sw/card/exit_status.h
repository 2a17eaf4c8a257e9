// A program whose files could not be written must not end as if all was well, though its device may be let go of where
// nothing can be thrown: in a destructor, at the program's end.
#pragma once

namespace tessera::card {

constexpr int kExitFiles = 5;

// From now on exit(0), and returning 0 from main(), end the program with status kExitFiles instead.
void exit_with_files_missing();

}  // namespace tessera::card
