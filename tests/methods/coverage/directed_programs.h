// Short programs for points that random ones seldom or never reach.
#pragma once

#include <vector>

#include "tb/random/program_generator.h"

namespace tessera::test {

std::vector<RandomProgram> directed_programs();

}  // namespace tessera::test
