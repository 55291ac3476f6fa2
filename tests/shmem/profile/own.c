/* SPDX-License-Identifier: BSD-3-Clause */
/* A program's own shmem_ functions are called in place of the library's, which are called by their pshmem_ names. */
#include "check.h"

#include <pshmem.h>

static int puts_seen, barriers_seen, level_seen = -1;
static long word;

void shmem_long_p(long *dest, long value, int pe)
{
    puts_seen++;
    pshmem_long_p(dest, value + 1, pe);
}

void shmem_barrier_all(void)
{
    barriers_seen++;
    pshmem_barrier_all();
}

/* Tools have this one. */
void shmem_pcontrol(int level, ...)
{
    level_seen = level;
    pshmem_pcontrol(level);
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_p(&word, 10L * me, (me + 1) % n); /* the generic function is the program's own, too */
    shmem_barrier_all();
    CHECK(puts_seen == 1 && barriers_seen == 1);
    CHECK(word == 10L * ((me + n - 1) % n) + 1);
    pshmem_barrier_all();
    pshmem_p(&word, 10L * me, (me + 1) % n);
    pshmem_barrier_all();
    CHECK(puts_seen == 1 && barriers_seen == 1);
    CHECK(word == 10L * ((me + n - 1) % n));
    shmem_pcontrol(2);
    CHECK(level_seen == 2);
    return check_end();
}
