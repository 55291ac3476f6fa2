/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * coll_lengths.c: gather, scatter and the v functions, called in a row with blocks of lengths around those where another way to
 * tell them begins: in one call some are short, others long.
 *
 * And calls in which the endpoints of a machine have lengths that do not fit together: whoever can see that is told, all end, and the next
 * call is as ever. MPI promises nothing then, nor does ep where processes do not reach each other's memory.
 *
 * Catches: a block that is looked for where another way would have put it, or cut at the end of a slot; a stage or buffer that is
 * used again before its reader is through, or never, because somebody does not tell that it is.
 */
#include "reach.h"
#include "traffic.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 150, LONGEST = 10000, PLACES = LONGEST + 2 };

/* One endpoint. All counts are of ints. */
typedef struct {
    team_t *t;
    int *send, *recv, gap; /* after each int that is sent */
    MPI_Datatype sent;     /* an int and the gap */
    int counts[TRAFFIC_MAX], displs[TRAFFIC_MAX], room[TRAFFIC_MAX], places[TRAFFIC_MAX];
} caller;

/* What goes from one to another in a round: mostly little, so that all blocks fit into 112 bytes together or just do not. */
static int length_of(int round, int from, int to, int size)
{
    unsigned x = (unsigned)round * 2654435761u + (unsigned)from * 40503u + (unsigned)to * 9973u;
    int few = 28 / size + 2;
    if (round % 3 > 0 || (x >> 8) % 7 > 1)
        return (int)((x >> 4) % (unsigned)few);
    return (x >> 12) % 5 == 0 ? LONGEST - (int)(x >> 20) % 100 : 20 + (int)(x >> 16) % 600;
}

static int value_of(int round, int from, int to, int i)
{
    return round * 1000003 + from * 10007 + to * 101 + i;
}

static void fill_block(caller *c, int round, int to, int at, int n)
{
    for (int i = 0; i < n; i++)
        c->send[(at + i) * (1 + c->gap)] = value_of(round, c->t->rank, to, i);
}

static bool block_is(const int *block, int round, int from, int to, int n)
{
    for (int i = 0; i < n; i++)
        if (block[i] != value_of(round, from, to, i))
            return false;
    return block[n] == -1;
}

/* Blocks for all, and room for those of all with a place more each, that must stay as it is. */
static void lay_out(caller *c, int round, bool each)
{
    int me = c->t->rank, send = 0, recv = 0;
    for (int r = 0; r < c->t->size; r++) {
        c->counts[r] = length_of(round, me, each ? r : 0, c->t->size);
        c->displs[r] = send;
        fill_block(c, round, each ? r : 0, send, c->counts[r]);
        send += each ? c->counts[r] : 0;
        c->room[r] = length_of(round, r, each ? me : 0, c->t->size);
        c->places[r] = recv;
        recv += c->room[r] + 1;
    }
    memset(c->recv, -1, (size_t)recv * sizeof(int));
}

static void expect_blocks(const caller *c, int round, bool each)
{
    for (int r = 0; r < c->t->size; r++)
        EXPECT(block_is(c->recv + c->places[r], round, r, each ? c->t->rank : 0, c->room[r]));
}

static void scatter(caller *c, int round, int root)
{
    int n = length_of(round, root, c->t->rank, c->t->size);
    memset(c->recv, -1, (size_t)(n + 1) * sizeof(int));
    EXPECT_OK(ep_scatterv(c->send, c->counts, c->displs, c->sent, c->recv, n, MPI_INT, root, c->t->comm));
    EXPECT(block_is(c->recv, round, root, c->t->rank, n));
}

static void each_way(caller *c, int round)
{
    team_t *t = c->t;
    int root = round % t->size;
    lay_out(c, round, true);
    EXPECT_OK(
        ep_alltoallv(c->send, c->counts, c->displs, c->sent, c->recv, c->room, c->places, MPI_INT, t->comm));
    expect_blocks(c, round, true);
    scatter(c, round, root);
    lay_out(c, round, false);
    EXPECT_OK(ep_allgatherv(c->send, c->counts[0], c->sent, c->recv, c->room, c->places, MPI_INT, t->comm));
    expect_blocks(c, round, false);
    lay_out(c, round, false);
    EXPECT_OK(
        ep_gatherv(c->send, c->counts[0], c->sent, c->recv, c->room, c->places, MPI_INT, root, t->comm));
    if (t->rank == root)
        expect_blocks(c, round, false);
}

static void varying(team_t *t, int gap)
{
    size_t most = (size_t)t->size * PLACES;
    caller c = {.t = t, .gap = gap};
    c.send = calloc(most * (size_t)(1 + c.gap), sizeof(int));
    c.recv = calloc(most, sizeof(int));
    MPI_Type_create_resized(MPI_INT, 0, (1 + c.gap) * (MPI_Aint)sizeof(int), &c.sent);
    MPI_Type_commit(&c.sent);
    for (int round = 0; round < ROUNDS; round++)
        each_way(&c, round);
    MPI_Type_free(&c.sent);
    free(c.send);
    free(c.recv);
}

