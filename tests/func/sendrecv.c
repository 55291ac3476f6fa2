/* SPDX-License-Identifier: BSD-3-Clause */
/* sendrecv.c: sendrecv and sendrecv_replace, with neighbours, with oneself, with derived types. */
#include "pairs.h"
#include <stdlib.h>
#include <string.h>

static const int sizes[] = {0, 1, 8, 40, 41, 1000, 5000, 70000, 1 << 20};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void shift(team_t *t, void *arg)
{
    unsigned char *out = xmalloc(1 << 20), *in = xmalloc(1 << 20);
    (void)arg;
    for (int i = 0; i < SIZES; i++) {
        int steps[] = {1, t->size / 2, t->size - 1, t->size};
        for (int k = 0; k < 4; k++) {
            int to = (t->rank + steps[k]) % t->size, from = (t->rank + t->size - steps[k]) % t->size,
                n = sizes[i];
            int count = -1;
            ep_status status;
            fill(out, (size_t)n, (unsigned)(t->rank + i));
            memset(in, 0, (size_t)n);
            EXPECT_OK(ep_sendrecv(out, n, MPI_BYTE, to, i, in, 1 << 20, MPI_BYTE, from, i, t->comm, &status));
            EXPECT_FILLED(in, (size_t)n, (unsigned)(from + i));
            EXPECT_FILLED(out, (size_t)n, (unsigned)(t->rank + i));
            EXPECT_OK(ep_get_count(&status, MPI_BYTE, &count));
            EXPECT_EQ(count, n);
            EXPECT_EQ(status.MPI_SOURCE, from);
            EXPECT_OK(ep_sendrecv_replace(out, n, MPI_BYTE, to, i, from, i, t->comm, &status));
            EXPECT_FILLED(out, (size_t)n, (unsigned)(from + i));
            EXPECT_EQ(status.MPI_SOURCE, from);
            EXPECT_EQ(status.MPI_TAG, i);
        }
    }
    free(in);
    free(out);
}

/* Replacing through a type with gaps leaves the gaps alone. */
static void replace_derived(team_t *t, void *arg)
{
    int next = (t->rank + 1) % t->size, before = (t->rank + t->size - 1) % t->size;
    int targets[2][2] = {{next, before}, {t->rank, t->rank}};
    MPI_Datatype column;
    (void)arg;
    MPI_Type_vector(100, 1, 3, MPI_INT, &column);
    MPI_Type_commit(&column);
    for (int k = 0; k < 2; k++) {
        int matrix[300], from = targets[k][1];
        for (int i = 0; i < 300; i++)
            matrix[i] = 1000 * t->rank + i;
        EXPECT_OK(
            ep_sendrecv_replace(matrix, 1, column, targets[k][0], 2, from, 2, t->comm, EP_STATUS_IGNORE));
        for (int i = 0; i < 300; i++)
            if (!EXPECT_EQ(matrix[i], 1000 * (i % 3 ? t->rank : from) + i))
                break;
    }
    MPI_Type_free(&column);
}

/* Different types and counts in the two directions, and one direction to nobody. */
static void unlike_directions(team_t *t, void *arg)
{
    int next = (t->rank + 1) % t->size, before = (t->rank + t->size - 1) % t->size,
        out[4] = {t->rank, 2, 3, 4};
    int in[8] = {0}, last = t->rank == t->size - 1, first = t->rank == 0;
    MPI_Datatype pairs;
    ep_status status;
    (void)arg;
    MPI_Type_vector(2, 2, 4, MPI_INT, &pairs);
    MPI_Type_commit(&pairs);
    EXPECT_OK(ep_sendrecv(out, 4, MPI_INT, next, 3, in, 1, pairs, before, 3, t->comm, &status));
    EXPECT(in[0] == before && in[1] == 2 && in[2] == 0 && in[3] == 0 && in[4] == 3 && in[5] == 4);
    in[0] = -1;
    EXPECT_OK(ep_sendrecv(out, 1, MPI_INT, last ? MPI_PROC_NULL : next, 4, in, 1, MPI_INT,
                          first ? MPI_PROC_NULL : before, 4, t->comm, &status));
    EXPECT_EQ(in[0], first ? -1 : before);
    EXPECT_EQ(status.MPI_SOURCE, first ? MPI_PROC_NULL : before);
    out[1] = -1;
    EXPECT_OK(ep_sendrecv_replace(out, 1, MPI_INT, last ? MPI_PROC_NULL : next, 5,
                                  first ? MPI_PROC_NULL : before, 5, t->comm, &status));
    EXPECT_EQ(out[0], first ? 0 : before);
    MPI_Type_free(&pairs);
}

/* sendrecv meets plain sends, receives and wildcards on the other side. */
static void pair_plain(team_t *t, int partner, void *arg)
{
    int out = t->rank, in = -1;
    ep_status status;
    (void)arg;
    if (t->rank < partner) {
        EXPECT_OK(ep_sendrecv(&out, 1, MPI_INT, partner, 6, &in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
                              t->comm, &status));
        EXPECT_EQ(status.MPI_SOURCE, partner);
        EXPECT_EQ(status.MPI_TAG, 7);
    } else {
        EXPECT_OK(ep_recv(&in, 1, MPI_INT, partner, 6, t->comm, &status));
        EXPECT_OK(ep_ssend(&out, 1, MPI_INT, partner, 7, t->comm));
    }
    EXPECT_EQ(in, partner);
}

static void with_plain_calls(team_t *t, void *arg)
{
    for_pairs(t, pair_plain, arg);
}

static const harness_test tests[] = {
    {"shift", shift, NULL},
    {"replace, derived", replace_derived, NULL},
    {"unlike directions", unlike_directions, NULL},
    {"with plain calls", with_plain_calls, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "sendrecv", tests);
}
