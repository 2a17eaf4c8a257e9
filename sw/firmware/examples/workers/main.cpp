// Work for the six workers, in C++: the same task on all of them, a task for each, and more tasks than workers.
#include <math.h>
#include <tessera/firmware.h>

namespace {

constexpr unsigned kElements = 96, kJobs = 10;
float x[kElements], partial[TESSERA_WORKERS];
struct Job {
  float from;
  float root;
} jobs[kJobs];

// Supervisors have no float registers: values are made by workers.
bool fill(void*, unsigned worker) {
  for (unsigned i = worker; i < kElements; i += TESSERA_WORKERS) x[i] = 0.25f * static_cast<float>(i);
  return true;
}

bool sum_of_squares(void* result, unsigned worker) {
  float sum = 0;
  for (unsigned i = worker; i < kElements; i += TESSERA_WORKERS) sum += x[i] * x[i];
  *static_cast<float*>(result) = sum;
  printf("worker %u: %.4f\n", worker, sum);
  return true;
}

bool root(void* argument, unsigned) {
  auto* job = static_cast<Job*>(argument);
  job->root = sqrtf(job->from);
  return job->root * job->root == job->from;
}

bool prepare_jobs(void*, unsigned worker) {
  for (unsigned i = worker; i < kJobs; i += TESSERA_WORKERS) jobs[i].from = static_cast<float>((i + 1) * (i + 1));
  return true;
}

bool tell(void*, unsigned) {
  float sum = 0;
  for (float part : partial) sum += part;
  printf("sum of squares %g, roots", sum);
  for (const Job& job : jobs) printf(" %g", job.root);
  printf("\n");
  return sum == 18145.0f;
}

}  // namespace

int main() {
  if (tessera_tile_id() != 0) return 0;
  const tessera_task filling = {fill, nullptr}, preparing = {prepare_jobs, nullptr}, telling = {tell, nullptr};
  tessera_run_all(&filling);
  if (!tessera_wait_workers()) return 1;

  tessera_task sums[TESSERA_WORKERS];
  for (unsigned n = 0; n < TESSERA_WORKERS; ++n) sums[n] = {sum_of_squares, &partial[n]};
  tessera_run_each(sums);
  if (!tessera_wait_workers()) return 2;

  tessera_run_all(&preparing);
  if (!tessera_wait_workers()) return 3;
  tessera_task roots[kJobs];
  for (unsigned i = 0; i < kJobs; ++i) {
    roots[i] = {root, &jobs[i]};
    tessera_run(&roots[i]);  // waits when all workers are busy
  }
  if (!tessera_wait_workers()) return 4;

  tessera_run(&telling);
  return tessera_wait_workers() ? 0 : 5;
}
