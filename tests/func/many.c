/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * many.c: many endpoints in a process, up to where their indices no longer fit into a tag beside the user's
 * (src/comm/tag.h), and many communicators at once.
 *
 * Catches: indices cut off, a tag range below what MPI promises, messages of one lane or communicator that wait for
 * those of another.
 */
#include "traffic.h"
#include <stdlib.h>

static int tag_ub(ep_comm comm)
{
    int flag = 0, *ub = NULL;
    EXPECT_OK(ep_comm_get_attr(comm, MPI_TAG_UB, &ub, &flag));
    return EXPECT(flag && ub) ? *ub : 0;
}

/* Everyone sends to those at some distances, with the highest tags and with low ones. */
static void exchange(ep_comm comm, int team_rank, int expect_reversed)
{
    enum { DISTANCES = 8 };
    int rank = -1, size = 0, highest = tag_ub(comm), n = 0, out[DISTANCES][2], seen = 0;
    ep_request r[2 * DISTANCES];
    int in[DISTANCES][2];
    ep_status s[2 * DISTANCES];
    EXPECT(highest >= 32767);
    EXPECT_OK(ep_comm_rank(comm, &rank));
    EXPECT_OK(ep_comm_size(comm, &size));
    EXPECT_EQ(rank, expect_reversed ? size - 1 - team_rank : team_rank);
    const int distances[DISTANCES] = {0,        1 % size,     2 % size, size / 3,
                                      size / 2, size * 2 / 3, size - 1, 3 % size};
    for (int i = 0; i < DISTANCES; i++) {
        int tag = i % 2 ? highest : highest - i;
        out[i][0] = rank;
        out[i][1] = i;
        EXPECT_OK(ep_irecv(in[i], 2, MPI_INT, i % 3 ? (rank + size - distances[i]) % size : MPI_ANY_SOURCE,
                           10 + i, comm, &r[n++]));
        EXPECT_OK(ep_isend(out[i], 2, MPI_INT, (rank + distances[i]) % size, 10 + i, comm, &r[n++]));
        EXPECT_OK(ep_sendrecv(&rank, 1, MPI_INT, (rank + distances[i]) % size, tag, &seen, 1, MPI_INT,
                              (rank + size - distances[i]) % size, tag, comm, &s[0]));
        EXPECT_EQ(seen, (rank + size - distances[i]) % size);
        EXPECT_EQ(s[0].MPI_TAG, tag);
    }
    EXPECT_OK(ep_waitall(n, r, s));
    for (int i = 0; i < DISTANCES; i++) {
        EXPECT_EQ(in[i][0], (rank + size - distances[i]) % size);
        EXPECT_EQ(in[i][1], i);
        EXPECT_EQ(s[2 * i].MPI_SOURCE, in[i][0]);
    }
}

/* From everyone to everyone, by wildcards. */
static void all_to_all(ep_comm comm)
{
    int rank = -1, size = 0;
    EXPECT_OK(ep_comm_rank(comm, &rank));
    EXPECT_OK(ep_comm_size(comm, &size));
    int *seen = calloc((size_t)size, sizeof *seen);
    ep_request *r = xmalloc((size_t)size * sizeof *r);
    for (int i = 0; i < size; i++)
        EXPECT_OK(ep_isend(&rank, 1, MPI_INT, (rank + i) % size, 5, comm, &r[i]));
    for (int i = 0; i < size; i++) {
        int who = -1;
        ep_status s = {.MPI_SOURCE = -1};
        EXPECT_OK(ep_recv(&who, 1, MPI_INT, MPI_ANY_SOURCE, 5, comm, &s));
        EXPECT_EQ(who, s.MPI_SOURCE);
        if (EXPECT(who >= 0 && who < size))
            EXPECT_EQ(seen[who]++, 0);
    }
    EXPECT_OK(ep_waitall(size, r, EP_STATUSES_IGNORE));
    free(seen);
    free(r);
}

static void derived(team_t *t, void *arg)
{
    ep_comm d = EP_COMM_NULL, turned = EP_COMM_NULL, part = EP_COMM_NULL;
    (void)arg;
    exchange(t->comm, t->rank, 0);
    if (!EXPECT_OK(ep_comm_dup(t->comm, &d)))
        return;
    exchange(d, t->rank, 0);
    if (EXPECT_OK(ep_comm_split(d, 0, -t->rank, &turned))) {
        EXPECT_OK(ep_comm_free(&d));
        exchange(turned, t->rank, 1);
        if (t->size <= 64)
            all_to_all(turned);
    }
    if (EXPECT_OK(ep_comm_split(turned, t->rank % 2, t->rank, &part))) {
        exchange(part, t->rank / 2, 0);
        EXPECT_OK(ep_comm_free(&part));
    }
    EXPECT_OK(ep_comm_free(&turned));
}

