/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem: flags -Wno-deprecated-declarations */
/* What is deprecated: shmem_wait, waits of short types, and the comparisons' older names. */
#include "check.h"

static short a_short;
static unsigned short a_ushort;
static int an_int;
static long a_long;
static long long a_longlong;

static void comparisons(void)
{
    CHECK(_SHMEM_CMP_EQ == SHMEM_CMP_EQ && _SHMEM_CMP_NE == SHMEM_CMP_NE);
    CHECK(_SHMEM_CMP_GT == SHMEM_CMP_GT && _SHMEM_CMP_GE == SHMEM_CMP_GE);
    CHECK(_SHMEM_CMP_LT == SHMEM_CMP_LT && _SHMEM_CMP_LE == SHMEM_CMP_LE);
}

/* They wait until the variable has another value. */
static void another(int round)
{
    int to = right_of(1);

    shmem_short_p(&a_short, (short)(round + 1), to);
    shmem_short_wait(&a_short, (short)round);
    CHECK_AT(a_short == round + 1, round);
    shmem_int_p(&an_int, round + 1, to);
    shmem_int_wait(&an_int, round);
    CHECK_AT(an_int == round + 1, round);
    shmem_longlong_p(&a_longlong, round + 1, to);
    shmem_longlong_wait(&a_longlong, round);
    CHECK_AT(a_longlong == round + 1, round);
    shmem_long_p(&a_long, 2 * round + 1, to);
    if (round % 2)
        shmem_long_wait(&a_long, 2 * round);
    else
        shmem_wait(&a_long, 2 * round);
    CHECK_AT(a_long == 2 * round + 1, round);
    shmem_barrier_all();
    shmem_long_p(&a_long, 2 * round + 2, to);
    shmem_long_wait_until(&a_long, _SHMEM_CMP_EQ, 2 * round + 2);
    shmem_barrier_all();
}

static void short_types(void)
{
    shmem_ushort_p(&a_ushort, 0xfff0, right_of(1));
    shmem_short_p(&a_short, -7, right_of(1));
    shmem_short_wait_until(&a_short, SHMEM_CMP_LT, -1);
    shmem_ushort_wait_until(&a_ushort, SHMEM_CMP_GT, 0x7fff);
    CHECK(a_short == -7 && a_ushort == 0xfff0);
    CHECK(shmem_short_test(&a_short, SHMEM_CMP_GE, -7) && !shmem_short_test(&a_short, SHMEM_CMP_GT, -7));
    CHECK(shmem_ushort_test(&a_ushort, SHMEM_CMP_NE, 3) && !shmem_ushort_test(&a_ushort, SHMEM_CMP_LE, 3));
}

int main(void)
{
    shmem_init();
    comparisons();
    for (int round = 0; round < 10; round++)
        another(round);
    short_types();
    return check_end();
}
