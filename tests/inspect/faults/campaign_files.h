// Damage to files: images of programs and checkpoints.
#pragma once

#include <random>
#include <vector>

#include "campaign.h"

namespace tessera::test {

// One bit turned over at a time, `each` times in an image and as often in a checkpoint; then each is read.
std::vector<Result> damage_files(const spec::Machine&, unsigned each, std::mt19937_64&);

}  // namespace tessera::test
