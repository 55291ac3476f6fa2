/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem: flags -fopenmp */
/* OpenMP threads of a PE call SHMEM: a histogram that all threads of all PEs count in, and each its part of a put. */
#include "check.h"

enum { BINS = 16, EACH = 400, N = 1 << 12 };
static long bins[BINS];
static uint32_t to[N], from[N];

int main(void)
{
    int provided;

    CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0 && provided == SHMEM_THREAD_MULTIPLE);
    int n = shmem_n_pes(), me = shmem_my_pe();
#pragma omp parallel for num_threads(3)
    for (int i = 0; i < EACH; i++) {
        int bin = (int)(pattern(me, (size_t)i, 1) % BINS);
        shmem_long_atomic_inc(&bins[bin], bin % n);
        CHECK_AT(shmem_my_pe() == me, i);
    }
    for (size_t i = 0; i < N; i++)
        from[i] = (uint32_t)pattern(me, i, 2);
    shmem_barrier_all();
#pragma omp parallel for num_threads(2)
    for (int k = 0; k < 16; k++)
        shmem_uint32_put_nbi(to + k * (N / 16), from + k * (N / 16), N / 16, right_of(1));
    shmem_barrier_all();
    for (size_t i = 0; i < N; i++)
        CHECK_AT(to[i] == (uint32_t)pattern(left_of(1), i, 2), i);
    long want[BINS] = {0};
    for (int pe = 0; pe < n; pe++)
        for (int i = 0; i < EACH; i++)
            want[pattern(pe, (size_t)i, 1) % BINS]++;
    for (int bin = 0; bin < BINS; bin++)
        CHECK_AT(bin % n != me || bins[bin] == want[bin], bin);
    return check_end();
}
