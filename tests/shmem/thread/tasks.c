/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem: flags -fopenmp */
/* shmem: env OMP_EXTERNAL=task */
/* A wait suspends the calling task alone: more tasks than threads wait for each other, for other PEs, and in collectives' way. */
#include "check.h"

enum { TASKS = 40, ROUNDS = 5 };
static long word[TASKS], come[TASKS];
static uint64_t sig[TASKS];

/* Task k waits for task k + 1 of the PE on the left; the last one waits for nobody, so it must run though the others came first. */
static void chain(int k, int round)
{
    if (k < TASKS - 1) {
        shmem_long_wait_until(&word[k], SHMEM_CMP_GE, round);
        CHECK_AT(word[k] == round, k);
    }
    if (k > 0)
        shmem_long_p(&word[k - 1], round, right_of(1));
}

/* The same with signals, one way around. */
static void answer(int k, int round)
{
    long value = 100 * round + k;
    if (k > 0)
        shmem_signal_wait_until(&sig[k], SHMEM_CMP_GE, (uint64_t)round);
    CHECK_AT(k == 0 || come[k] == value, k);
    if (k < TASKS - 1) {
        value++;
        shmem_long_put_signal(&come[k + 1], &value, 1, &sig[k + 1], (uint64_t)round, SHMEM_SIGNAL_SET, right_of(1));
    }
}

int main(void)
{
    int provided;

    CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0 && provided == SHMEM_THREAD_MULTIPLE);
    for (int round = 1; round <= ROUNDS; round++) {
#pragma omp parallel num_threads(2)
#pragma omp single
        {
            for (int k = 0; k < TASKS; k++) {
#pragma omp task firstprivate(k)
                chain(k, round);
            }
            for (int k = TASKS; k-- > 0;) {
#pragma omp task firstprivate(k)
                answer(k, round);
            }
        }
        shmem_barrier_all();
    }
    return check_end();
}
