/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the programs here share. Each is a plain SHMEM program that checks itself: PE 0 ends with the line " No Errors", or else what
 * was wrong is said and the exit status is not zero.
 *
 * A comment "shmem: WHAT VALUE" in a program tells the runner (shmem.sh) more: flags (of the compiler), env (of the job), status (that
 * the job must end with, instead of " No Errors"), says (a regular expression that its output must have), layouts (the only ones).
 */
#ifndef SHMEM_CHECK_H
#define SHMEM_CHECK_H

#include <shmem.h>

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HELPER __attribute__((unused)) static

/* ---- what must hold ---- */

HELPER void check_failed(const char *file, int line, const char *what, const char *name, long long at)
{
    printf("PE %d of %d: %s:%d: not %s (%s %lld)\n", shmem_my_pe(), shmem_n_pes(), file, line, what, name, at);
    fflush(stdout);
    shmem_global_exit(1);
}

/* Else the program ends here. _AT: the message also tells this value, an index or a round. _OF: and a name, of a type. */
#define CHECK(condition) CHECK_OF("", condition, 0)
#define CHECK_AT(condition, at) CHECK_OF("at", condition, at)
#define CHECK_OF(name, condition, at) \
    ((condition) ? (void)0 : check_failed(__FILE__, __LINE__, #condition, name, (long long)(at)))

/* The end of a program in which all went well. */
HELPER int check_end(void)
{
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        printf(" No Errors\n");
        fflush(stdout);
    }
    shmem_finalize();
    return 0;
}

/* ---- patterns: values that tell where they come from ---- */

HELPER uint64_t pattern(int pe, size_t index, int round)
{
    uint64_t x = ((uint64_t)(unsigned)pe << 44) ^ ((uint64_t)(unsigned)round << 24) ^ index;
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

HELPER unsigned char pattern_byte(int pe, size_t index, int round)
{
    return (unsigned char)(pattern(pe, index / 8, round) >> index % 8 * 8);
}

HELPER void fill(void *at, size_t bytes, int pe, int round)
{
    for (size_t i = 0; i < bytes; i++)
        ((unsigned char *)at)[i] = pattern_byte(pe, i, round);
}

/* The first byte that is not what fill left there; -1: there is none. */
HELPER long differs(const void *at, size_t bytes, int pe, int round)
{
    for (size_t i = 0; i < bytes; i++)
        if (((const unsigned char *)at)[i] != pattern_byte(pe, i, round))
            return (long)i;
    return -1;
}

HELPER int is_filled(const void *at, size_t bytes, int value)
{
    for (size_t i = 0; i < bytes; i++)
        if (((const unsigned char *)at)[i] != value)
            return 0;
    return 1;
}

/* ---- PEs ---- */

HELPER int right_of(int by)
{
    return (shmem_my_pe() + by) % shmem_n_pes();
}

HELPER int left_of(int by)
{
    int n = shmem_n_pes();
    return (shmem_my_pe() + n - by % n) % n;
}

/* Symmetric memory, which there must be. */
HELPER void *take(size_t bytes)
{
    void *at = shmem_malloc(bytes);
    CHECK_AT(at != NULL, bytes);
    return at;
}

/* The next of a sequence of numbers, the same in all PEs that begin with the same state. */
HELPER unsigned next_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* What a loop does that looks again and again for what another PE writes. */
#ifndef __cplusplus
#include <sched.h>
HELPER void rest(void)
{
    sched_yield();
}
#endif

#define COUNT(array) (sizeof(array) / sizeof *(array))

#endif
