/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * atomic.c: in atomic mode each access is seen as a whole. All endpoints write over each other what is theirs
 * alone, in pieces, and read: what they read comes from one of them. With pieces of a page and more no kernel
 * would do that by itself.
 */
#include "place.h"
#include <stdlib.h>
#include <string.h>

enum { PIECES = 40, PIECE = 5000 };

/* Pieces with a gap between them, or one after the other. */
static void overlap(team_t *t, int gap, const char *hints)
{
    char name[PLACE];
    int rounds = 40 / harness_slowness() + 1, mixed = 0, n;
    MPI_Datatype type;
    char *buf = xmalloc(PIECES * PIECE);
    ep_status status;
    place_make(t, name);
    ep_file fh = place_open(t, name, MPI_MODE_RDWR | MPI_MODE_CREATE, hints);
    MPI_Type_vector(PIECES, PIECE, PIECE + (gap ? 100 : 0), MPI_CHAR, &type);
    MPI_Type_commit(&type);
    EXPECT_OK(ep_file_set_view(fh, 3, MPI_CHAR, type, "native", MPI_INFO_NULL));
    EXPECT_OK(ep_file_set_atomicity(fh, 1));
    for (int i = 0; i < rounds; i++) {
        memset(buf, 'A' + (i + t->rank) % 26, PIECES * PIECE);
        EXPECT_OK(ep_file_write_at(fh, 0, buf, PIECES * PIECE, MPI_CHAR, EP_STATUS_IGNORE));
        EXPECT_OK(ep_file_read_at(fh, 0, buf, PIECES * PIECE, MPI_CHAR, &status));
        EXPECT_OK(ep_get_count(&status, MPI_CHAR, &n));
        EXPECT_EQ(n, PIECES * PIECE);
        for (int k = 1; k < n; k++)
            mixed += buf[k] != buf[0];
    }
    EXPECT_EQ(mixed, 0);
    MPI_Type_free(&type);
    EXPECT_OK(ep_file_close(&fh));
    place_free(t, name);
    free(buf);
}

static void together(team_t *t, void *arg)
{
    (void)arg;
    overlap(t, 0, NULL);
}

static void gaps(team_t *t, void *arg)
{
    (void)arg;
    overlap(t, 1, NULL);
}

static void sieved(team_t *t, void *arg)
{
    (void)arg;
    overlap(t, 1, "romio_ds_write=enable");
}

/* Bytes that are beside each other are none that both have. */
static void next_to_each_other(team_t *t, void *arg)
{
    char name[PLACE];
    long long mine = 0, got;
    (void)arg;
    place_make(t, name);
    ep_file fh = place_open(t, name, MPI_MODE_RDWR | MPI_MODE_CREATE, NULL);
    EXPECT_OK(ep_file_set_atomicity(fh, 1));
    for (int i = 0; i < 100; i++) {
        mine = 1000 * i + t->rank;
        EXPECT_OK(ep_file_write_at(fh, 8 * t->rank, &mine, 1, MPI_LONG_LONG, EP_STATUS_IGNORE));
        EXPECT_OK(ep_file_read_at(fh, 8 * t->rank, &got, 1, MPI_LONG_LONG, EP_STATUS_IGNORE));
        EXPECT_EQ(got, mine);
    }
    EXPECT_OK(ep_barrier(t->comm));
    for (int r = 0; r < t->size; r++) {
        EXPECT_OK(ep_file_read_at(fh, 8 * r, &got, 1, MPI_LONG_LONG, EP_STATUS_IGNORE));
        EXPECT_EQ(got, 99000 + r);
    }
    EXPECT_OK(ep_file_close(&fh));
    place_free(t, name);
}

static const harness_test tests[] = {
    {"together", together, NULL},
    {"gaps", gaps, NULL},
    {"sieved", sieved, NULL},
    {"next_to_each_other", next_to_each_other, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "io atomic", tests);
}
