/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * across_comms.c: messages on communicators that are just made or about to go, many at a time, of several domains.
 *
 * Catches: messages that come before their communicator is open here and are lost, swapped with later ones or given to
 * another; two communicators that take each other's messages; sends and descriptors that do not outlive their communicator;
 * processes counted differently in different domains.
 */
#include "across.h"

enum { TAG = 7, TAG_INTER = 5, MIDDLE = 3000, LARGE = 100000, POOL = 7, TIMES = 10 };

/* ---- everybody sends to all peers at once ---- */

typedef struct {
    ep_comm comm;
    int id, n, rank;
    char *large;
    int (*words)[MIDDLE / 4]; /* two messages */
    ep_request *sends;        /* 4 n, the last of them large */
} exchange;

static void fill_in(const exchange *x, int from, int buf[MIDDLE / 4], int k)
{
    for (int i = 0; i < MIDDLE / 4; i++)
        buf[i] = x->id + i * k;
    buf[0] = from;
}

/* Nothing but sends: others may not have the communicator yet. */
static exchange begin(ep_comm comm, int id)
{
    exchange x = {.comm = comm, .id = id};
    int inter = 0;
    EXPECT_OK(ep_comm_set_errhandler(comm, EP_ERRORS_RETURN));
    EXPECT_OK(ep_comm_test_inter(comm, &inter));
    EXPECT_OK(inter ? ep_comm_remote_size(comm, &x.n) : ep_comm_size(comm, &x.n));
    EXPECT_OK(ep_comm_rank(comm, &x.rank));
    x.large = xmalloc(LARGE);
    x.words = xmalloc(2 * sizeof *x.words);
    fill_in(&x, x.rank, x.words[0], 0);
    fill_in(&x, x.rank, x.words[1], 2);
    x.sends = xmalloc(4 * (size_t)x.n * sizeof *x.sends);
    fill(x.large, LARGE, (unsigned)(id + x.rank));
    for (int k = 0; k < 4; k++)
        for (int p = 0; p < x.n; p++) {
            ep_request *r = &x.sends[k * x.n + p];
            if (k == 3)
                EXPECT_OK(ep_isend(x.large, LARGE, MPI_BYTE, p, TAG, comm, r));
            else if (k == 1)
                EXPECT_OK(ep_issend(x.large, 100, MPI_BYTE, p, TAG, comm, r));
            else
                EXPECT_OK(ep_isend(x.words[k / 2], k ? MIDDLE / 4 : 5, MPI_INT, p, TAG, comm, r));
        }
    return x;
}

static void take_words(const exchange *x, int from, int k, int n)
{
    int got[MIDDLE / 4], want[MIDDLE / 4];
    ep_status status;
    EXPECT_OK(ep_recv(got, MIDDLE / 4, MPI_INT, from, TAG, x->comm, &status));
    fill_in(x, from, want, k);
    EXPECT(memcmp(got, want, (size_t)n * sizeof *got) == 0);
}

/* All but the large ones. */
static void middle(const exchange *x)
{
    char buf[100], want[100];
    for (int p = x->n - 1; p >= 0; p--) {
        fill(want, 100, (unsigned)(x->id + p));
        take_words(x, p, 0, 5);
        EXPECT_OK(ep_recv(buf, 100, MPI_BYTE, p, TAG, x->comm, EP_STATUS_IGNORE));
        EXPECT(memcmp(buf, want, 100) == 0);
        take_words(x, p, 2, MIDDLE / 4);
    }
}

/* The communicator is freed while large messages are on their way, out and in. */
static void finish(exchange *x)
{
    char *in = xmalloc((size_t)x->n * LARGE);
    ep_request *r = xmalloc((size_t)x->n * sizeof *r);
    for (int p = 0; p < x->n; p++)
        EXPECT_OK(ep_irecv(in + (size_t)p * LARGE, LARGE, MPI_BYTE, p, TAG, x->comm, &r[p]));
    EXPECT_OK(ep_comm_free(&x->comm));
    EXPECT_OK(ep_waitall(x->n, r, EP_STATUSES_IGNORE));
    for (int p = 0; p < x->n; p++)
        EXPECT_FILLED(in + (size_t)p * LARGE, LARGE, (unsigned)(x->id + p));
    EXPECT_OK(ep_waitall(4 * x->n, x->sends, EP_STATUSES_IGNORE));
    free(r);
    free(in);
    free(x->sends);
    free(x->words);
    free(x->large);
    x->n = 0;
}

/* ---- just made ---- */

/* Now some processes are late, now others; outside of ep, so nobody helps them. */
static void dawdle(team_t *t, int turn)
{
    if ((t->process + turn) % 2)
        nanosleep(&(struct timespec){.tv_nsec = 1000 * random_below(&t->random, 800)}, NULL);
}

