/* Work for the six workers of a tile. The supervisor hands out tasks and waits; a worker calls the task's function on a
   stack of its own (size: WORKER_STACK of tessera_firmware) and ends with its result. */
#pragma once

#include <stdbool.h>
#include <tessera/machine.h>
#include <tessera/words.h>
#include <tessera/xipu.h>

struct tessera_task {
  bool (*function)(void* argument, unsigned worker); /* worker: 0..5 */
  void* argument;
};

#ifdef __cplusplus
extern "C"
#endif
    void
    __tessera_worker_start(void);

/* Starts all six on the same task. None may be active. The task is read when they start: it must stay until the wait.
 */
static inline void tessera_run_all(const struct tessera_task* task) { xipu_runall(__tessera_worker_start, task, 0); }
/* Starts worker n on tasks[n]. */
static inline void tessera_run_each(const struct tessera_task tasks[TESSERA_WORKERS]) {
  xipu_runall(__tessera_worker_start, tasks, 8);
}
/* Starts the lowest worker that is free, and waits for one if all are active. */
static inline void tessera_run(const struct tessera_task* task) { xipu_run(__tessera_worker_start, task); }

/* Waits for the end of all; whether every task since the last wait returned true. */
static inline bool tessera_wait_workers(void) {
  uint32_t all;
  xipu_sync(0, TESSERA_SYNC_LOCAL);
  __asm__ volatile("csrrw %0, %1, %2" : "=r"(all) : "i"(TESSERA_CSR_XLC), "r"(1) : "memory");
  return all != 0;
}
