// What a failure leaves behind, looked at with the readers that users have.
#pragma once

#include <string>
#include <vector>

#include "tests/inspect/failures/planted.h"

namespace tessera::test {

// What is wrong with the waves, trace and report in the folder: each must be whole, and waves and trace must show the
// exception where it was (an instruction that excepts: at its pc in its cycle). Empty: all is well.
std::vector<std::string> wrong_files(const Told&, const std::string& folder);

}  // namespace tessera::test
