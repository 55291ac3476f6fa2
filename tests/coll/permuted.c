/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * permuted.c: collectives on communicators whose ranks are in another order than the endpoints, on parts of them, on
 * several at the same time, and on those of one endpoint.
 *
 * Catches: data ordered by process or local index instead of rank, calls on one communicator that meet those on
 * another, communicators without an endpoint in some process.
 */
#include "sweeps.h"
#include "traffic.h"

static void sweep(ep_comm comm)
{
    seat s = seat_on(comm);
    sweep_movement(&s, SWEEP_SHORT);
    sweep_reductions(&s, SWEEP_SHORT);
}

static void split_and_sweep(team_t *t, int color, int key)
{
    ep_comm c = EP_COMM_NULL;
    if (!EXPECT_OK(ep_comm_split(t->comm, color, key, &c)) || c == EP_COMM_NULL)
        return;
    sweep(c);
    EXPECT_OK(ep_comm_free(&c));
}

static void reversed(team_t *t, void *arg)
{
    (void)arg;
    split_and_sweep(t, 0, -t->rank);
}

/* Neighbours in rank live in different processes. */
static void dealt(team_t *t, void *arg)
{
    (void)arg;
    split_and_sweep(t, 0, t->index);
}

static void shuffled(team_t *t, void *arg)
{
    (void)arg;
    for (uint64_t i = 0; i < 3; i++) {
        int key = (int)(mix(harness_seed() + i, (uint64_t)t->rank) % 1000);
        ep_comm c = EP_COMM_NULL;
        if (!EXPECT_OK(ep_comm_split(t->comm, 0, key, &c)))
            return;
        seat s = seat_on(c);
        sweep_once(&s, harness_seed() + i, 300);
        sweep_once(&s, harness_seed() + 10 + i, 10000);
        EXPECT_OK(ep_comm_free(&c));
    }
}

/* Two at the same time that share all processes; then those of one process; then all but one endpoint. */
static void parts(team_t *t, void *arg)
{
    (void)arg;
    split_and_sweep(t, t->rank % 2, -t->rank);
    split_and_sweep(t, t->process, t->rank);
    split_and_sweep(t, t->rank == t->size / 2 ? MPI_UNDEFINED : 3, t->rank * 5 % 7);
}

/* A part of a part, and duplicates: used in turn, and apart from their parents. */
static void nested(team_t *t, void *arg)
{
    ep_comm c[4] = {0};
    (void)arg;
    EXPECT_OK(ep_comm_split(t->comm, t->rank % 3 == 0, -t->rank, &c[0]));
    EXPECT_OK(ep_comm_dup(c[0], &c[1]));
    EXPECT_OK(ep_comm_split(c[1], t->rank % 2, t->rank, &c[2]));
    EXPECT_OK(ep_comm_dup(t->comm, &c[3]));
    for (int i = 0; i < 12; i++) {
        seat s = seat_on(c[i % 4]);
        sweep_once(&s, (uint64_t)i, i % 3 ? 50 : 4000);
    }
    for (int i = 0; i < 4; i++)
        EXPECT_OK(ep_comm_free(&c[i]));
}

/* Everybody is a member of many overlapping pairs, which are used in an order that has no cycle. */
static void pairs(team_t *t, void *arg)
{
    (void)arg;
    for (int distance = 1; distance < t->size && distance < 5; distance++)
        for (int phase = 0; phase < 2; phase++) {
            int color = (t->rank + phase * distance) / (2 * distance) * distance +
                        (t->rank + phase * distance) % distance;
            ep_comm c = EP_COMM_NULL;
            if (!EXPECT_OK(ep_comm_split(t->comm, color, -t->rank, &c)))
                return;
            seat s = seat_on(c);
            sweep_once(&s, (uint64_t)(distance * 100 + color), 700);
            EXPECT_OK(ep_comm_free(&c));
        }
}

static void *many_times(void *arg)
{
    for (uint64_t i = 0; i < 6; i++)
        sweep_once(arg, i, i % 3 ? 60 : 5000);
    return NULL;
}

/* Every endpoint has two threads, each with a communicator. */
static void two_threads(team_t *t, void *arg)
{
    ep_comm c = EP_COMM_NULL;
    (void)arg;
    EXPECT_OK(ep_comm_split(t->comm, 0, -t->rank, &c));
    seat mine = seat_on(t->comm), another = seat_on(c);
    side_by_side(many_times, &mine, &another);
    EXPECT_OK(ep_comm_free(&c));
}

static void alone(team_t *t, void *arg)
{
    (void)arg;
    split_and_sweep(t, t->rank, 0);
    EXPECT_OK(ep_thread_bind(t->comm));
    sweep(EP_COMM_SELF);
    EXPECT_OK(ep_thread_bind(EP_COMM_NULL));
}

static void run(team_body *body)
{
    oracle_open();
    team_run(body, NULL);
    oracle_close();
}

static void run_reversed(void)
{
    run(reversed);
}

static void run_dealt(void)
{
    run(dealt);
}

static void run_shuffled(void)
{
    run(shuffled);
}

static void run_parts(void)
{
    run(parts);
}

static void run_nested(void)
{
    run(nested);
}

static void run_pairs(void)
{
    run(pairs);
}

static void run_alone(void)
{
    run(alone);
}

static void run_two_threads(void)
{
    run(two_threads);
}

static const harness_test tests[] = {
    {"reversed", NULL, run_reversed}, {"dealt", NULL, run_dealt},
    {"shuffled", NULL, run_shuffled}, {"parts", NULL, run_parts},
    {"nested", NULL, run_nested},     {"pairs", NULL, run_pairs},
    {"alone", NULL, run_alone},       {"two threads", NULL, run_two_threads},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "permuted", tests);
}
