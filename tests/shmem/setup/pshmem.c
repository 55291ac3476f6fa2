/* SPDX-License-Identifier: BSD-3-Clause */
/* The profiling interface: functions of the program's own come before the library's, which are called by their other names. */
#include "check.h"

#include <pshmem.h>

static int puts_seen, barriers_seen, adds_seen, inits_seen, reductions_seen;

void shmem_init(void)
{
    inits_seen++;
    pshmem_init();
}

void shmem_putmem(void *dest, const void *source, size_t nelems, int pe)
{
    puts_seen++;
    pshmem_putmem(dest, source, nelems, pe);
}

void shmem_barrier_all(void)
{
    barriers_seen++;
    pshmem_barrier_all();
}

long shmem_long_atomic_fetch_add(long *dest, long value, int pe)
{
    adds_seen++;
    return pshmem_long_atomic_fetch_add(dest, value, pe);
}

int shmem_int_sum_reduce(shmem_team_t team, int *dest, const int *source, size_t nreduce)
{
    reductions_seen++;
    return pshmem_int_sum_reduce(team, dest, source, nreduce);
}

static long word, to, from;
static int sum, one = 1;

int main(void)
{
    shmem_init();
    from = shmem_my_pe() + 50L;
    shmem_barrier_all();
    shmem_putmem(&to, &from, sizeof to, right_of(1));
    shmem_long_atomic_fetch_add(&word, 2, right_of(1));
    pshmem_long_atomic_fetch_add(&word, 3, right_of(1)); /* not counted */
    CHECK(shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &sum, &one, 1) == 0 && sum == shmem_n_pes());
    shmem_barrier_all();
    CHECK(to == left_of(1) + 50 && word == 5);
    CHECK(pshmem_my_pe() == shmem_my_pe() && pshmem_n_pes() == shmem_n_pes());
    CHECK(inits_seen == 1 && puts_seen == 1 && barriers_seen == 2 && adds_seen == 1 && reductions_seen == 1);
    long *at = pshmem_malloc(sizeof *at);
    CHECK(at && pshmem_ptr(at, shmem_my_pe()) == at);
    pshmem_free(at);
    return check_end();
}
