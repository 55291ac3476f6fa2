/* SPDX-License-Identifier: BSD-3-Clause */
/* Several threads of each PE at once: puts, atomics and waits, each thread by a context of its own or by the default one. */
#include "check.h"

#include <pthread.h>

enum { THREADS = 3, ROUNDS = 200 };
static long slots[THREADS], sum, acks[THREADS], got[THREADS];
static int private_contexts;

struct thread {
    pthread_t id;
    int number;
};

/* Each thread passes numbers around a ring of its own. */
static void *work(void *arg)
{
    int k = ((struct thread *)arg)->number, right = right_of(1), left = left_of(1);
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;

    if (private_contexts)
        CHECK_AT(shmem_ctx_create(k % 2 ? SHMEM_CTX_PRIVATE : 0, &ctx) == 0, k);
    for (long i = 1; i <= ROUNDS; i++) {
        shmem_ctx_long_p(ctx, &got[k], i * 1000 + shmem_my_pe(), right);
        shmem_ctx_fence(ctx);
        shmem_ctx_long_p(ctx, &slots[k], i, right);
        shmem_ctx_long_atomic_add(ctx, &sum, k + 1, i % 2 ? right : left);
        shmem_long_wait_until(&slots[k], SHMEM_CMP_EQ, i);
        CHECK_AT(got[k] == i * 1000 + left, i);
        shmem_ctx_long_p(ctx, &acks[k], i, left);
        while (!shmem_long_test(&acks[k], SHMEM_CMP_EQ, i))
            rest();
    }
    shmem_ctx_quiet(ctx);
    if (private_contexts)
        shmem_ctx_destroy(ctx);
    return NULL;
}

int main(void)
{
    struct thread threads[THREADS];
    int provided;

    CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0 && provided == SHMEM_THREAD_MULTIPLE);
    for (private_contexts = 0; private_contexts < 2; private_contexts++) {
        memset(slots, 0, sizeof slots), memset(acks, 0, sizeof acks);
        sum = 0;
        shmem_barrier_all();
        for (int k = 0; k < THREADS; k++) {
            threads[k].number = k;
            CHECK(pthread_create(&threads[k].id, NULL, work, &threads[k]) == 0);
        }
        for (int k = 0; k < THREADS; k++)
            pthread_join(threads[k].id, NULL);
        shmem_barrier_all();
        CHECK(sum == ROUNDS * (1L + 2 + 3));
    }
    return check_end();
}
