/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem: flags -Wno-deprecated-declarations */
/* What a program may ask, the constants, and calls that do nothing. */
#include "check.h"

static long word = 3;

static void constants(void)
{
    int major = 0, minor = 0;
    char name[SHMEM_MAX_NAME_LEN];

    shmem_info_get_version(&major, &minor);
    CHECK(major == SHMEM_MAJOR_VERSION && minor == SHMEM_MINOR_VERSION && major == 1 && minor == 5);
    memset(name, 1, sizeof name);
    shmem_info_get_name(name);
    CHECK(memchr(name, 0, sizeof name) && strcmp(name, SHMEM_VENDOR_STRING) == 0 && name[0]);
#if SHMEM_MAJOR_VERSION != 1 || SHMEM_MINOR_VERSION < 5
#error not this version
#endif
    CHECK(_SHMEM_MAJOR_VERSION == SHMEM_MAJOR_VERSION && _SHMEM_MINOR_VERSION == SHMEM_MINOR_VERSION);
    CHECK(_SHMEM_MAX_NAME_LEN == SHMEM_MAX_NAME_LEN && strlen(_SHMEM_VENDOR_STRING) > 0);
    CHECK(_SHMEM_SYNC_VALUE == SHMEM_SYNC_VALUE && _SHMEM_BARRIER_SYNC_SIZE == SHMEM_BARRIER_SYNC_SIZE);
    CHECK(_SHMEM_BCAST_SYNC_SIZE == SHMEM_BCAST_SYNC_SIZE && _SHMEM_COLLECT_SYNC_SIZE == SHMEM_COLLECT_SYNC_SIZE);
    CHECK(_SHMEM_REDUCE_SYNC_SIZE == SHMEM_REDUCE_SYNC_SIZE);
    CHECK(_SHMEM_REDUCE_MIN_WRKDATA_SIZE == SHMEM_REDUCE_MIN_WRKDATA_SIZE);
    CHECK(SHMEM_ALLTOALL_SYNC_SIZE >= 1 && SHMEM_ALLTOALLS_SYNC_SIZE >= 1 && SHMEM_SYNC_SIZE >= 1);
    CHECK(SHMEM_THREAD_SINGLE < SHMEM_THREAD_FUNNELED && SHMEM_THREAD_FUNNELED < SHMEM_THREAD_SERIALIZED);
    CHECK(SHMEM_THREAD_SERIALIZED < SHMEM_THREAD_MULTIPLE);
    CHECK(SHMEM_CTX_INVALID != SHMEM_CTX_DEFAULT && SHMEM_TEAM_WORLD != SHMEM_TEAM_INVALID);
}

/* Hints about caches: values stay. */
static void caches(void)
{
    shmem_clear_cache_inv();
    shmem_set_cache_inv();
    shmem_clear_cache_line_inv(&word);
    shmem_set_cache_line_inv(&word);
    shmem_udcflush();
    shmem_udcflush_line(&word);
    shmem_pcontrol(0);
    shmem_pcontrol(2, "anything", 3.0);
    CHECK(word == 3);
}

int main(void)
{
    static int seen[64];
    int level = -1;

    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    CHECK(me >= 0 && me < n && n <= 64);
    shmem_query_thread(&level);
    CHECK(level >= SHMEM_THREAD_SINGLE && level <= SHMEM_THREAD_MULTIPLE);
    shmem_int_atomic_inc(&seen[me], 0); /* every number once */
    shmem_barrier_all();
    for (int pe = 0; pe < n; pe++)
        CHECK_AT(shmem_int_g(&seen[pe], 0) == 1, pe);
    constants();
    caches();
    return check_end();
}
