/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exchange_large.c: 8 MiB from everyone to everyone, all at once; contiguous, and strided on one side.
 * Catches chunks of large messages that two copying threads lose, copy twice or put at a wrong place.
 */
#include "harness.h"
#include <stdlib.h>

enum { BYTES = 8 << 20, WORDS = BYTES / 8, BLOCK = 512 };

static uint64_t word(int from, int to, int i)
{
    return ((uint64_t)(from * 64 + to) << 40) + (uint64_t)i * 0x9E3779B1u;
}

static int all_right(const uint64_t *in, int from, int to)
{
    for (int i = 0; i < WORDS; i++)
        if (in[i] != word(from, to, i))
            return 0;
    return 1;
}

static void write_words(uint64_t *out, int stride, int from, int to)
{
    for (int i = 0; i < WORDS; i++)
        out[(size_t)(i / BLOCK) * BLOCK * (size_t)stride + (size_t)(i % BLOCK)] = word(from, to, i);
}

static void exchange(team_t *t, int stride)
{
    size_t n = (size_t)t->size;
    uint64_t *in = xmalloc(n * BYTES), *out = xmalloc(n * BYTES * (size_t)stride);
    ep_request *requests = xmalloc(2 * n * sizeof *requests);
    MPI_Datatype strided;
    MPI_Type_vector(WORDS / BLOCK, BLOCK, BLOCK * stride, MPI_UINT64_T, &strided);
    MPI_Type_commit(&strided);
    for (size_t i = 0; i < n; i++)
        write_words(out + i * WORDS * (size_t)stride, stride, t->rank, (int)i);
    for (size_t i = 0; i < n; i++)
        EXPECT_OK(ep_irecv(in + i * WORDS, WORDS, MPI_UINT64_T, (int)i, 2, t->comm, &requests[i]));
    for (size_t i = 0; i < n; i++)
        EXPECT_OK(
            ep_isend(out + i * WORDS * (size_t)stride, 1, strided, (int)i, 2, t->comm, &requests[n + i]));
    EXPECT_OK(ep_waitall(2 * t->size, requests, EP_STATUSES_IGNORE));
    for (size_t i = 0; i < n; i++)
        EXPECT(all_right(in + i * WORDS, (int)i, t->rank));
    MPI_Type_free(&strided);
    free(in);
    free(out);
    free(requests);
}

static void contiguous(team_t *t, void *arg)
{
    (void)arg;
    for (int round = 0; round < 3; round++)
        exchange(t, 1);
}

static void strided(team_t *t, void *arg)
{
    (void)arg;
    exchange(t, 2);
}

static const harness_test tests[] = {{"contiguous", contiguous, NULL}, {"strided", strided, NULL}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "exchange_large", tests);
}
