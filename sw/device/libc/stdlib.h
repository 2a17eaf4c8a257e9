// What C++ headers and codelets use of the C standard library. There is no heap: malloc and friends are declared
// because C++ headers name them, and a use of one fails to link.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define MB_CUR_MAX 1

typedef struct {
  int quot, rem;
} div_t;
typedef struct {
  long quot, rem;
} ldiv_t;
typedef struct {
  long long quot, rem;
} lldiv_t;

int abs(int value);
long labs(long value);
long long llabs(long long value);
div_t div(int dividend, int divisor);
ldiv_t ldiv(long dividend, long divisor);
lldiv_t lldiv(long long dividend, long long divisor);

void* malloc(size_t bytes);
void* calloc(size_t count, size_t bytes);
void* realloc(void* memory, size_t bytes);
void* aligned_alloc(size_t alignment, size_t bytes);
void free(void* memory);

void abort(void) __attribute__((noreturn));
void exit(int status) __attribute__((noreturn));
void quick_exit(int status) __attribute__((noreturn));
void _Exit(int status) __attribute__((noreturn));
int atexit(void (*function)(void));
int at_quick_exit(void (*function)(void));
char* getenv(const char* name);
int system(const char* command);
int rand(void);
void srand(unsigned seed);

double atof(const char* text);
int atoi(const char* text);
long atol(const char* text);
long long atoll(const char* text);
double strtod(const char* __restrict text, char** __restrict end);
float strtof(const char* __restrict text, char** __restrict end);
long double strtold(const char* __restrict text, char** __restrict end);
long strtol(const char* __restrict text, char** __restrict end, int base);
long long strtoll(const char* __restrict text, char** __restrict end, int base);
unsigned long strtoul(const char* __restrict text, char** __restrict end, int base);
unsigned long long strtoull(const char* __restrict text, char** __restrict end, int base);

void* bsearch(const void* key, const void* base, size_t count, size_t bytes, int (*compare)(const void*, const void*));
void qsort(void* base, size_t count, size_t bytes, int (*compare)(const void*, const void*));
int mblen(const char* text, size_t limit);
int mbtowc(wchar_t* __restrict to, const char* __restrict text, size_t limit);
int wctomb(char* text, wchar_t character);
size_t mbstowcs(wchar_t* __restrict to, const char* __restrict from, size_t limit);
size_t wcstombs(char* __restrict to, const wchar_t* __restrict from, size_t limit);

#ifdef __cplusplus
}
#endif
