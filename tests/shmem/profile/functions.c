/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions whose names are those of generic ones, too, by their addresses and in parentheses; and those that do nothing here. */
#include "check.h"

static long word, swapped;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n, left = (me + n - 1) % n;
    void (*const wait_until)(volatile long *ivar, int cmp, long value) = shmem_wait_until;
    shmem_barrier_all();
    shmem_p(&word, 100L + me, right);
    (shmem_wait)(&word, 0);
    CHECK(word == 100 + left);
    shmem_barrier_all();
    shmem_p(&word, 200L + me, right);
    wait_until(&word, SHMEM_CMP_GE, 200);
    (shmem_wait_until)(&word, SHMEM_CMP_NE, 100 + left);
    CHECK(word == 200 + left);

    CHECK((shmem_swap)(&swapped, 10 + me, right) == 0);
    shmem_barrier_all();
    CHECK(swapped == 10 + left);

    long *there = shmem_team_ptr(SHMEM_TEAM_WORLD, &swapped, right);
    CHECK(there == shmem_ptr(&swapped, right) && (!there || *there == 10 + me));

    shmem_pcontrol(0);
    shmem_pcontrol(2, "more");
    shmem_clear_cache_inv();
    shmem_set_cache_inv();
    shmem_clear_cache_line_inv(&word);
    shmem_set_cache_line_inv(&word);
    shmem_udcflush();
    shmem_udcflush_line(&word);
    CHECK(word == 200 + left);

    int major = 0, minor = 0;
    char name[SHMEM_MAX_NAME_LEN] = "";
    shmem_info_get_version(&major, &minor);
    shmem_info_get_name(name);
    CHECK(major == SHMEM_MAJOR_VERSION && minor == SHMEM_MINOR_VERSION && strcmp(name, SHMEM_VENDOR_STRING) == 0);
    return check_end();
}
