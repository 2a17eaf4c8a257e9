// Threads of libstdc++ on a tile: none. A lock is nothing, and "once" is left to the flag of whoever asks.
#pragma once

typedef int __gthread_key_t;
typedef int __gthread_once_t;
typedef int __gthread_mutex_t;
typedef int __gthread_recursive_mutex_t;
#define __GTHREAD_ONCE_INIT 0
#define __GTHREAD_MUTEX_INIT 0
#define __GTHREAD_RECURSIVE_MUTEX_INIT 0

static inline int __gthread_active_p(void) { return 0; }
static inline int __gthread_once(__gthread_once_t*, void (*)(void)) { return 0; }
static inline int __gthread_mutex_lock(__gthread_mutex_t*) { return 0; }
static inline int __gthread_mutex_trylock(__gthread_mutex_t*) { return 0; }
static inline int __gthread_mutex_unlock(__gthread_mutex_t*) { return 0; }
