/* SPDX-License-Identifier: BSD-3-Clause */
/* completion.c: the wait and test families, over requests of several kinds and communicators. */
#include "pairs.h"
#include <stdlib.h>
#include <string.h>

enum { N = 8, TAG_GO = 90 };

static void check_empty(const ep_status *status)
{
    int count = -1, cancelled = -1;
    EXPECT_EQ(status->MPI_SOURCE, MPI_ANY_SOURCE);
    EXPECT_EQ(status->MPI_TAG, MPI_ANY_TAG);
    EXPECT_OK(ep_get_count(status, MPI_INT, &count));
    EXPECT_EQ(count, 0);
    EXPECT_OK(ep_test_cancelled(status, &cancelled));
    EXPECT_EQ(cancelled, 0);
}

static void spoil(ep_status statuses[], int n)
{
    memset(statuses, 0x3c, (size_t)n * sizeof *statuses);
}

/* Null and inactive requests: complete at once, with the empty status and index MPI_UNDEFINED. */
static void check_nothing_to_wait_for(ep_request requests[], int n)
{
    ep_status statuses[N];
    int flag = 0, index = 0, outcount = 0, indices[N];
    spoil(statuses, N);
    EXPECT_OK(ep_wait(&requests[0], statuses));
    check_empty(statuses);
    spoil(statuses, N);
    EXPECT_OK(ep_test(&requests[n - 1], &flag, statuses));
    EXPECT_EQ(flag, 1);
    check_empty(statuses);
    spoil(statuses, N);
    EXPECT_OK(ep_waitany(n, requests, &index, statuses));
    EXPECT_EQ(index, MPI_UNDEFINED);
    check_empty(statuses);
    index = flag = 0;
    EXPECT_OK(ep_testany(n, requests, &index, &flag, EP_STATUS_IGNORE));
    EXPECT(flag && index == MPI_UNDEFINED);
    spoil(statuses, N);
    EXPECT_OK(ep_waitall(n, requests, statuses));
    for (int i = 0; i < n; i++)
        check_empty(&statuses[i]);
    flag = 0;
    EXPECT_OK(ep_testall(n, requests, &flag, EP_STATUSES_IGNORE));
    EXPECT_EQ(flag, 1);
    EXPECT_OK(ep_waitsome(n, requests, &outcount, indices, statuses));
    EXPECT_EQ(outcount, MPI_UNDEFINED);
    outcount = 0;
    EXPECT_OK(ep_testsome(n, requests, &outcount, indices, statuses));
    EXPECT_EQ(outcount, MPI_UNDEFINED);
}

static void null_and_inactive(team_t *t, void *arg)
{
    ep_request requests[3] = {EP_REQUEST_NULL, EP_REQUEST_NULL, EP_REQUEST_NULL};
    int x = 0, index = 0, flag = 0, outcount = 0;
    (void)arg;
    check_nothing_to_wait_for(requests, 3);
    EXPECT_OK(ep_recv_init(&x, 1, MPI_INT, t->rank, 0, t->comm, &requests[1]));
    EXPECT_OK(ep_send_init(&x, 1, MPI_INT, t->rank, 0, t->comm, &requests[2]));
    check_nothing_to_wait_for(requests, 3);
    EXPECT(requests[1] != EP_REQUEST_NULL && requests[2] != EP_REQUEST_NULL);
    EXPECT_OK(ep_request_free(&requests[1]));
    EXPECT_OK(ep_request_free(&requests[2]));
    EXPECT_OK(ep_waitall(0, NULL, NULL)); /* and none at all */
    EXPECT_OK(ep_testall(0, NULL, &flag, NULL));
    EXPECT_EQ(flag, 1);
    EXPECT_OK(ep_waitany(0, NULL, &index, EP_STATUS_IGNORE));
    EXPECT_EQ(index, MPI_UNDEFINED);
    EXPECT_OK(ep_waitsome(0, NULL, &outcount, NULL, NULL));
    EXPECT_EQ(outcount, MPI_UNDEFINED);
}

/* N receives with tags 0..N-1; the partner sends one tag at a time, on demand. */
typedef struct {
    team_t *t;
    int partner, values[N];
    ep_request requests[N];
} posted;

static void post(posted *p, team_t *t, int partner)
{
    p->t = t;
    p->partner = partner;
    for (int i = 0; i < N; i++) {
        p->values[i] = -1;
        EXPECT_OK(ep_irecv(&p->values[i], 1, MPI_INT, partner, i, t->comm, &p->requests[i]));
    }
}

