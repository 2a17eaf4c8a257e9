// Declarations of <time.h>. A tile has no calendar and no clock of the host: a use fails to link. Cycles are
// __builtin_ipu_get_scount_l() and tessera/xipu.h's.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CLOCKS_PER_SEC 1000000
#define TIME_UTC 1

typedef long clock_t;
typedef long long time_t;
struct tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
};
struct timespec {
  time_t tv_sec;
  long tv_nsec;
};

clock_t clock(void);
double difftime(time_t end, time_t begin);
time_t mktime(struct tm* time);
time_t time(time_t* to);
char* asctime(const struct tm* time);
char* ctime(const time_t* time);
struct tm* gmtime(const time_t* time);
struct tm* localtime(const time_t* time);
size_t strftime(char* __restrict to, size_t limit, const char* __restrict format, const struct tm* __restrict time);
int timespec_get(struct timespec* to, int base);

#ifdef __cplusplus
}
#endif
