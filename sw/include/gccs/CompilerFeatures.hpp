// Marks on what programs should no longer use: the compiler warns where they do.
#pragma once

#define GC_DEPRECATED __attribute__((deprecated))
#define GC_DEPRECATED_MSG(message) __attribute__((deprecated(message)))
