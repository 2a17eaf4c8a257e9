#include "float_data.h"

namespace tessera::test {
namespace {

uint64_t random_data(Random& random) {
  const uint32_t f32 = random.pick({0u, 0x80000000u, 0x3f800000u, 0x00000001u, 0x007fffffu, 0x7f800000u, 0xff800000u,
                                    0x7fc00000u, 0x7f800001u, 0x7f7fffffu, 0x4b000001u, random.word(), random.word()});
  const uint32_t f16 = random.pick({0u, 0x8000u, 0x3c00u, 0x0001u, 0x03ffu, 0x7c00u, 0xfc00u, 0x7e00u, 0x7c01u, 0x7bffu,
                                    random.word() & 0xffff, random.word() & 0xffff});
  switch (random.below(4)) {
    case 0:
      return random.bits();
    case 1:
      return 0xffffffffffff0000ull | f16;
    default:
      return 0xffffffff00000000ull | f32;
  }
}

}  // namespace

Image random_float_image(Random& random, uint32_t address, uint32_t bytes) {
  Image image{address, {}};
  for (uint32_t n = 0; n < bytes; n += 8) {
    const uint64_t value = random_data(random);
    image.words.push_back(static_cast<uint32_t>(value));
    image.words.push_back(static_cast<uint32_t>(value >> 32));
  }
  return image;
}

}  // namespace tessera::test