static void ask(posted *p, int tag)
{
    EXPECT_OK(ep_send(&tag, 1, MPI_INT, p->partner, TAG_GO, p->t->comm));
}

static void check_done(posted *p, int i, const ep_status *status)
{
    if (!EXPECT(i >= 0 && i < N))
        return;
    EXPECT(p->requests[i] == EP_REQUEST_NULL);
    EXPECT_EQ(p->values[i], 100 * p->partner + i);
    EXPECT_EQ(status->MPI_SOURCE, p->partner);
    EXPECT_EQ(status->MPI_TAG, i);
}

/* Sends tag k for each k asked for; -1 ends it. */
static void serve(team_t *t, int partner)
{
    for (int tag = 0; tag >= 0;) {
        EXPECT_OK(ep_recv(&tag, 1, MPI_INT, partner, TAG_GO, t->comm, EP_STATUS_IGNORE));
        int value = 100 * t->rank + tag;
        if (tag >= 0)
            EXPECT_OK(ep_send(&value, 1, MPI_INT, partner, tag, t->comm));
    }
}

static void drive_any(posted *p)
{
    static const int order[N] = {3, 0, 7, 6, 1, 2, 5, 4};
    ep_status status;
    for (int k = 0; k < N; k++) {
        int index = -1, flag = 1;
        EXPECT_OK(ep_testany(N, p->requests, &index, &flag, &status));
        EXPECT_EQ(flag, 0);
        EXPECT_EQ(index, MPI_UNDEFINED);
        ask(p, order[k]);
        if (k % 2) {
            EXPECT_OK(ep_waitany(N, p->requests, &index, &status));
        } else {
            for (flag = 0; !flag;)
                if (!EXPECT_OK(ep_testany(N, p->requests, &index, &flag, &status)))
                    return;
        }
        EXPECT_EQ(index, order[k]);
        check_done(p, index, &status);
    }
}

static void drive_some(posted *p)
{
    int done = 0, outcount, indices[N], testing = 0;
    ep_status statuses[N];
    EXPECT_OK(ep_testsome(N, p->requests, &outcount, indices, statuses));
    EXPECT_EQ(outcount, 0);
    for (int k = 0; k < N; k++)
        ask(p, N - 1 - k);
    while (done < N) {
        outcount = -1;
        if (!EXPECT_OK((testing ? ep_testsome : ep_waitsome)(N, p->requests, &outcount, indices, statuses)))
            return;
        if (!EXPECT(outcount >= !testing && outcount <= N - done))
            return;
        for (int k = 0; k < outcount; k++)
            check_done(p, indices[k], &statuses[k]);
        done += outcount;
        testing = !testing;
    }
    EXPECT_OK(ep_waitsome(N, p->requests, &outcount, indices, statuses));
    EXPECT_EQ(outcount, MPI_UNDEFINED);
}

static void drive_all(posted *p, int by_test)
{
    ep_status statuses[N];
    ep_request before[N];
    int flag = 1;
    for (int k = 1; k < N; k++)
        ask(p, k);
    memcpy(before, p->requests, sizeof before);
    EXPECT_OK(ep_testall(N, p->requests, &flag, statuses)); /* tag 0 is missing */
    EXPECT_EQ(flag, 0);
    EXPECT(memcmp(before, p->requests, sizeof before) == 0); /* none of them is given up */
    ask(p, 0);
    if (by_test) {
        for (flag = 0; !flag;)
            if (!EXPECT_OK(ep_testall(N, p->requests, &flag, statuses)))
                return;
    } else {
        EXPECT_OK(ep_waitall(N, p->requests, statuses));
    }
    for (int k = 0; k < N; k++)
        check_done(p, k, &statuses[k]);
}

static void drive_single(posted *p)
{
    ep_status status;
    for (int k = 0; k < N; k++)
        ask(p, k);
    for (int k = N - 1; k >= 0; k--) { /* waited for in reverse */
        int flag = 0;
        if (k % 2)
            EXPECT_OK(ep_wait(&p->requests[k], &status));
        while (k % 2 == 0 && !flag)
            if (!EXPECT_OK(ep_test(&p->requests[k], &flag, &status)))
                return;
        check_done(p, k, &status);
    }
}

static void pair_families(team_t *t, int partner, void *arg)
{
    (void)arg;
    for (int turn = 0; turn < 2; turn++) {
        if ((t->rank < partner) == turn) {
            serve(t, partner);
            continue;
        }
        posted p;
        for (int family = 0; family < 5; family++) {
            post(&p, t, partner);
            if (family == 0)
                drive_any(&p);
            else if (family == 1)
                drive_some(&p);
            else if (family < 4)
                drive_all(&p, family == 3);
            else
                drive_single(&p);
        }
        ask(&p, -1);
    }
}

