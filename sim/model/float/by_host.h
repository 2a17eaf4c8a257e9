// Loops that are compiled for several generations of vector instructions; the host's is taken at run time.
//
// The results are the same: every operation is rounded by itself (no contraction, see CMakeLists.txt). Not with
// sanitizers, which are not there yet when the choice is made.
#pragma once

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define TESSERA_BY_HOST __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define TESSERA_BY_HOST
#endif
// What they call.
#define TESSERA_INLINE [[gnu::always_inline]] inline
