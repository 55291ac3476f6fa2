/* SPDX-License-Identifier: BSD-3-Clause */
/* Post, start, complete, wait with all sorts of groups: nobody, self, all, ring, pairs, overlapping
 * ones (MPI 11.5.2). */
#include "rma.h"

enum { PATTERNS = 7, ROUNDS = 3 };

static struct area a;

/* Does o access t in this pattern? */
static int accesses(int pattern, int o, int t)
{
    int n = a.size;

    switch (pattern) {
    case 0:
        return 0;
    case 1:
        return o == t;
    case 2:
        return 1;
    case 3:
        return t == (o + 1) % n;
    case 4:
        return t == (o ^ 1); /* pairs; the last of an odd number has nobody */
    case 5:
        return t == (o + 1) % n || t == (o + 2) % n || t == o;
    default:
        return o < t; /* the first accesses all others, the last nobody */
    }
}

static MPI_Group group(int pattern, int origins)
{
    int ranks[512], n = 0;

    for (int i = 0; i < a.size; i++) {
        int r = (i * 5 + a.rank) % a.size; /* in no order */

        if (a.size % 5 == 0)
            r = i;
        if (origins ? accesses(pattern, r, a.rank) : accesses(pattern, a.rank, r))
            ranks[n++] = r;
    }
    return group_of(a.comm, ranks, n);
}

static void epoch(int pattern, int round)
{
    MPI_Group origins = group(pattern, 1), targets = group(pattern, 0);
    long value = 100 * pattern + round, got[512];
    int done = 0;

    CALL(MPI_Win_post(origins, 0, a.win));
    CALL(MPI_Win_start(targets, 0, a.win));
    MPI_Group_free(&targets);
    for (int t = 0; t < a.size; t++)
        if (accesses(pattern, a.rank, t)) {
            CALL(MPI_Put(&value, 1, MPI_LONG, t, area_at(&a, t, a.rank), 1, MPI_LONG, a.win));
            CALL(MPI_Get(&got[t], 1, MPI_LONG, t, area_at(&a, t, a.size), 1, MPI_LONG, a.win));
        }
    CALL(MPI_Win_complete(a.win));
    if (round % 2)
        CALL(MPI_Win_wait(a.win));
    while (round % 2 == 0 && !done)
        CALL(MPI_Win_test(a.win, &done));
    MPI_Group_free(&origins);
    for (int r = 0; r < a.size; r++) {
        if (accesses(pattern, r, a.rank) && a.mem[r] != value)
            conform_error("pattern %d: rank %d has put %ld, not %ld", pattern, r, a.mem[r], value);
        if (accesses(pattern, a.rank, r) && got[r] != r)
            conform_error("pattern %d: got %ld from rank %d", pattern, got[r], r);
    }
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    for (int flavor = 0; flavor < FLAVORS; flavor++) {
        area_make(&a, flavor, size_of(MPI_COMM_WORLD) + 2, -1, MPI_COMM_WORLD);
        a.mem[a.size] = a.rank;
        for (int pattern = 0; pattern < PATTERNS; pattern++) {
            for (int round = 0; round < ROUNDS; round++)
                epoch(pattern, round);
            /* MPICH 4.0 hangs where a post of the next pattern comes before a start of this one. */
            if (!UNDER_EP)
                CALL(MPI_Barrier(MPI_COMM_WORLD));
        }
        area_free(&a);
    }
    return conform_end(0);
}
