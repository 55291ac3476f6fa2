/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comm_cycles.c: communicators are derived and freed thousands of times; after that the process is no larger
 * and has no more MPI communicators than after a fifth of it.
 *
 * Catches: anything of a communicator that is not given back, or by some processes only: memory, matchers, the
 * MPI communicators underneath. Open MPI numbers its communicators from the lowest number that is free: a
 * number that grows is a leak. MPICH has room for 2048, so it runs out of them in these cycles.
 */
#include "inter_plan.h"
#include "memory.h"
#include <stdlib.h>

typedef void step(team_t *t, int i);

typedef struct {
    step *once;
    int cycles;
    long allocated, resident; /* of the process, noted by its first endpoint when a fifth is done */
    int number;
} plan;

/* What MPI numbers a new communicator now. Collective over the processes with endpoints, by their first ones, while
 * the others are outside of ep. */
static int next_number(void)
{
    MPI_Comm c;
    MPI_Comm_dup(MPI_COMM_SELF, &c);
#ifdef OPEN_MPI
    int number = (int)MPI_Comm_c2f(c);
#else
    int number = 0;
#endif
    MPI_Comm_free(&c);
    return number;
}

/* Neighbours exchange something on it: a communicator that was never used may cost less. */
static void use(team_t *t, ep_comm c, int i)
{
    int rank = -1, size = -1, in[2] = {-1, -1}, out[2] = {t->rank, i};
    EXPECT_OK(ep_comm_rank(c, &rank));
    EXPECT_OK(ep_comm_size(c, &size));
    EXPECT_OK(ep_sendrecv(out, 2, MPI_INT, (rank + 1) % size, 3, in, 2, MPI_INT, (rank + size - 1) % size, 3,
                          c, EP_STATUS_IGNORE));
    EXPECT_EQ(in[1], i);
}

static void dup_free(team_t *t, int i)
{
    ep_comm c = EP_COMM_NULL;
    if (!EXPECT_OK(ep_comm_dup(t->comm, &c)))
        return;
    if (i % 4 == 0)
        use(t, c, i);
    EXPECT_OK(ep_comm_free(&c));
}

static void split_free(team_t *t, int i)
{
    ep_comm c = EP_COMM_NULL;
    if (!EXPECT_OK(ep_comm_split(t->comm, i % 3 ? t->rank / 2 : t->rank % (1 + i % t->size),
                                 i % 2 ? -t->rank : 0, &c)))
        return;
    if (i % 4 == 0)
        use(t, c, i);
    EXPECT_OK(ep_comm_free(&c));
}

/* The child of a child, its parents freed before it. */
static void chain(team_t *t, int i)
{
    ep_comm c[3] = {0};
    ep_request r = EP_REQUEST_NULL;
    EXPECT_OK(ep_comm_idup(t->comm, &c[0], &r));
    EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
    EXPECT_OK(ep_comm_split(c[0], t->rank % 2, i, &c[1]));
    EXPECT_OK(ep_comm_free(&c[0]));
    EXPECT_OK(ep_comm_dup(c[1], &c[2]));
    EXPECT_OK(ep_comm_free(&c[1]));
    use(t, c[2], i);
    EXPECT_OK(i % 2 ? ep_comm_free(&c[2]) : ep_comm_disconnect(&c[2]));
}

static void inter_merge(team_t *t, int i)
{
    inter_plan b;
    ep_comm m = EP_COMM_NULL;
    if (inter_by_rule(t, &b, side_rules[i % side_rule_count])) {
        if (inter_build(t, &b) && EXPECT_OK(ep_intercomm_merge(b.inter, b.mine, &m))) {
            use(t, m, i);
            EXPECT_OK(ep_comm_free(&m));
        }
        inter_free(&b);
    }
}

