// libstdc++'s configuration as that of a tile: the host's, without threads. std::mutex, std::thread and what else needs
// them are not declared then, and <pthread.h> is not asked for.
#pragma once

#include_next <bits/c++config.h>

#undef _GLIBCXX_HAS_GTHREADS
#undef _GLIBCXX_HAVE_LINUX_FUTEX
#undef _GLIBCXX_HAVE_POSIX_SEMAPHORE
#undef _GLIBCXX_USE_NANOSLEEP
#undef _GLIBCXX_USE_PTHREAD_RWLOCK_T
#undef _GTHREAD_USE_MUTEX_TIMEDLOCK
