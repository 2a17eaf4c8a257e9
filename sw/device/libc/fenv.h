// Floating-point exceptions and rounding, as the fcsr of a context has them.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

#define FE_INEXACT 1
#define FE_UNDERFLOW 2
#define FE_OVERFLOW 4
#define FE_DIVBYZERO 8
#define FE_INVALID 16
#define FE_ALL_EXCEPT 31
#define FE_TONEAREST 0
#define FE_TOWARDZERO 1
#define FE_DOWNWARD 2
#define FE_UPWARD 3

typedef unsigned fenv_t;
typedef unsigned fexcept_t;
#define FE_DFL_ENV ((const fenv_t*)-1)

int feclearexcept(int exceptions);
int fegetexceptflag(fexcept_t* to, int exceptions);
int feraiseexcept(int exceptions);
int fesetexceptflag(const fexcept_t* from, int exceptions);
int fetestexcept(int exceptions);
int fegetround(void);
int fesetround(int rounding);
int fegetenv(fenv_t* to);
int feholdexcept(fenv_t* to);
int fesetenv(const fenv_t* from);
int feupdateenv(const fenv_t* from);

#ifdef __cplusplus
}
#endif
