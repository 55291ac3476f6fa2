/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * derived.c: ep_comm_dup, ep_comm_dup_with_info, ep_comm_idup.
 *
 * Catches: duplicates that hear each other's messages, hints and error handlers that get lost, requests of idup that
 * must be completed in the order of their start, or that need everyone to wait at the same time.
 */
#include "traffic.h"
#include <sched.h>
#include <stdlib.h>
#include <string.h>

static void everyone(const team_t *t, int all[])
{
    for (int r = 0; r < t->size; r++)
        all[r] = r;
}

/* A split that mixes processes: by index, then from the last process to the first. */
static ep_comm mixed(const team_t *t, int members[])
{
    int colors[TRAFFIC_MAX] = {0}, keys[TRAFFIC_MAX];
    ep_comm c = EP_COMM_NULL;
    for (int r = 0; r < t->size; r++) {
        int p = team_process_of(t, r), index = r;
        for (int q = 0; q < p; q++)
            index -= t->counts[q];
        keys[r] = 1000 * index - p;
    }
    in_order(t->size, colors, keys, 0, members);
    EXPECT_OK(ep_comm_split(t->comm, 0, keys[t->rank], &c));
    return c;
}

static void plain_dup(team_t *t, void *arg)
{
    int all[TRAFFIC_MAX], relation = -1, *tag_ub = NULL, flag = 0;
    ep_comm d = EP_COMM_NULL;
    ep_errhandler handler = EP_ERRHANDLER_NULL;
    (void)arg;
    everyone(t, all);
    if (!EXPECT_OK(ep_comm_dup(t->comm, &d)) || !expect_members(t, d, all, t->size, NULL, 0))
        return;
    EXPECT_OK(ep_comm_compare(t->comm, d, &relation));
    EXPECT_EQ(relation, MPI_CONGRUENT);
    EXPECT_OK(ep_comm_get_errhandler(d, &handler));
    EXPECT(handler == EP_ERRORS_RETURN);
    EXPECT_OK(ep_comm_get_attr(d, MPI_TAG_UB, &tag_ub, &flag));
    EXPECT(flag && tag_ub && *tag_ub >= 32767);
    traffic(t, d, all, TRAFFIC_LONG);
    EXPECT_OK(ep_comm_free(&d));
    EXPECT(d == EP_COMM_NULL);
}

static void dup_of_mixed(team_t *t, void *arg)
{
    int members[TRAFFIC_MAX];
    ep_comm c = mixed(t, members), d = EP_COMM_NULL, e = EP_COMM_NULL;
    (void)arg;
    if (!expect_members(t, c, members, t->size, NULL, 0) || !EXPECT_OK(ep_comm_dup(c, &d)))
        return;
    EXPECT_OK(ep_comm_free(&c));
    if (!expect_members(t, d, members, t->size, NULL, 0) || !EXPECT_OK(ep_comm_dup(d, &e)))
        return;
    traffic(t, d, members, TRAFFIC_LONG);
    EXPECT_OK(ep_comm_free(&d));
    if (expect_members(t, e, members, t->size, NULL, 0))
        traffic(t, e, members, TRAFFIC_LONG);
    EXPECT_OK(ep_comm_free(&e));
}

static void dups_apart(team_t *t, void *arg)
{
    int members[TRAFFIC_MAX];
    ep_comm c[6] = {t->comm};
    (void)arg;
    EXPECT_OK(ep_comm_dup(t->comm, &c[1]));
    EXPECT_OK(ep_comm_dup(t->comm, &c[2]));
    EXPECT_OK(ep_comm_dup(c[1], &c[3]));
    c[4] = mixed(t, members);
    EXPECT_OK(ep_comm_dup(c[4], &c[5]));
    expect_apart(t, c, 6);
    for (int i = 5; i > 0; i--)
        EXPECT_OK(ep_comm_free(&c[i]));
}