/* Makes the POOL kinds of communicators of a turn; the messages on one go on while the next are made. */
static void make_all(team_t *t, int turn, exchange x[POOL])
{
    int odd = t->rank % 2, id = turn * 1000, n = 0, *ranks = xmalloc((size_t)t->size * sizeof *ranks);
    ep_comm comm, local, inter;
    ep_group all, some;
    ep_request r;
    dawdle(t, turn);
    EXPECT_OK(ep_comm_dup(t->comm, &comm));
    x[0] = begin(comm, id);
    dawdle(t, turn + 1);
    EXPECT_OK(ep_comm_split(t->comm, odd, t->size - t->rank, &local));
    x[1] = begin(local, id + 100 + odd);
    for (int p = 0; p < t->size; p++)
        if ((p + turn) % 3)
            ranks[n++] = p;
    EXPECT_OK(ep_comm_group(t->comm, &all));
    EXPECT_OK(ep_group_incl(all, n, ranks, &some));
    x[2] = (exchange){0};
    if ((t->rank + turn) % 3) {
        EXPECT_OK(ep_comm_create_group(t->comm, some, turn, &comm));
        x[2] = begin(comm, id + 200);
    }
    EXPECT_OK(ep_comm_idup(t->comm, &comm, &r));
    dawdle(t, turn); /* those who are through send to those who have not looked yet */
    EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
    x[3] = begin(comm, id + 300);
    dawdle(t, turn + 1);
    EXPECT_OK(
        ep_intercomm_create(local, 0, t->comm, t->size - 1 - ((t->size - 1) % 2 != !odd), TAG_INTER, &inter));
    x[4] = begin(inter, id + 400);
    EXPECT_OK(ep_intercomm_merge(inter, odd, &comm));
    x[5] = begin(comm, id + 500);
    dawdle(t, turn);
    EXPECT_OK(ep_comm_dup(inter, &comm));
    x[6] = begin(comm, id + 600);
    EXPECT_OK(ep_group_free(&all));
    EXPECT_OK(ep_group_free(&some));
    free(ranks);
}

static void just_made(team_t *t, void *arg)
{
    int times = TIMES / harness_slowness() / (t->size > 8 ? 4 : 1) + 1;
    exchange x[2][POOL] = {{{0}}};
    (void)arg;
    for (int turn = 0; turn <= times; turn++) {
        exchange *now = x[turn % 2], *before = x[!(turn % 2)];
        if (turn < times)
            make_all(t, turn, now);
        for (int i = POOL - 1; turn > 0 && i >= 0; i--) {
            if (before[i].n)
                middle(&before[i]);
            if (before[i].n)
                finish(&before[i]);
        }
    }
}

/* ---- several domains ---- */

typedef struct {
    ep_comm *back, *even,
        *odd; /* by local index: processes in reverse order; two by two; the same moved on by one */
} domains;

static ep_comm *endpoints_of(int color, int key)
{
    int n = team_local_count();
    ep_comm *made = xmalloc(((size_t)n + 1) * sizeof *made);
    MPI_Comm some;
    MPI_Comm_split(MPI_COMM_WORLD, color, key, &some);
    EXPECT_OK(ep_comm_create_endpoints(some, n, MPI_INFO_NULL, made));
    MPI_Comm_free(&some);
    return made;
}

/* Between the first two processes' endpoints and the others', which have no domain in common but the team's. */
static void intercomm_over(team_t *t, ep_comm local, int id)
{
    ep_comm inter, merged;
    int second = t->counts[0] + t->counts[1], upper = t->process >= 2;
    EXPECT_OK(ep_intercomm_create(local, 0, t->comm, upper ? 0 : second, TAG_INTER, &inter));
    EXPECT_OK(ep_intercomm_merge(inter, upper, &merged));
    exchange a = begin(inter, id), b = begin(merged, id + 1);
    middle(&b);
    middle(&a);
    finish(&a);
    finish(&b);
}

static void on_domains(team_t *t, void *arg)
{
    domains *u = arg;
    ep_comm *made[3] = {u->back, u->even, u->odd}, comm;
    exchange x[4];
    for (int turn = 0; turn < 3; turn++) {
        for (int i = 0; i < 4; i++) {
            EXPECT_OK(ep_comm_dup(i < 3 ? made[i][t->index] : t->comm, &comm));
            x[i] = begin(comm, turn * 40 + 10 * i);
        }
        for (int i = 3; i >= 0; i--)
            middle(&x[i]);
        for (int i = 0; i < 4; i++)
            finish(&x[i]);
    }
    if (t->processes == 4)
        intercomm_over(t, u->even[t->index], 500);
    for (int i = 0; i < 3; i++)
        EXPECT_OK(ep_comm_free(&made[i][t->index]));
}

static void several_domains(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    domains u = {endpoints_of(0, -rank), endpoints_of(rank / 2, rank), endpoints_of((rank + 1) / 2, rank)};
    team_run(on_domains, &u);
    free(u.back);
    free(u.even);
    free(u.odd);
}

static const harness_test tests[] = {
    {"just made", just_made, NULL},
    {"several domains", NULL, several_domains},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "across_comms", tests);
}
