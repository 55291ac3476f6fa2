/* SPDX-License-Identifier: BSD-3-Clause */
/* A quiet completes what its thread has begun, also while another thread's quiet is under way. */
#include "check.h"

#include <pthread.h>
#include <sched.h>

enum { ROUNDS = 2000, AT_ONCE = 4 };
static long counter;
static _Atomic int done;

static void *quiets(void *arg)
{
    while (!done) {
        sched_yield();
        shmem_quiet();
    }
    return arg;
}

int main(void)
{
    int provided;
    pthread_t other;

    CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0 && provided == SHMEM_THREAD_MULTIPLE);
    int to = (shmem_my_pe() + shmem_n_pes() / 2) % shmem_n_pes();
    CHECK(pthread_create(&other, NULL, quiets, NULL) == 0);
    for (int i = 0; i < ROUNDS; i++) {
        long got[AT_ONCE] = {-1, -1, -1, -1};
        for (int k = 0; k < AT_ONCE; k++)
            shmem_long_atomic_fetch_add_nbi(&got[k], &counter, 1, to);
        for (int k = 0; k < i % 4; k++)
            sched_yield();
        shmem_quiet();
        for (int k = 0; k < AT_ONCE; k++)
            CHECK_AT(got[k] == (long)i * AT_ONCE + k, i);
    }
    done = 1;
    CHECK(pthread_join(other, NULL) == 0);
    return check_end();
}
