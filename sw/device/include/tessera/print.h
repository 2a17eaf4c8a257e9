/* printf to the host, for codelets and firmware. A tile stores the number of the format and the arguments' words; the
   host fetches them whenever the chip stops for it, in the order of tiles and contexts, and formats there. Formats take
   no tile memory. What does not fit the context's buffer is counted and reported.

   Formats are literals, and there is no result. Arguments: integers (64-bit ones with ll), pointers, float and half
   (%f, %e, %g), text (%s: an address, read when the host fetches). Of double only constants, and those in C++: a tile
   has no arithmetic for others. */
#pragma once

#include <stdint.h>
#include <tessera/print_layout.h>
#include <tessera/xipu.h>

#ifdef __cplusplus
extern "C" {
#endif

extern struct tessera_print_buffer tessera_print_buffers[TESSERA_PRINT_CONTEXTS];
extern struct tessera_attention tessera_attention;

/* Room for the arguments of a printf, after the word that names its format; null: none. `count`: their words, and
   TESSERA_PRINT_DOUBLES. Then tell that they are there. */
uint32_t* tessera_print_begin(const char* format, unsigned count);
void tessera_print_end(unsigned words);

static inline uint32_t* tessera_print_u32(uint32_t* at, uint32_t value) {
  *at = value;
  return at + 1;
}
static inline uint32_t* tessera_print_u64(uint32_t* at, uint64_t value) {
  at[0] = (uint32_t)value;
  at[1] = (uint32_t)(value >> 32);
  return at + 2;
}
static inline uint32_t* tessera_print_f32(uint32_t* at, float value) {
  __builtin_memcpy(at, &value, 4);
  return at + 1;
}
static inline uint32_t* tessera_print_text(uint32_t* at, const volatile void* value) {
  *at = (uint32_t)(uintptr_t)value;
  return at + 1;
}

#ifdef __cplusplus
}

namespace tessera {
inline uint32_t* print_word(uint32_t* at, float value) { return tessera_print_f32(at, value); }
inline uint32_t* print_word(uint32_t* at, _Float16 value) { return tessera_print_f32(at, (float)value); }
inline uint32_t* print_word(uint32_t* at, unsigned long long value) { return tessera_print_u64(at, value); }
inline uint32_t* print_word(uint32_t* at, long long value) { return tessera_print_u64(at, (uint64_t)value); }
inline uint32_t* print_word(uint32_t* at, const volatile void* value) { return tessera_print_text(at, value); }
inline uint32_t* print_word(uint32_t* at, unsigned value) { return tessera_print_u32(at, value); }
inline uint32_t* print_word(uint32_t* at, int value) { return tessera_print_u32(at, (uint32_t)value); }
inline uint32_t* print_word(uint32_t* at, unsigned long value) { return tessera_print_u32(at, (uint32_t)value); }
inline uint32_t* print_word(uint32_t* at, long value) { return tessera_print_u32(at, (uint32_t)value); }
inline uint32_t* print_word(uint32_t* at, double value) {
  return tessera_print_u64(at, __builtin_bit_cast(uint64_t, value));
}

template <class Type>
inline constexpr bool is_double = false;
template <>
inline constexpr bool is_double<double> = true;

template <class... Arguments>
inline void print(const char* format, Arguments... arguments) {
  constexpr bool doubles = (is_double<Arguments> || ... || false);
  constexpr unsigned words = ((sizeof(Arguments) == 8 ? 2u : 1u) + ... + 0u) + (doubles ? 1 : 0);
  static_assert(words < (doubles ? 32 : TESSERA_PRINT_DOUBLES), "too many arguments for one printf");
  uint32_t* at = tessera_print_begin(format, words | (doubles ? TESSERA_PRINT_DOUBLES : 0));
  if (at == nullptr) return;
  if constexpr (doubles) {
    unsigned mask = 0, word = 0;
    ((mask |= is_double<Arguments> ? 1u << word : 0u, word += sizeof(Arguments) == 8 ? 2 : 1), ...);
    *at++ = mask;
  }
  ((at = print_word(at, arguments)), ...);
  tessera_print_end(words);
}
} /* namespace tessera */