/* A receive of anything, posted on one communicator, is not met by what the same peer says on others. */
static void posted_apart(team_t *t, void *arg)
{
    int next = (t->rank + 1) % t->size, before = (t->rank + t->size - 1) % t->size, in[3], flag;
    ep_comm c[3] = {t->comm};
    ep_request r[3], sends[3];
    (void)arg;
    EXPECT_OK(ep_comm_dup(t->comm, &c[1]));
    EXPECT_OK(ep_comm_dup(c[1], &c[2]));
    for (int i = 0; i < 3; i++) {
        in[i] = -1;
        EXPECT_OK(ep_irecv(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, c[i], &r[i]));
    }
    team_barrier(t);
    for (int k = 2; k >= 0; k--) {
        int value = 10 * t->rank + k;
        EXPECT_OK(ep_issend(&value, 1, MPI_INT, next, 9, c[k], &sends[k]));
        EXPECT_OK(ep_wait(&r[k], EP_STATUS_IGNORE));
        EXPECT_OK(ep_wait(&sends[k], EP_STATUS_IGNORE));
        EXPECT_EQ(in[k], 10 * before + k);
        for (int i = 0; i < k; i++) {
            EXPECT_OK(ep_test(&r[i], &flag, EP_STATUS_IGNORE));
            EXPECT_EQ(flag, 0);
        }
        team_barrier(t); /* nobody speaks on the next one before all have looked */
    }
    EXPECT_OK(ep_comm_free(&c[2]));
    EXPECT_OK(ep_comm_free(&c[1]));
}

/* ---- Hints ---- */

static void expect_hint(ep_comm c, const char *key, const char *want)
{
    MPI_Info info = MPI_INFO_NULL;
    char value[100] = "";
    int flag = 0;
    if (!EXPECT_OK(ep_comm_get_info(c, &info)))
        return;
    MPI_Info_get(info, (char *)(uintptr_t)key, 99, value, &flag);
    EXPECT_EQ(flag, want != NULL);
    if (flag && want)
        EXPECT_STR(value, want);
    MPI_Info_free(&info);
}

static MPI_Info hint(const char *key, const char *value)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, (char *)(uintptr_t)key, (char *)(uintptr_t)value);
    return info;
}

static void hints(team_t *t, void *arg)
{
    int all[TRAFFIC_MAX];
    MPI_Info old = hint("tide", "high"), new = hint("wind", "west");
    ep_comm a, b, c, d;
    (void)arg;
    everyone(t, all);
    if (!EXPECT_OK(ep_comm_dup(t->comm, &a)))
        return;
    EXPECT_OK(ep_comm_set_info(a, old));
    EXPECT_OK(ep_comm_dup(a, &b));
    EXPECT_OK(ep_comm_dup_with_info(a, new, &c));
    EXPECT_OK(ep_comm_dup_with_info(a, MPI_INFO_NULL, &d));
    EXPECT_OK(ep_comm_set_info(b, new)); /* b's own, not a's */
    MPI_Info_free(&old);
    MPI_Info_free(&new);
    expect_hint(b, "tide", "high");
    expect_hint(b, "wind", "west");
    expect_hint(a, "tide", "high");
    expect_hint(a, "wind", NULL);
    expect_hint(c, "tide", NULL);
    expect_hint(c, "wind", "west");
    expect_hint(d, "tide", NULL);
    if (expect_members(t, c, all, t->size, NULL, 0))
        traffic(t, c, all, TRAFFIC_LONG);
    EXPECT_OK(ep_comm_free(&a));
    EXPECT_OK(ep_comm_free(&b));
    EXPECT_OK(ep_comm_free(&c));
    EXPECT_OK(ep_comm_free(&d));
}

/* ---- idup ---- */

enum { MANY = 6 };

/* Some endpoints are busy with other things for a while. */
static void compute(const team_t *t)
{
    volatile unsigned x = (unsigned)t->rank;
    for (int i = 0; t->rank % 2 && i < 200000; i++)
        x = x * 1664525u + 1013904223u;
}

