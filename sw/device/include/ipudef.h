// The types of the tile under the names that codelets know.
#pragma once

#include <tessera/vector_convert.h>
#include <tessera/vector_language.h>
#include <tessera/vector_types.h>

typedef unsigned rptsize_t;  // of a loop count: any count of a `for` does on this machine

constexpr half operator""_h(long double value) { return static_cast<half>(value); }
