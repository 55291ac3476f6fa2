/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A SHMEM program that makes something of everything that needs memory, for programs.py. What it does not get ends the job
 * with 77 and a text, wrong data with 99. Twice, so that the second time finds everything made.
 */
#include <fcntl.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 100, BLOCKS = 200 };

static int me, npes;

/* To the file of programs.py, too: see program.c. */
static void end_with(int status, const char *what)
{
    int file = open(getenv("EP_TEST_SAID"), O_WRONLY | O_APPEND);
    const char *kind = status == 99 ? "WRONG" : "not made";
    fprintf(stderr, "%s: %s\n", kind, what);
    dprintf(file, "%s: %s\n", kind, what);
    close(file);
    shmem_global_exit(status);
}

static void *must(void *made, const char *what)
{
    if (!made)
        end_with(77, what);
    return made;
}

static void right(int yes, const char *what)
{
    if (!yes)
        end_with(99, what);
}

/* So many that the books of the heap get more memory in between. */
static void heap(void)
{
    static char *block[BLOCKS];
    for (int i = 0; i < BLOCKS; i++) {
        block[i] = must(i % 2 ? shmem_malloc((size_t)i + 1) : shmem_calloc(1, (size_t)i + 1), "a block");
        right(i % 2 || block[i][i] == 0, "zeros of shmem_calloc");
        block[i][i] = (char)i;
    }
    for (int i = 0; i < BLOCKS; i++) {
        block[i] = must(shmem_realloc(block[i], 2 * (size_t)i + 500), "a larger block");
        right(block[i][i] == (char)i, "data of shmem_realloc");
    }
    for (int i = 0; i < BLOCKS; i++)
        shmem_free(block[i]);
}

static void accesses(void)
{
    int to = (me + 1) % npes, from = (me + npes - 1) % npes;
    long mine[N], *theirs = must(shmem_calloc(N, sizeof *theirs), "memory for puts");
    for (int i = 0; i < N; i++)
        mine[i] = me * N + i;
    shmem_putmem_nbi(theirs, mine, sizeof mine, to);
    shmem_barrier_all();
    right(theirs[0] == from * N && theirs[N - 1] == from * N + N - 1, "a put");
    shmem_getmem(mine, theirs, sizeof mine, to);
    right(mine[1] == me * N + 1, "a get");
    shmem_barrier_all();
    shmem_long_atomic_add(theirs, 5, to);
    shmem_barrier_all();
    right(theirs[0] == from * N + 5, "an atomic add");
    shmem_free(theirs);
}

static void teams(void)
{
    static long sum, one;
    shmem_team_t half;
    shmem_ctx_t ctx;
    one = 1;
    if (shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, npes / 2, NULL, 0, &half))
        end_with(77, "a team");
    if (half != SHMEM_TEAM_INVALID) {
        if (shmem_long_sum_reduce(half, &sum, &one, 1))
            end_with(77, "a reduction");
        right(sum == npes / 2, "a sum");
        if (shmem_team_create_ctx(half, 0, &ctx) == 0)
            shmem_ctx_destroy(ctx);
        shmem_team_destroy(half);
    }
    shmem_barrier_all();
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    npes = shmem_n_pes();
    for (int i = 0; i < 2; i++) {
        heap();
        accesses();
        teams();
    }
    shmem_barrier_all();
    if (me == 0)
        puts("all right");
    shmem_finalize();
    return 0;
}