/* Complete the requests in the endpoint's own way and order. */
static void complete_all(team_t *t, ep_request r[], int way)
{
    int index, flag, done = 0, list[MANY];
    switch (way % 5) {
    case 0:
        EXPECT_OK(ep_waitall(MANY, r, EP_STATUSES_IGNORE));
        break;
    case 1:
        for (int i = MANY - 1; i >= 0; i--)
            EXPECT_OK(ep_wait(&r[i], EP_STATUS_IGNORE));
        break;
    case 2:
        for (int i = 0; i < MANY; i++)
            for (flag = 0; !flag; sched_yield())
                if (!EXPECT_OK(ep_test(&r[(i + t->rank) % MANY], &flag, EP_STATUS_IGNORE)))
                    return;
        break;
    case 3:
        for (int i = 0; i < MANY; i++) {
            EXPECT_OK(ep_waitany(MANY, r, &index, EP_STATUS_IGNORE));
            EXPECT(index >= 0 && index < MANY);
        }
        break;
    default:
        for (int n = 0; done < MANY && n != MPI_UNDEFINED; done += n, sched_yield())
            if (!EXPECT_OK(ep_testsome(MANY, r, &n, list, EP_STATUSES_IGNORE)))
                return;
    }
    for (int i = 0; i < MANY; i++)
        EXPECT(r[i] == EP_REQUEST_NULL);
}

/* All start in one order, on two communicators, and complete in any. */
static void idup_many(team_t *t, void *arg)
{
    int all[TRAFFIC_MAX], members[TRAFFIC_MAX];
    ep_comm c = mixed(t, members), d[MANY];
    ep_request r[MANY];
    (void)arg;
    everyone(t, all);
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < MANY; i++) {
            EXPECT_OK(ep_comm_idup(i % 2 ? c : t->comm, &d[i], &r[i]));
            EXPECT(r[i] != EP_REQUEST_NULL);
        }
        compute(t);
        complete_all(t, r, t->rank + round);
        for (int i = 0; i < MANY; i++) {
            const int *who = i % 2 ? members : all;
            if (!expect_members(t, d[i], who, t->size, NULL, 0))
                return;
            traffic(t, d[i], who, i < 2 && round == 0 ? TRAFFIC_LONG : TRAFFIC_SHORT);
        }
        for (int i = 0; i < MANY; i++)
            EXPECT_OK(ep_comm_free(&d[(i + t->rank) % MANY]));
    }
    EXPECT_OK(ep_comm_free(&c));
}

static void idups_apart(team_t *t, void *arg)
{
    ep_comm c[MANY + 1];
    ep_request r[MANY];
    (void)arg;
    for (int i = 0; i < MANY; i++)
        EXPECT_OK(ep_comm_idup(t->comm, &c[i], &r[i]));
    if (!EXPECT_OK(ep_waitall(MANY, r, EP_STATUSES_IGNORE)))
        return;
    c[MANY] = t->comm;
    expect_apart(t, c, MANY + 1);
    for (int i = 0; i < MANY; i++)
        EXPECT_OK(ep_comm_free(&c[i]));
}

/* It does not block: the last to come is told to by a message that the others send after their call. */
static void idup_does_not_block(team_t *t, void *arg)
{
    int all[TRAFFIC_MAX], last = t->size - 1;
    ep_comm d = EP_COMM_NULL;
    ep_request r = EP_REQUEST_NULL;
    (void)arg;
    everyone(t, all);
    for (int i = 0; t->rank == last && i < last; i++)
        EXPECT_OK(ep_recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, 1, t->comm, EP_STATUS_IGNORE));
    EXPECT_OK(ep_comm_idup(t->comm, &d, &r));
    if (t->rank != last)
        EXPECT_OK(ep_send(NULL, 0, MPI_INT, last, 1, t->comm));
    if (EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE)) && expect_members(t, d, all, t->size, NULL, 0))
        traffic(t, d, all, TRAFFIC_SHORT);
    EXPECT_OK(ep_comm_free(&d));
}

