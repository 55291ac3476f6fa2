/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * single_owner.c: communicators come and go among endpoints that were made with ep_single_owner=true, while the owners
 * of other endpoints of the process are inside other calls.
 *
 * Catches: a leader that acts on a neighbour's endpoint as if it had a lock, notices that get lost on the way to an owner,
 * anything that is not given back.
 */
#include "inter_plan.h"
#include "memory.h"
#include <stdlib.h>

/* Neighbours exchange something. */
static void use(team_t *t, ep_comm c, int i)
{
    int rank = -1, size = 0, in[2] = {-1, -1}, out[2] = {t->rank, i};
    EXPECT_OK(ep_comm_rank(c, &rank));
    EXPECT_OK(ep_comm_size(c, &size));
    EXPECT_OK(ep_sendrecv(out, 2, MPI_INT, (rank + 1) % size, 3, in, 2, MPI_INT, (rank + size - 1) % size, 3,
                          c, EP_STATUS_IGNORE));
    EXPECT_EQ(in[1], i);
}

static void dup_split(team_t *t, int i)
{
    ep_comm d = EP_COMM_NULL, s = EP_COMM_NULL;
    EXPECT_OK(ep_comm_dup(t->comm, &d));
    EXPECT_OK(ep_comm_split(d, (t->rank + i) % 2, i % 3 ? -t->rank : 0, &s));
    use(t, s, i);
    EXPECT_OK(ep_comm_free(i % 2 ? &d : &s));
    EXPECT_OK(ep_comm_free(i % 2 ? &s : &d));
}

/* Several duplications at a time, with messages in between. */
static void idups(team_t *t, int i)
{
    ep_comm c[3] = {0};
    ep_request r[3];
    for (int k = 0; k < 3; k++) {
        EXPECT_OK(ep_comm_idup(t->comm, &c[k], &r[k]));
        if ((t->rank + i) % 2)
            use(t, t->comm, i);
    }
    if ((t->rank + i) % 2 == 0)
        for (int k = 0; k < 3; k++)
            use(t, t->comm, i);
    EXPECT_OK(ep_waitall(3, r, EP_STATUSES_IGNORE));
    for (int k = 2; k >= 0; k--) {
        use(t, c[k], i);
        EXPECT_OK(ep_comm_free(&c[k]));
    }
}

static void inters(team_t *t, int i)
{
    inter_plan b;
    ep_comm m = EP_COMM_NULL;
    if (!inter_by_rule(t, &b, side_rules[i % side_rule_count]))
        return;
    if (inter_build(t, &b) && EXPECT_OK(ep_intercomm_merge(b.inter, b.mine, &m))) {
        use(t, m, i);
        EXPECT_OK(ep_comm_free(&m));
    }
    inter_free(&b);
}

/* Some free a communicator while their neighbours wait for a message on it or on its parent, which comes later. */
static void free_beside(team_t *t, int i)
{
    enum { N = 4 };
    int early = (t->rank + i) % 2 == 0, partner = t->rank ^ 1, got = -1;
    ep_comm c[N] = {0};
    for (int k = 0; k < N; k++)
        EXPECT_OK(ep_comm_dup(t->comm, &c[k]));
    for (int k = 0; k < N && partner < t->size; k++) {
        if (early)
            EXPECT_OK(ep_send(&k, 1, MPI_INT, partner, 4, c[k]));
        else
            EXPECT_OK(ep_recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 4, c[k], EP_STATUS_IGNORE));
        if (!early)
            EXPECT_EQ(got, k);
        if (early)
            EXPECT_OK(ep_comm_free(&c[k]));
    }
    if (early && partner < t->size)
        EXPECT_OK(ep_send(&i, 1, MPI_INT, partner, 5, t->comm));
    else if (partner < t->size)
        EXPECT_OK(ep_recv(&got, 1, MPI_INT, partner, 5, t->comm, EP_STATUS_IGNORE));
    for (int k = 0; k < N; k++)
        if (c[k] != EP_COMM_NULL)
            EXPECT_OK(ep_comm_free(&c[k]));
}

typedef void step(team_t *t, int i);

typedef struct {
    step *once;
    int cycles;
    long allocated, resident;
} plan;

static void cycle_body(team_t *t, void *arg)
{
    plan *p = arg;
    for (int i = 0; i < p->cycles; i++) {
        p->once(t, i);
        if (i == p->cycles / 4) {
            team_barrier(t);
            if (t->index == 0) {
                p->allocated = memory_allocated();
                p->resident = memory_resident();
            }
            team_barrier(t);
        }
    }
    team_barrier(t);
    if (t->index)
        return;
    EXPECT(memory_allocated() - p->allocated < 256 * 1024);
    EXPECT(memory_resident() - p->resident < 4 * 1024 * 1024);
}

static void run(step *once, int cycles)
{
    plan p = {.once = once, .cycles = cycles / harness_slowness()};
    int n = team_local_count();
    ep_comm *comms = xmalloc(((size_t)n + 1) * sizeof *comms);
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "ep_single_owner", "true");
    int ok = EXPECT_OK(ep_comm_create_endpoints(MPI_COMM_WORLD, n, info, comms));
    MPI_Info_free(&info);
    if (ok)
        team_run_on(comms, n, 0, cycle_body, &p);
    free(comms);
}

static void run_dup_split(void)
{
    run(dup_split, 400);
}

static void run_idups(void)
{
    run(idups, 200);
}

static void run_inters(void)
{
    run(inters, 100);
}

static void run_free_beside(void)
{
    run(free_beside, 200);
}

static const harness_test tests[] = {
    {"dup and split", NULL, run_dup_split},
    {"idups", NULL, run_idups},
    {"intercommunicators", NULL, run_inters},
    {"free beside", NULL, run_free_beside},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "single_owner", tests);
}
