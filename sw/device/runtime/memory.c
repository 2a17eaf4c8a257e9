// Memory functions. Word-wise where both ends are aligned alike: a worker issues one instruction every six cycles, so
// instructions count and branches cost no more than any other.
#include <stdint.h>
#include <string.h>

#define WORD sizeof(uint32_t)

typedef uint32_t __attribute__((may_alias)) word;

void* memcpy(void* restrict to, const void* restrict from, size_t bytes) {
  unsigned char* t = to;
  const unsigned char* f = from;
  if ((((uintptr_t)t ^ (uintptr_t)f) & (WORD - 1)) == 0) {
    for (; bytes != 0 && ((uintptr_t)t & (WORD - 1)) != 0; --bytes) *t++ = *f++;
    for (; bytes >= 4 * WORD; bytes -= 4 * WORD, t += 4 * WORD, f += 4 * WORD) {
      const word a = ((const word*)f)[0], b = ((const word*)f)[1], c = ((const word*)f)[2], d = ((const word*)f)[3];
      ((word*)t)[0] = a, ((word*)t)[1] = b, ((word*)t)[2] = c, ((word*)t)[3] = d;
    }
    for (; bytes >= WORD; bytes -= WORD, t += WORD, f += WORD) *(word*)t = *(const word*)f;
  }
  for (; bytes != 0; --bytes) *t++ = *f++;
  return to;
}

void* memmove(void* to, const void* from, size_t bytes) {
  unsigned char* t = to;
  const unsigned char* f = from;
  if ((uintptr_t)t - (uintptr_t)f >= bytes) return memcpy(to, from, bytes);
  // The target starts inside the source: from the end backwards.
  t += bytes, f += bytes;
  if ((((uintptr_t)t ^ (uintptr_t)f) & (WORD - 1)) == 0) {
    for (; bytes != 0 && ((uintptr_t)t & (WORD - 1)) != 0; --bytes) *--t = *--f;
    for (; bytes >= WORD; bytes -= WORD) t -= WORD, f -= WORD, *(word*)t = *(const word*)f;
  }
  for (; bytes != 0; --bytes) *--t = *--f;
  return to;
}

void* memset(void* to, int value, size_t bytes) {
  unsigned char* t = to;
  const word pattern = (unsigned char)value * 0x01010101u;
  for (; bytes != 0 && ((uintptr_t)t & (WORD - 1)) != 0; --bytes) *t++ = (unsigned char)value;
  for (; bytes >= 4 * WORD; bytes -= 4 * WORD, t += 4 * WORD) {
    ((word*)t)[0] = pattern, ((word*)t)[1] = pattern, ((word*)t)[2] = pattern, ((word*)t)[3] = pattern;
  }
  for (; bytes >= WORD; bytes -= WORD, t += WORD) *(word*)t = pattern;
  for (; bytes != 0; --bytes) *t++ = (unsigned char)value;
  return to;
}

int memcmp(const void* a, const void* b, size_t bytes) {
  const unsigned char *p = a, *q = b;
  for (; bytes != 0; --bytes, ++p, ++q) {
    if (*p != *q) return *p - *q;
  }
  return 0;
}

void* memchr(const void* memory, int value, size_t bytes) {
  const unsigned char* p = memory;
  for (; bytes != 0; --bytes, ++p) {
    if (*p == (unsigned char)value) return (void*)p;
  }
  return NULL;
}

size_t strlen(const char* text) {
  size_t length = 0;
  while (text[length] != 0) ++length;
  return length;
}

int strcmp(const char* a, const char* b) {
  while (*a != 0 && *a == *b) ++a, ++b;
  return (unsigned char)*a - (unsigned char)*b;
}