/* One against all others, then all in one again. */
static void with_intercomm(team_t *t, void *arg)
{
    int first = t->rank == 0, rank = -1, got = -1;
    ep_comm local = EP_COMM_NULL, inter = EP_COMM_NULL, merged = EP_COMM_NULL;
    (void)arg;
    EXPECT_OK(ep_comm_split(t->comm, first, t->rank, &local));
    if (EXPECT_OK(ep_intercomm_create(local, first ? 0 : t->size - 2, t->comm, first ? t->size - 1 : 0, 1,
                                      &inter))) {
        EXPECT(tag_ub(inter) >= 32767);
        for (int i = 0; first && i < t->size - 1; i++)
            EXPECT_OK(ep_send(&i, 1, MPI_INT, i, tag_ub(inter), inter));
        if (!first) {
            EXPECT_OK(ep_recv(&got, 1, MPI_INT, 0, tag_ub(inter), inter, EP_STATUS_IGNORE));
            EXPECT_EQ(got, t->rank - 1);
        }
        EXPECT_OK(ep_intercomm_merge(inter, first, &merged));
        EXPECT_OK(ep_comm_free(&inter));
    }
    EXPECT_OK(ep_comm_free(&local));
    if (merged == EP_COMM_NULL)
        return;
    EXPECT_OK(ep_comm_rank(merged, &rank));
    EXPECT_EQ(rank, (t->rank + t->size - 1) % t->size);
    exchange(merged, rank, 0);
    EXPECT_OK(ep_comm_free(&merged));
}

/* ---- Many communicators ---- */

enum { COMMS = 100, EACH = 3 };

static void shuffle(uint64_t *random, int order[], int n)
{
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int k = random_below(random, i + 1), o = order[i];
        order[i] = order[k];
        order[k] = o;
    }
}

static int what(int from, int to, int comm, int i)
{
    return ((from * 64 + to) * COMMS + comm) * EACH + i;
}

/* All send to `to` and from `from` on all communicators, in an order of their own; then they receive in another. */
static void ring(team_t *t, ep_comm c[], int distance, int posted)
{
    int order[COMMS * EACH], next[COMMS] = {0}, in[COMMS][EACH], out[COMMS * EACH];
    int to = (t->rank + distance) % t->size, from = (t->rank + t->size - distance) % t->size;
    ep_request sends[COMMS * EACH], receives[COMMS * EACH];
    shuffle(&t->random, order, COMMS * EACH);
    for (int k = 0; posted && k < COMMS * EACH; k++) {
        int i = order[k] / EACH, n = next[i]++;
        EXPECT_OK(
            ep_irecv(&in[i][n], 1, MPI_INT, i % 2 ? from : MPI_ANY_SOURCE, 1, c[i], &receives[i * EACH + n]));
    }
    for (int i = 0; i < COMMS; i++)
        next[i] = 0;
    shuffle(&t->random, order, COMMS * EACH);
    for (int k = 0; k < COMMS * EACH; k++) {
        int i = order[k] / EACH;
        out[k] = what(t->rank, to, i, next[i]++);
        EXPECT_OK((k % 3 ? ep_isend : ep_issend)(&out[k], 1, MPI_INT, to, 1, c[i], &sends[k]));
    }
    for (int i = 0; i < COMMS; i++)
        next[i] = 0;
    shuffle(&t->random, order, COMMS * EACH);
    for (int k = 0; !posted && k < COMMS * EACH; k++) {
        int i = order[k] / EACH, n = next[i]++;
        EXPECT_OK(ep_recv(&in[i][n], 1, MPI_INT, k % 2 ? from : MPI_ANY_SOURCE, MPI_ANY_TAG, c[i],
                          EP_STATUS_IGNORE));
    }
    if (posted)
        EXPECT_OK(ep_waitall(COMMS * EACH, receives, EP_STATUSES_IGNORE));
    EXPECT_OK(ep_waitall(COMMS * EACH, sends, EP_STATUSES_IGNORE));
    for (int i = 0; i < COMMS; i++)
        for (int n = 0; n < EACH; n++)
            EXPECT_EQ(in[i][n], what(from, t->rank, i, n));
}

/* One message goes round on one communicator at a time, while nothing happens on the others. */
static void lone_messages(team_t *t, ep_comm c[])
{
    uint64_t common = harness_seed();
    int order[COMMS], got;
    shuffle(&common, order, COMMS);
    for (int k = 0; k < COMMS; k++) {
        ep_comm one = c[order[k]];
        int before = (t->rank + t->size - 1) % t->size, next = (t->rank + 1) % t->size;
        got = order[k];
        if (t->rank)
            EXPECT_OK(ep_recv(&got, 1, MPI_INT, k % 2 ? before : MPI_ANY_SOURCE, 2, one, EP_STATUS_IGNORE));
        EXPECT_EQ(got, order[k]);
        EXPECT_OK(ep_send(&got, 1, MPI_INT, next, 2, one));
        if (!t->rank)
            EXPECT_OK(ep_recv(&got, 1, MPI_INT, before, 2, one, EP_STATUS_IGNORE));
    }
}

static void many_communicators(team_t *t, void *arg)
{
    ep_comm c[COMMS];
    (void)arg;
    if (t->size > 64)
        return;
    for (int i = 0; i < COMMS; i++)
        if (!EXPECT_OK(ep_comm_dup(i % 3 ? c[i - 1] : t->comm, &c[i])))
            return;
    for (int distance = 1; distance < 4; distance++) {
        ring(t, c, distance, distance % 2);
        team_barrier(t);
    }
    lone_messages(t, c);
    for (int i = 0; i < COMMS; i++)
        EXPECT_OK(ep_comm_free(&c[(i * 7 + t->rank) % COMMS]));
}

static const harness_test tests[] = {
    {"derived", derived, NULL},
    {"with intercomm", with_intercomm, NULL},
    {"many communicators", many_communicators, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "many", tests);
}
