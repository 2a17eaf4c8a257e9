// Memory contents that floats are loaded from: zeros, ones, subnormals, infinities, NaNs, boxed and not.
#pragma once

#include "program_generator.h"
#include "random.h"

namespace tessera::test {

Image random_float_image(Random&, uint32_t address, uint32_t bytes);

}  // namespace tessera::test
