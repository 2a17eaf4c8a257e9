// printf in C++, as a macro. Without #pragma once: <cstdio> takes the macro away and includes this to have it back.
#undef printf
#define printf(format, ...)                                                                    \
  do {                                                                                         \
    static const char tessera_format_[] __attribute__((section(".tessera.formats"))) = format; \
    if (0) (void)__builtin_printf(format, ##__VA_ARGS__);                                      \
    ::tessera::print(tessera_format_, ##__VA_ARGS__);                                          \
  } while (0)
