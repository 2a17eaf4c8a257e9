// Declarations of the wide-character functions that <string_view> and <iterator> pull in by name. The runtime
// library defines none of them: a use fails to link.
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef __WINT_TYPE__ wint_t;
typedef struct {
  unsigned state;
} mbstate_t;
typedef struct tessera_file FILE;
struct tm;
#define WEOF ((wint_t) - 1)

wint_t btowc(int c);
int wctob(wint_t c);
int mbsinit(const mbstate_t* state);
size_t mbrlen(const char* text, size_t limit, mbstate_t* state);
size_t mbrtowc(wchar_t* to, const char* text, size_t limit, mbstate_t* state);
size_t wcrtomb(char* to, wchar_t c, mbstate_t* state);
size_t mbsrtowcs(wchar_t* to, const char** from, size_t limit, mbstate_t* state);
size_t wcsrtombs(char* to, const wchar_t** from, size_t limit, mbstate_t* state);

wint_t fgetwc(FILE* file);
wchar_t* fgetws(wchar_t* to, int limit, FILE* file);
wint_t fputwc(wchar_t c, FILE* file);
int fputws(const wchar_t* text, FILE* file);
int fwide(FILE* file, int mode);
wint_t getwc(FILE* file);
wint_t getwchar(void);
wint_t putwc(wchar_t c, FILE* file);
wint_t putwchar(wchar_t c);
wint_t ungetwc(wint_t c, FILE* file);
int fwprintf(FILE* file, const wchar_t* format, ...);
int fwscanf(FILE* file, const wchar_t* format, ...);
int swprintf(wchar_t* to, size_t limit, const wchar_t* format, ...);
int swscanf(const wchar_t* text, const wchar_t* format, ...);
int wprintf(const wchar_t* format, ...);
int wscanf(const wchar_t* format, ...);
int vfwprintf(FILE* file, const wchar_t* format, va_list arguments);
int vfwscanf(FILE* file, const wchar_t* format, va_list arguments);
int vswprintf(wchar_t* to, size_t limit, const wchar_t* format, va_list arguments);
int vswscanf(const wchar_t* text, const wchar_t* format, va_list arguments);
int vwprintf(const wchar_t* format, va_list arguments);
int vwscanf(const wchar_t* format, va_list arguments);

wchar_t* wcschr(const wchar_t* text, wchar_t c);
wchar_t* wcspbrk(const wchar_t* text, const wchar_t* accept);
wchar_t* wcsrchr(const wchar_t* text, wchar_t c);
wchar_t* wcsstr(const wchar_t* text, const wchar_t* part);
wchar_t* wmemchr(const wchar_t* memory, wchar_t c, size_t count);
wchar_t* wcscat(wchar_t* to, const wchar_t* from);
int wcscmp(const wchar_t* a, const wchar_t* b);
int wcscoll(const wchar_t* a, const wchar_t* b);
wchar_t* wcscpy(wchar_t* to, const wchar_t* from);
size_t wcscspn(const wchar_t* text, const wchar_t* reject);
size_t wcsftime(wchar_t* to, size_t limit, const wchar_t* format, const struct tm* time);
size_t wcslen(const wchar_t* text);
wchar_t* wcsncat(wchar_t* to, const wchar_t* from, size_t limit);
int wcsncmp(const wchar_t* a, const wchar_t* b, size_t limit);
wchar_t* wcsncpy(wchar_t* to, const wchar_t* from, size_t limit);
size_t wcsspn(const wchar_t* text, const wchar_t* accept);
wchar_t* wcstok(wchar_t* text, const wchar_t* separators, wchar_t** state);
size_t wcsxfrm(wchar_t* to, const wchar_t* from, size_t limit);
float wcstof(const wchar_t* text, wchar_t** end);
double wcstod(const wchar_t* text, wchar_t** end);
long double wcstold(const wchar_t* text, wchar_t** end);
long wcstol(const wchar_t* text, wchar_t** end, int base);
unsigned long wcstoul(const wchar_t* text, wchar_t** end, int base);
long long wcstoll(const wchar_t* text, wchar_t** end, int base);
unsigned long long wcstoull(const wchar_t* text, wchar_t** end, int base);
int wmemcmp(const wchar_t* a, const wchar_t* b, size_t count);
wchar_t* wmemcpy(wchar_t* to, const wchar_t* from, size_t count);
wchar_t* wmemmove(wchar_t* to, const wchar_t* from, size_t count);
wchar_t* wmemset(wchar_t* to, wchar_t value, size_t count);

#ifdef __cplusplus
}
#endif
