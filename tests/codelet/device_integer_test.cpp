// The device's 64-bit integer and memory functions, compiled for the host, against the host's own.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

extern "C" {
std::uint64_t device_udivdi3(std::uint64_t, std::uint64_t), device_umoddi3(std::uint64_t, std::uint64_t);
std::int64_t device_divdi3(std::int64_t, std::int64_t), device_moddi3(std::int64_t, std::int64_t);
float device_floatundisf(std::uint64_t), device_floatdisf(std::int64_t);
std::uint64_t device_fixunssfdi(float);
std::int64_t device_fixsfdi(float);
void* device_memcpy(void*, const void*, std::size_t);
void* device_memmove(void*, const void*, std::size_t);
void* device_memset(void*, int, std::size_t);
int device_memcmp(const void*, const void*, std::size_t);
}

namespace {

constexpr unsigned kSeed = 7;

// Values of every length in bits, with runs of ones and zeros.
std::uint64_t spread(std::mt19937_64& random) {
  const std::uint64_t value = random() >> (random() % 64);
  return random() % 4 == 0 ? value & (random() | random()) : value;
}

}  // namespace

TEST_CASE("64-bit division agrees with the host") {
  INFO("seed " << kSeed);
  std::mt19937_64 random(kSeed);
  for (int i = 0; i < 300000; ++i) {
    const std::uint64_t n = spread(random), d = spread(random) | (i % 3 == 0 ? 1u : 0u);
    if (d == 0) continue;
    REQUIRE(device_udivdi3(n, d) == n / d);
    REQUIRE(device_umoddi3(n, d) == n % d);
    const auto sn = static_cast<std::int64_t>(random() % 2 ? n : 0 - n), sd = static_cast<std::int64_t>(d);
    if (sd == 0 || (sn == INT64_MIN && sd == -1)) continue;
    REQUIRE(device_divdi3(sn, sd) == sn / sd);
    REQUIRE(device_moddi3(sn, sd) == sn % sd);
  }
}

TEST_CASE("64-bit integers convert to f32 with one rounding and back towards zero") {
  std::mt19937_64 random(kSeed);
  for (int i = 0; i < 300000; ++i) {
    const std::uint64_t u = spread(random);
    const auto s = static_cast<std::int64_t>(random() % 2 ? u : 0 - u);
    REQUIRE(device_floatundisf(u) == static_cast<float>(u));
    REQUIRE(device_floatdisf(s) == static_cast<float>(s));
    const auto x = static_cast<float>(s) / static_cast<float>(1 + random() % 1000);
    REQUIRE(device_fixsfdi(x) == (x >= 0x1p63f ? INT64_MAX : static_cast<std::int64_t>(x)));
    if (x >= 0 && x < 0x1p64f) REQUIRE(device_fixunssfdi(x) == static_cast<std::uint64_t>(x));
  }
}

TEST_CASE("conversions to 64-bit integers saturate") {
  CHECK(device_fixsfdi(INFINITY) == INT64_MAX);
  CHECK(device_fixsfdi(-INFINITY) == INT64_MIN);
  CHECK(device_fixsfdi(NAN) == INT64_MAX);
  CHECK(device_fixsfdi(-0x1p63f) == INT64_MIN);
  CHECK(device_fixunssfdi(-5.0f) == 0);
  CHECK(device_fixunssfdi(-0.5f) == 0);
  CHECK(device_fixunssfdi(0x1p64f) == UINT64_MAX);
  CHECK(device_fixunssfdi(NAN) == UINT64_MAX);
}

TEST_CASE("memory functions agree with the host for every alignment and overlap") {
  std::mt19937 random(kSeed);
  std::vector<unsigned char> ours(160), theirs(160);
  for (std::size_t from = 0; from < 9; ++from) {
    for (std::size_t to = 0; to < 40; ++to) {
      for (std::size_t n = 0; n < 70; ++n) {
        for (auto& byte : ours) byte = static_cast<unsigned char>(random());
        theirs = ours;
        device_memmove(&ours[to], &ours[from], n), std::memmove(&theirs[to], &theirs[from], n);
        REQUIRE(ours == theirs);
        device_memcpy(&ours[80 + from], &ours[to % 8], n), std::memcpy(&theirs[80 + from], &theirs[to % 8], n);
        REQUIRE(ours == theirs);
        device_memset(&ours[to], static_cast<int>(n * 37), n), std::memset(&theirs[to], static_cast<int>(n * 37), n);
        REQUIRE(ours == theirs);
        const int sign = device_memcmp(&ours[from], &ours[to], n), expected = std::memcmp(&ours[from], &ours[to], n);
        REQUIRE((sign > 0) == (expected > 0));
        REQUIRE((sign < 0) == (expected < 0));
      }
    }
  }
}
