// Bit patterns of f32 values, for the mathematics functions. They use float and integer arithmetic only: the tile has
// no double. Unless a function says otherwise its result is within 2 ulp of the exact one, for every argument; the
// polynomials are minimax fits of our own over the intervals given beside them.
#pragma once

#include <stdint.h>

static inline uint32_t bits_of(float x) {
  const union {
    float value;
    uint32_t bits;
  } both = {.value = x};
  return both.bits;
}

static inline float float_of(uint32_t bits) {
  const union {
    uint32_t bits;
    float value;
  } both = {.bits = bits};
  return both.value;
}

#define SIGN_BIT 0x80000000u
#define INFINITY_BITS 0x7f800000u

static inline uint32_t magnitude_bits(float x) { return bits_of(x) & ~SIGN_BIT; }
static inline int is_nan(float x) { return x != x; }

// x * 2^n for any n, with one rounding.
static inline float scale(float x, int n) {
  if (n > 127) {
    x *= 0x1p127f, n -= 127;
    if (n > 127) x *= 0x1p127f, n -= 127;
    if (n > 127) n = 127;
  } else if (n < -126) {
    // The factor keeps 24 bits above the denormals, so that only the last multiplication rounds.
    x *= 0x1p-102f, n += 102;
    if (n < -126) x *= 0x1p-102f, n += 102;
    if (n < -126) n = -126;
  }
  return x * float_of((uint32_t)(n + 127) << 23);
}

static inline int nearest_int(float x) { return (int)__builtin_lrintf(x); }