/* Rank 1 brings more than the root has room for, and more than the others; it alone puts that on a stage or says where it is. */
static void gather_longer(team_t *t, int *buf, int length)
{
    int n = t->rank == 1 ? length + 1 : 1, one = 1, sum = 0;
    for (int i = 0; i < 4; i++)
        EXPECT_RC(ep_gather(buf, n, MPI_INT, buf + PLACES, 1, MPI_INT, 0, t->comm),
                  t->rank == 0 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    EXPECT_OK(ep_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, t->comm));
    EXPECT_EQ(sum, t->size);
}

/* Eight times five calls, so that the first is at each distance from those at whose end all tell what they have finished. */
static void longer(team_t *t, void *arg)
{
    static const int lengths[] = {1, 28, 29, 4000, 7500, LONGEST};
    int *buf = calloc((size_t)t->size * 2 * PLACES, sizeof *buf);
    (void)arg;
    for (int i = 0; i < 8; i++)
        EXPECT_OK(ep_barrier(t->comm));
    for (size_t k = 0; k < 8 * sizeof lengths / sizeof *lengths && t->size > 1; k++)
        gather_longer(t, buf, lengths[k / 8]);
    free(buf);
}

/* ---- so long that results come in many parts ---- */

static int term(int rank, int i, int round)
{
    return (i + 7 * rank + round) % 1009;
}

static bool is_sum(const int *sum, int n, int size, int round)
{
    for (int i = 0; i < n; i++) {
        int expected = 0;
        for (int r = 0; r < size; r++)
            expected += term(r, i, round);
        if (sum[i] != expected)
            return false;
    }
    return true;
}

/* In place in every second round: what has been reduced is overwritten while others still reduce. */
static void many_parts(team_t *t, void *arg)
{
    enum { LONG = 1500001, PARTS = 4 };
    int *in = malloc(LONG * sizeof *in), *out = malloc(LONG * sizeof *out);
    (void)arg;
    for (int i = 0; i < 5; i++)
        EXPECT_OK(ep_barrier(t->comm));
    for (int round = 0; round < PARTS; round++) {
        int n = LONG - 12345 * round, *mine = round % 2 ? out : in;
        for (int i = 0; i < n; i++)
            mine[i] = term(t->rank, i, round);
        EXPECT_OK(ep_allreduce(round % 2 ? MPI_IN_PLACE : in, out, n, MPI_INT, MPI_SUM, t->comm));
        EXPECT(is_sum(out, n, t->size, round));
    }
    free(in);
    free(out);
}

/* ---- lengths that do not fit together ---- */

static void expect_truncated(int rc, bool must)
{
    if (must || rc != MPI_SUCCESS)
        EXPECT_RC(rc, MPI_ERR_TRUNCATE);
}

static void expect_next(team_t *t)
{
    int one = 1, sum = 0;
    EXPECT_OK(ep_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, t->comm));
    EXPECT_EQ(sum, t->size);
}

/* All have `most` ints but one, who has `least`; or the other way round. */
static void differ(team_t *t, int *in, int *out, int least, int most)
{
    int odd = least % t->size, mine = t->rank == odd ? least : most;
    expect_truncated(ep_bcast(in, mine, MPI_INT, odd, t->comm), t->rank != odd && least > most);
    expect_next(t);
    expect_truncated(ep_allgather(in, mine, MPI_INT, out, most, MPI_INT, t->comm), t->rank != odd && least > most);
    expect_next(t);
    expect_truncated(ep_reduce(in, out, mine, MPI_INT, MPI_SUM, 0, t->comm), false);
    expect_next(t);
    expect_truncated(ep_allreduce(in, out, mine, MPI_INT, MPI_SUM, t->comm), false);
    expect_next(t);
}

static void that_differ(team_t *t, void *arg)
{
    static const int lengths[] = {1, 100, 7500, 20000, 100000};
    int *in = calloc(100000, sizeof *in), *out = calloc((size_t)t->size * 100000, sizeof *out);
    (void)arg;
    for (int i = 0; i < 5; i++) /* so that they share memory */
        expect_next(t);
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 5; k++)
            if (i != k)
                differ(t, in, out, lengths[i], lengths[k]);
    free(in);
    free(out);
}

static void lengths_that_differ(void)
{
    int processes;
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    if (processes > 1 && across_by_memory())
        team_run(that_differ, NULL);
}

static void together(team_t *t, void *arg)
{
    (void)arg;
    varying(t, 0);
}

static void with_gaps(team_t *t, void *arg)
{
    (void)arg;
    varying(t, 1);
}

static const harness_test tests[] = {
    {"together", together, NULL}, {"with gaps", with_gaps, NULL}, {"longer than the room", longer, NULL},
    {"many parts", many_parts, NULL}, {"that differ", NULL, lengths_that_differ}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "coll_lengths", tests);
}
