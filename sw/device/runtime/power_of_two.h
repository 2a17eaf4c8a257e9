#ifndef TESSERA_POWER_OF_TWO_H
#define TESSERA_POWER_OF_TWO_H

// 2^r, |r| <= 1/2.
static inline float power_of_two(float r) {
  float p = 1.531504131e-05f;  // (2^r - 1) / r
  p = __builtin_fmaf(p, r, 1.546723652e-04f);
  p = __builtin_fmaf(p, r, 1.333342982e-03f);
  p = __builtin_fmaf(p, r, 9.618036449e-03f);
  p = __builtin_fmaf(p, r, 5.550410971e-02f);
  p = __builtin_fmaf(p, r, 2.402265072e-01f);
  p = __builtin_fmaf(p, r, 6.931471825e-01f);
  return __builtin_fmaf(p, r, 1.0f);
}

#endif
