/* SPDX-License-Identifier: BSD-3-Clause */
/* Static and global variables are symmetric, whatever they begin with: each PE has its own, and all others reach it. */
#include "check.h"
#include "types.h"

long zero;                    /* .bss */
long begun = 0x1234567890abc; /* .data */
static int few[3] = {7, 8, 9};
static char odd[13] = "twelve chars";
static char large[3 << 20] = {1};
static char large_zero[3 << 20];
static struct {
    char c;
    double d;
    short s[5];
} record = {'c', 2.5, {1, 2, 3, 4, 5}};
static long *pointer = &begun; /* relocated */
extern int elsewhere;
int elsewhere = 77;

static long *inside(void)
{
    static long count = 40;
    count++;
    return &count;
}

static int counted;
__attribute__((constructor)) static void before_main(void)
{
    counted = 5;
    large[4096] = 3;
}

static void check_beginning(void)
{
    CHECK(zero == 0 && begun == 0x1234567890abc);
    CHECK(few[0] == 7 && few[1] == 8 && few[2] == 9);
    CHECK(strcmp(odd, "twelve chars") == 0);
    CHECK(large[0] == 1 && large[4096] == 3 && is_filled(large + 1, 4095, 0) && is_filled(large + 4097, sizeof large - 4097, 0));
    CHECK(is_filled(large_zero, sizeof large_zero, 0));
    CHECK(record.c == 'c' && record.d == 2.5 && record.s[4] == 5);
    CHECK(pointer == &begun && elsewhere == 77 && counted == 5);
}

static void exchange(void *at, size_t bytes, int round)
{
    char *mine = malloc(bytes);

    fill(mine, bytes, shmem_my_pe(), round);
    shmem_putmem(at, mine, bytes, right_of(round));
    shmem_barrier_all();
    CHECK_AT(differs(at, bytes, left_of(round), round) < 0, round);
    shmem_getmem(mine, at, bytes, right_of(1));
    CHECK_AT(differs(mine, bytes, (right_of(1) + round * shmem_n_pes() - round % shmem_n_pes()) % shmem_n_pes(), round) < 0, round);
    shmem_barrier_all();
    free(mine);
}

int main(void)
{
    check_beginning(); /* nobody has begun to write */
    zero = 5;          /* what is written before shmem_init stays */
    shmem_init();
    long *count = inside();
    CHECK(zero == 5 && *count == 41);
    shmem_barrier_all();
    exchange(&zero, sizeof zero, 1);
    exchange(few, sizeof few, 2);
    exchange(odd, sizeof odd, 3);
    exchange(large, sizeof large, 4);
    exchange(large_zero, sizeof large_zero, 5);
    exchange(&record.d, sizeof record.d, 6);
    exchange(record.s + 1, 3 * sizeof *record.s, 7);
    CHECK(record.c == 'c' && record.s[0] == 1 && record.s[4] == 5); /* what is beside is left */
    exchange(&elsewhere, sizeof elsewhere, 8);
    exchange(count, sizeof *count, 9);
    CHECK(begun == 0x1234567890abc && pointer == &begun);
    shmem_barrier_all();
    shmem_long_p(pointer, shmem_my_pe() + 100L, right_of(1));
    shmem_barrier_all();
    CHECK(begun == left_of(1) + 100);
    long before = *count;
    CHECK(inside() == count && *count == before + 1);
    shmem_barrier_all(); /* the neighbour's increment must not meet the plain one above */
    shmem_long_atomic_inc(count, right_of(1));
    shmem_barrier_all();
    CHECK(*count == before + 2);
    return check_end();
}
