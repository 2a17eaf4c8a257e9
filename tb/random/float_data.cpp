#include "float_data.h"

#include <utility>

#include "layout.h"

namespace tessera::test {
namespace {

uint64_t corner_f32(Random& random) {
  return random.pick({0u, 0x80000000u, 0x3f800000u, 0x00000001u, 0x007fffffu, 0x7f800000u, 0xff800000u, 0x7fc00000u,
                      0x7f800001u, 0x7f7fffffu, 0x4b000001u, random.word(), random.word()});
}

uint64_t corner_f16(Random& random) {
  return random.pick({0u, 0x8000u, 0x3c00u, 0x0001u, 0x03ffu, 0x7c00u, 0xfc00u, 0x7e00u, 0x7c01u, 0x7bffu,
                      random.word() & 0xffff, random.word() & 0xffff});
}

// Numbers near 1, whose sums and products stay finite for long.
uint64_t tame_f32(Random& random) {
  return (random.word() & 0x807fffff) | static_cast<uint32_t>(random.between(120, 134)) << 23;
}
uint64_t tame_f16(Random& random) {
  return (random.word() & 0x83ff) | static_cast<uint32_t>(random.between(10, 20)) << 10;
}

template <class Lane>
uint64_t lanes(Random& random, unsigned bits, Lane lane) {
  uint64_t value = 0;
  for (unsigned n = 0; n < 64; n += bits) value |= lane(random) << n;
  return value;
}

uint64_t random_data(Random& random) {
  switch (random.below(7)) {
    case 0:
      return random.bits();
    case 1:
      return 0xffffffffffff0000ull | corner_f16(random);
    case 2:
    case 3:
      return 0xffffffff00000000ull | corner_f32(random);
    case 4:
      return lanes(random, 32, corner_f32);
    case 5:
      return lanes(random, 16, corner_f16);
    default:
      return random_tame(random);
  }
}

template <class Data>
Image image_of(Random& random, uint32_t address, uint32_t bytes, Data data) {
  Image image{address, {}};
  for (uint32_t n = 0; n < bytes; n += 8) {
    const uint64_t value = data(random);
    image.words.push_back(static_cast<uint32_t>(value));
    image.words.push_back(static_cast<uint32_t>(value >> 32));
  }
  return image;
}

uint64_t mostly_tame(Random& random) { return random.one_in(16) ? random_data(random) : random_tame(random); }

uint64_t random_triple(Random& random, const Layout& at) {
  // Reads in different pairs of elements, so that they do not clash.
  const auto near = [&random](uint32_t address) { return uint64_t{address + 8 * random.below(8)} / 8; };
  uint32_t places[] = {at.stream_a, at.stream_b, at.stream_c};
  std::swap(places[0], places[random.below(3)]);
  if (random.one_in(4)) places[random.below(3)] = at.stream0;
  return near(places[0]) | near(places[1]) << 21 | near(places[2]) << 42;
}

}  // namespace

uint64_t random_tame(Random& random) {
  return random.one_in(2) ? lanes(random, 16, tame_f16) : lanes(random, 32, tame_f32);
}

Image random_float_image(Random& random, uint32_t address, uint32_t bytes) {
  return image_of(random, address, bytes, random_data);
}

std::vector<Image> random_stream_images(Random& random, const Layout& at) {
  using layout::kStreamBytes;
  std::vector<Image> images;
  images.push_back(image_of(random, at.stream_tables, 512 + layout::kTableSlack, mostly_tame));
  images.push_back(
      image_of(random, at.stream_tables + layout::kTriples, 64, [&at](Random& r) { return random_triple(r, at); }));
  for (const uint32_t middle : {at.stream0, at.stream_a, at.stream_b, at.stream_c})
    images.push_back(image_of(random, middle - kStreamBytes / 2, kStreamBytes, mostly_tame));
  return images;
}

}  // namespace tessera::test
