// Memory and string functions of the runtime library.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void* memcpy(void* __restrict to, const void* __restrict from, size_t bytes);
void* memmove(void* to, const void* from, size_t bytes);
void* memset(void* to, int value, size_t bytes);
int memcmp(const void* a, const void* b, size_t bytes);
size_t strlen(const char* text);
int strcmp(const char* a, const char* b);
int strncmp(const char* a, const char* b, size_t limit);
char* strcpy(char* __restrict to, const char* __restrict from);
char* strncpy(char* __restrict to, const char* __restrict from, size_t limit);
char* strcat(char* __restrict to, const char* __restrict from);
char* strncat(char* __restrict to, const char* __restrict from, size_t limit);
int strcoll(const char* a, const char* b);
size_t strxfrm(char* __restrict to, const char* __restrict from, size_t limit);
size_t strspn(const char* text, const char* accept);
size_t strcspn(const char* text, const char* reject);
char* strtok(char* __restrict text, const char* __restrict separators);
char* strerror(int number);

#ifdef __cplusplus
}
// C++ wants these to return what they were given: constant text in, constant text out.
extern "C++" {
inline const void* memchr(const void* memory, int value, size_t bytes) {
  return __builtin_memchr(memory, value, bytes);
}
inline const char* strchr(const char* text, int value) { return __builtin_strchr(text, value); }
inline const char* strrchr(const char* text, int value) { return __builtin_strrchr(text, value); }
inline const char* strstr(const char* text, const char* part) { return __builtin_strstr(text, part); }
inline const char* strpbrk(const char* text, const char* accept) { return __builtin_strpbrk(text, accept); }
}
#else
void* memchr(const void* memory, int value, size_t bytes);
char* strchr(const char* text, int value);
char* strrchr(const char* text, int value);
char* strstr(const char* text, const char* part);
char* strpbrk(const char* text, const char* accept);
#endif
