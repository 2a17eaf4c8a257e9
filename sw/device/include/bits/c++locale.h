// libstdc++'s model of locales: the "C" locale alone, without the host's <libintl.h>.
#pragma once

#include <clocale>

#define _GLIBCXX_NUM_CATEGORIES 0

namespace std {
typedef int* __c_locale;
int __convert_from_v(const __c_locale&, char* to, const int limit, const char* format, ...);
}  // namespace std
