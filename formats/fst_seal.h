// FST files have no digest of their own, and GTKWave's library does not look whether what it reads can be. So the FSTs
// of this project end with a block that other readers pass over: tag 255, its length (24, with itself; 8 bytes, highest
// first), the mark, and the digest of all before it (8 bytes, lowest first).
#pragma once

#include <string>

#include "formats/whole_file.h"

namespace tessera::formats {

// What went wrong first while the library wrote (fst_files.h); 0: nothing. Forgotten then.
int take_fst_error(int descriptor);

// The library has closed the file: its end is sealed, and it gets its name. Throws CannotWrite.
void keep_fst(WholeFile& file);

// "" when the file is sealed and as it was; else what is wrong, as in "waves: out.fst ...".
std::string fst_damage(const std::string& path);

}  // namespace tessera::formats