static void families(team_t *t, void *arg)
{
    for_pairs(t, pair_families, arg);
}

/* Sends and receives, null and persistent requests of two communicators in one waitall, without statuses. */
static void mixture(team_t *t, void *arg)
{
    ep_comm other = ((ep_comm *)arg)[t->index];
    int next = (t->rank + 1) % t->size, before = (t->rank + t->size - 1) % t->size;
    int out[3] = {t->rank, t->rank + 1000, t->rank + 2000}, in[3] = {-1, -1, -1};
    ep_request requests[7] = {EP_REQUEST_NULL}, persistent;
    EXPECT_OK(ep_irecv(&in[0], 1, MPI_INT, before, 1, t->comm, &requests[0]));
    EXPECT_OK(ep_isend(&out[1], 1, MPI_INT, next, 1, other, &requests[1]));
    requests[2] = EP_REQUEST_NULL;
    EXPECT_OK(ep_recv_init(&in[1], 1, MPI_INT, before, 1, other, &requests[3]));
    EXPECT_OK(ep_start(&requests[3]));
    EXPECT_OK(ep_isend(&out[0], 1, MPI_INT, next, 1, t->comm, &requests[4]));
    EXPECT_OK(ep_irecv(&in[2], 1, MPI_INT, MPI_ANY_SOURCE, 2, other, &requests[5]));
    EXPECT_OK(ep_issend(&out[2], 1, MPI_INT, next, 2, other, &requests[6]));
    persistent = requests[3];
    EXPECT_OK(ep_waitall(7, requests, EP_STATUSES_IGNORE));
    for (int i = 0; i < 7; i++)
        EXPECT(requests[i] == (i == 3 ? persistent : EP_REQUEST_NULL));
    for (int i = 0; i < 3; i++)
        EXPECT_EQ(in[i], before + 1000 * i);
    EXPECT_OK(ep_request_free(&requests[3]));
    EXPECT_OK(ep_comm_free(&other));
}

static void two_communicators(void)
{
    int n = team_local_count();
    ep_comm *comms = xmalloc(2 * (size_t)n * sizeof *comms);
    int ok = EXPECT_OK(ep_comm_create_endpoints(MPI_COMM_WORLD, n, MPI_INFO_NULL, comms));
    ok &= EXPECT_OK(ep_comm_create_endpoints(MPI_COMM_WORLD, n, MPI_INFO_NULL, comms + n));
    if (ok)
        team_run_on(comms, n, 0, mixture, comms + n);
    free(comms);
}

/* One thread waits for the requests of all endpoints of its process. */
static void all_of_process(void)
{
    int n = team_local_count(), *in = xmalloc((size_t)n * sizeof *in),
        *out = xmalloc((size_t)n * sizeof *out);
    ep_comm *comms = xmalloc((size_t)n * sizeof *comms);
    ep_request *requests = xmalloc(2 * (size_t)n * sizeof *requests);
    if (EXPECT_OK(ep_comm_create_endpoints(MPI_COMM_WORLD, n, MPI_INFO_NULL, comms))) {
        for (int i = 0; i < n; i++) {
            int rank, size;
            EXPECT_OK(ep_comm_rank(comms[i], &rank));
            EXPECT_OK(ep_comm_size(comms[i], &size));
            out[i] = rank;
            EXPECT_OK(ep_irecv(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, comms[i], &requests[i]));
            EXPECT_OK(ep_issend(&out[i], 1, MPI_INT, (rank + 3) % size, 0, comms[i], &requests[n + i]));
        }
        EXPECT_OK(ep_waitall(2 * n, requests, EP_STATUSES_IGNORE));
        for (int i = 0; i < n; i++) {
            int size;
            EXPECT_OK(ep_comm_size(comms[i], &size));
            EXPECT_EQ((in[i] + 3) % size, out[i]);
            EXPECT_OK(ep_comm_free(&comms[i]));
        }
    }
    free(requests);
    free(comms);
    free(in);
    free(out);
}

static const harness_test tests[] = {
    {"null and inactive", null_and_inactive, NULL},
    {"wait and test families", families, NULL},
    {"two communicators", NULL, two_communicators},
    {"one thread for all endpoints", NULL, all_of_process},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "completion", tests);
}