/* Blocking calls overtake a pending idup; messages of the parent pass it. */
static void idup_and_others(team_t *t, void *arg)
{
    int all[TRAFFIC_MAX], n = t->size;
    ep_comm a = EP_COMM_NULL, b = EP_COMM_NULL, c = EP_COMM_NULL, e = EP_COMM_NULL;
    ep_request r[2];
    (void)arg;
    everyone(t, all);
    EXPECT_OK(ep_comm_idup(t->comm, &a, &r[0]));
    EXPECT_OK(ep_comm_split(t->comm, 0, 0, &b));
    EXPECT_OK(ep_comm_idup(b, &c, &r[1]));
    traffic(t, t->comm, all, TRAFFIC_SHORT);
    EXPECT_OK(ep_comm_dup(b, &e));
    for (int i = 0; i < 2; i++)
        EXPECT_OK(ep_wait(&r[(i + t->rank) % 2], EP_STATUS_IGNORE));
    ep_comm made[4] = {a, b, c, e};
    for (int i = 0; i < 4; i++) {
        if (expect_members(t, made[i], all, n, NULL, 0))
            traffic(t, made[i], all, TRAFFIC_SHORT);
        EXPECT_OK(ep_comm_free(&made[i]));
    }
}

/* ---- Errors ---- */

/* A collective request can only be completed (MPI 5.12). */
static void idup_stays(team_t *t, void *arg)
{
    ep_comm d = EP_COMM_NULL;
    ep_request r = EP_REQUEST_NULL, kept;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    (void)arg;
    EXPECT_OK(ep_comm_idup(t->comm, &d, &r));
    kept = r;
    EXPECT_RC(ep_request_free(&r), MPI_ERR_REQUEST);
    EXPECT_OK(ep_error_string(MPI_ERR_REQUEST, text, &length));
    EXPECT_CONTAINS(text, "ep_request_free");
    EXPECT_CONTAINS(text, "ep_comm_idup");
    EXPECT_RC(ep_cancel(&r), MPI_ERR_REQUEST);
    EXPECT(r == kept);
    EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
    EXPECT_OK(ep_comm_free(&d));
}

static void bad_handles_body(team_t *t, void *arg)
{
    ep_comm d = EP_COMM_NULL, gone = EP_COMM_NULL;
    ep_request r = EP_REQUEST_NULL;
    (void)arg;
    EXPECT_RC(ep_comm_dup(EP_COMM_NULL, &d), MPI_ERR_COMM);
    EXPECT_RC(ep_comm_dup_with_info(EP_COMM_NULL, MPI_INFO_NULL, &d), MPI_ERR_COMM);
    EXPECT_RC(ep_comm_idup(EP_COMM_NULL, &d, &r), MPI_ERR_COMM);
    EXPECT_RC(ep_comm_split(EP_COMM_NULL, 0, 0, &d), MPI_ERR_COMM);
    EXPECT_RC(ep_comm_free(&d), MPI_ERR_COMM);
    EXPECT_RC(ep_comm_disconnect(&d), MPI_ERR_COMM);
    EXPECT_RC(ep_comm_dup(t->comm, NULL), MPI_ERR_ARG);
    EXPECT_RC(ep_comm_idup(t->comm, &d, NULL), MPI_ERR_ARG);
    EXPECT_RC(ep_comm_split(t->comm, 0, 0, NULL), MPI_ERR_ARG);
    if (EXPECT_OK(ep_comm_dup(t->comm, &d))) {
        gone = d;
        EXPECT_OK(ep_comm_free(&d));
        team_barrier(t); /* nobody makes another in its place */
        EXPECT_RC(ep_comm_dup(gone, &d), MPI_ERR_COMM);
        EXPECT_RC(ep_comm_free(&gone), MPI_ERR_COMM);
        team_barrier(t);
    }
}

/* Errors without a communicator go to the process's handler. */
static void bad_handles(void)
{
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN));
    team_run(bad_handles_body, NULL);
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_ARE_FATAL));
}

static const harness_test tests[] = {
    {"dup", plain_dup, NULL},
    {"dup of mixed", dup_of_mixed, NULL},
    {"dups apart", dups_apart, NULL},
    {"posted apart", posted_apart, NULL},
    {"hints", hints, NULL},
    {"idup many", idup_many, NULL},
    {"idups apart", idups_apart, NULL},
    {"idup does not block", idup_does_not_block, NULL},
    {"idup and others", idup_and_others, NULL},
    {"idup cannot be freed or cancelled", idup_stays, NULL},
    {"bad handles", NULL, bad_handles},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "derived", tests);
}
