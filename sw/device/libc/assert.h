// assert() stops the tile with an illegal-instruction exception, whose report names vertex and tile.
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : __builtin_trap())
#endif
#ifndef __cplusplus
#undef static_assert
#define static_assert _Static_assert
#endif