#include <tessera/print_call.h>

#else

/* Declared, never defined: a call does not link. */
uint32_t* tessera_print_has_no_double(uint32_t* at, double value)
    __attribute__((error("the tile has no double: write 1.5f")));

#define TESSERA_PRINT_WORD(value)            \
  at_ = _Generic((value),                    \
      float: tessera_print_f32,              \
      _Float16: tessera_print_f32,           \
      double: tessera_print_has_no_double,   \
      unsigned long long: tessera_print_u64, \
      long long: tessera_print_u64,          \
      char*: tessera_print_text,             \
      const char*: tessera_print_text,       \
      void*: tessera_print_text,             \
      const void*: tessera_print_text,       \
      default: tessera_print_u32)(at_, value);
#define TESSERA_PRINT_SIZE(value) +(sizeof(value) == 8 ? 2u : 1u)

/* Applies a macro to each of up to 12 arguments. */
#define TESSERA_EACH_0(m)
#define TESSERA_EACH_1(m, a) m(a)
#define TESSERA_EACH_2(m, a, ...) m(a) TESSERA_EACH_1(m, __VA_ARGS__)
#define TESSERA_EACH_3(m, a, ...) m(a) TESSERA_EACH_2(m, __VA_ARGS__)
#define TESSERA_EACH_4(m, a, ...) m(a) TESSERA_EACH_3(m, __VA_ARGS__)
#define TESSERA_EACH_5(m, a, ...) m(a) TESSERA_EACH_4(m, __VA_ARGS__)
#define TESSERA_EACH_6(m, a, ...) m(a) TESSERA_EACH_5(m, __VA_ARGS__)
#define TESSERA_EACH_7(m, a, ...) m(a) TESSERA_EACH_6(m, __VA_ARGS__)
#define TESSERA_EACH_8(m, a, ...) m(a) TESSERA_EACH_7(m, __VA_ARGS__)
#define TESSERA_EACH_9(m, a, ...) m(a) TESSERA_EACH_8(m, __VA_ARGS__)
#define TESSERA_EACH_10(m, a, ...) m(a) TESSERA_EACH_9(m, __VA_ARGS__)
#define TESSERA_EACH_11(m, a, ...) m(a) TESSERA_EACH_10(m, __VA_ARGS__)
#define TESSERA_EACH_12(m, a, ...) m(a) TESSERA_EACH_11(m, __VA_ARGS__)
#define TESSERA_COUNT_(_0, _1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, n, ...) n
#define TESSERA_COUNT(...) TESSERA_COUNT_(0, ##__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define TESSERA_JOIN_(a, b) a##b
#define TESSERA_JOIN(a, b) TESSERA_JOIN_(a, b)
#define TESSERA_EACH(m, ...) TESSERA_JOIN(TESSERA_EACH_, TESSERA_COUNT(__VA_ARGS__))(m, ##__VA_ARGS__)

#define printf(format, ...)                                                                    \
  do {                                                                                         \
    static const char tessera_format_[] __attribute__((section(".tessera.formats"))) = format; \
    if (0) (void)__builtin_printf(format, ##__VA_ARGS__);                                      \
    enum { words_ = 0 TESSERA_EACH(TESSERA_PRINT_SIZE, ##__VA_ARGS__) };                       \
    uint32_t* at_ = tessera_print_begin(tessera_format_, words_);                              \
    if (at_ != 0) {                                                                            \
      TESSERA_EACH(TESSERA_PRINT_WORD, ##__VA_ARGS__)                                          \
      tessera_print_end(words_);                                                               \
    }                                                                                          \
  } while (0)

#endif