static void groups(team_t *t, int i)
{
    ep_group all = EP_GROUP_NULL, some = EP_GROUP_NULL;
    ep_comm c = EP_COMM_NULL;
    int range[1][3] = {{t->rank % 2, t->size - 1, 2}};
    EXPECT_OK(ep_comm_group(t->comm, &all));
    EXPECT_OK(ep_group_range_incl(all, 1, range, &some));
    EXPECT_OK(i % 2 ? ep_comm_create(t->comm, some, &c) : ep_comm_create_group(t->comm, some, 1, &c));
    EXPECT_OK(ep_group_free(&some));
    EXPECT_OK(ep_group_free(&all));
    if (c != EP_COMM_NULL)
        EXPECT_OK(ep_comm_free(&c));
}

/* One member has another order in mind. */
static void errors(team_t *t, int i)
{
    ep_group all = EP_GROUP_NULL, some = EP_GROUP_NULL;
    ep_comm c = EP_COMM_NULL;
    int turned = t->rank == i % t->size,
        range[1][3] = {{turned ? t->size - 1 : 0, turned ? 0 : t->size - 1, 0}};
    range[0][2] = turned ? -1 : 1;
    EXPECT_OK(ep_comm_group(t->comm, &all));
    EXPECT_OK(ep_group_range_incl(all, 1, range, &some));
    EXPECT_RC(ep_comm_create(t->comm, some, &c), MPI_ERR_GROUP);
    EXPECT_OK(ep_group_free(&some));
    EXPECT_OK(ep_group_free(&all));
}

static void note(plan *p)
{
    p->number = next_number();
    p->allocated = memory_allocated();
    p->resident = memory_resident();
}

static void run_body(team_t *t, void *arg)
{
    plan *p = arg;
    for (int i = 0; i < p->cycles; i++) {
        p->once(t, i);
        if (i == p->cycles / 5) {
            team_barrier(t);
            if (t->index == 0)
                note(p);
            team_barrier(t);
        }
    }
    team_barrier(t);
    if (t->index)
        return;
    plan now;
    note(&now);
    EXPECT(now.number <= p->number + 8);
    EXPECT(now.allocated - p->allocated < 256 * 1024);
    EXPECT(now.resident - p->resident < 4 * 1024 * 1024);
}

static void run(step *once, int cycles)
{
    plan p = {.once = once, .cycles = cycles / harness_slowness()};
    team_run(run_body, &p);
}

static void run_dups(void)
{
    run(dup_free, 10000);
}

static void run_splits(void)
{
    run(split_free, 2000);
}

static void run_chains(void)
{
    run(chain, 500);
}

static void run_inters(void)
{
    run(inter_merge, 500);
}

static void run_groups(void)
{
    run(groups, 1000);
}

static void run_errors(void)
{
    run(errors, 1000);
}

/* Many at the same time: MPI has room for them, and the numbers come back. */
static void many_body(team_t *t, void *arg)
{
    enum { MANY = 200 };
    ep_comm c[MANY];
    int before = 0;
    (void)arg;
    for (int round = 0; round < 4; round++) {
        team_barrier(t);
        if (t->index == 0 && round == 1)
            before = next_number();
        if (t->index == 0 && round == 3)
            EXPECT(next_number() <= before + 8);
        team_barrier(t);
        for (int i = 0; i < MANY; i++)
            EXPECT_OK(ep_comm_dup(i ? c[(i - 1) / 2] : t->comm, &c[i]));
        use(t, c[MANY - 1], round);
        for (int i = 0; i < MANY; i++)
            EXPECT_OK(ep_comm_free(&c[(i * 7 + t->rank) % MANY]));
    }
}

static const harness_test tests[] = {
    {"dup and free", NULL, run_dups},  {"split and free", NULL, run_splits},
    {"chains", NULL, run_chains},      {"intercommunicators", NULL, run_inters},
    {"groups", NULL, run_groups},      {"errors", NULL, run_errors},
    {"many at once", many_body, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "comm_cycles", tests);
}
