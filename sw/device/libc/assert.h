// assert() stops the tile with an illegal-instruction exception, whose report names vertex and tile; in a checked build
// (tessera/check.h) also the condition.
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#elif defined(__TESSERA_CHECK__)
#ifdef __cplusplus
extern "C" [[noreturn]] void __assert_fail(const char* condition, const char* file, unsigned line);
#else
_Noreturn void __assert_fail(const char* condition, const char* file, unsigned line);
#endif
#define assert(condition) ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__))
#else
#define assert(condition) ((condition) ? (void)0 : __builtin_trap())
#endif
#ifndef __cplusplus
#undef static_assert
#define static_assert _Static_assert
#endif
