/* SPDX-License-Identifier: BSD-3-Clause */
/* large.c: collectives of more than 2 GiB, where memory allows. One MiB is sent over and over (a type with
 * stride 0), so that only one receiver needs the room. */
#include "harness.h"
#include <stdlib.h>
#include <string.h>

enum { MIB = 1 << 20, TOTAL = 2200 };

typedef struct {
    MPI_Datatype block, again; /* one MiB; and that with extent 0 */
} types;

/* Blocks [first, first + n) of in are those of this key. */
static void expect_blocks(const unsigned char *in, int first, int n, unsigned key)
{
    unsigned char *want = xmalloc(MIB);
    fill(want, MIB, key);
    for (int i = first; i < first + n; i++)
        if (!EXPECT(memcmp(in + (size_t)i * MIB, want, MIB) == 0))
            break;
    free(want);
}

/* The last rank gets everything from all. */
static void gathered(team_t *t, const types *k, const unsigned char *out, unsigned char *in)
{
    int each = TOTAL / t->size, root = t->size - 1;
    EXPECT_OK(ep_gather(out, each, k->again, in, each, k->block, root, t->comm));
    for (int r = 0; r < t->size && t->rank == root; r++)
        expect_blocks(in, r * each, each, (unsigned)r);
}

/* The last rank gets everything from the first. */
static void broadcast(team_t *t, const types *k, const unsigned char *out, unsigned char *in)
{
    ep_comm pair = EP_COMM_NULL;
    int first = t->rank == 0, last = t->rank == t->size - 1;
    EXPECT_OK(ep_comm_split(t->comm, first || last ? 0 : MPI_UNDEFINED, 0, &pair));
    if (pair == EP_COMM_NULL)
        return;
    EXPECT_OK(ep_bcast(first ? (void *)(uintptr_t)out : in, TOTAL, first ? k->again : k->block, 0, pair));
    if (last)
        expect_blocks(in, 0, TOTAL, 0);
    EXPECT_OK(ep_comm_free(&pair));
}

static void body(team_t *t, void *arg)
{
    unsigned char *out = xmalloc(MIB), *in = t->rank == t->size - 1 ? xmalloc((size_t)TOTAL * MIB) : NULL;
    fill(out, MIB, (unsigned)t->rank);
    gathered(t, arg, out, in);
    broadcast(t, arg, out, in);
    free(out);
    free(in);
}

static void run(void)
{
    types k;
    int enough = harness_available_mib() > 4 * TOTAL && harness_slowness() == 1, all;
    MPI_Allreduce(&enough, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!all)
        return;
    MPI_Type_contiguous(MIB, MPI_BYTE, &k.block);
    MPI_Type_create_resized(k.block, 0, 0, &k.again);
    MPI_Type_commit(&k.block);
    MPI_Type_commit(&k.again);
    team_run(body, &k);
    MPI_Type_free(&k.block);
    MPI_Type_free(&k.again);
}

static const harness_test tests[] = {{"more than 2 GiB", NULL, run}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "coll_large", tests);
}
