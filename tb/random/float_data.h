// Memory contents that floats are loaded from: zeros, ones, subnormals, infinities, NaNs, boxed and not.
#pragma once

#include "layout.h"
#include "program_generator.h"
#include "random.h"

namespace tessera::test {

Image random_float_image(Random&, uint32_t address, uint32_t bytes);
// What streams run over: the tables of weights and address triples, and data around the middle of each stream.
std::vector<Image> random_stream_images(Random&, const Layout&);
// Packed numbers of two f32 or four f16 whose sums and products stay finite for long.
uint64_t random_tame(Random&);

}  // namespace tessera::test
