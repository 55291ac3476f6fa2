/* SPDX-License-Identifier: BSD-3-Clause */
/* requests.c: what can be done with the request of a collective, and what cannot. */
#include "harness.h"

static void start(team_t *t, int *sum, ep_request *r)
{
    *sum = 1;
    EXPECT_OK(ep_iallreduce(MPI_IN_PLACE, sum, 1, MPI_INT, MPI_SUM, t->comm, r));
}

/* Looking at it leaves it alive. */
static void look(team_t *t, void *arg)
{
    ep_request r = EP_REQUEST_NULL;
    int sum, flag = 0;
    (void)arg;
    for (int i = 0; i < 20; i++) {
        start(t, &sum, &r);
        for (flag = 0; !flag;)
            EXPECT_OK(ep_request_get_status(r, &flag, EP_STATUS_IGNORE));
        EXPECT_EQ(sum, t->size);
        EXPECT_OK(ep_request_get_status(r, &flag, EP_STATUS_IGNORE));
        EXPECT_EQ(flag, 1);
        EXPECT(r != EP_REQUEST_NULL);
        EXPECT_OK(ep_test(&r, &flag, EP_STATUS_IGNORE));
        EXPECT_EQ(flag, 1);
        EXPECT(r == EP_REQUEST_NULL);
    }
}

/* It can neither be given up nor cancelled nor started again, and is alive after such a try. */
static void refused(team_t *t, void *arg)
{
    ep_request r = EP_REQUEST_NULL;
    int sum;
    (void)arg;
    for (int i = 0; i < 3; i++) {
        start(t, &sum, &r);
        if (i == 0)
            EXPECT_RC(ep_request_free(&r), MPI_ERR_REQUEST);
        if (i == 1)
            EXPECT_RC(ep_cancel(&r), MPI_ERR_REQUEST);
        if (i == 2)
            EXPECT_RC(ep_start(&r), MPI_ERR_REQUEST);
        EXPECT(r != EP_REQUEST_NULL);
        EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
        EXPECT_EQ(sum, t->size);
    }
}

/* Nothing has come by it, and nobody has sent it. */
static void statuses(team_t *t, void *arg)
{
    ep_request r = EP_REQUEST_NULL;
    ep_status status = {.MPI_SOURCE = 77, .MPI_TAG = 77};
    int sum, cancelled = 1, values[2] = {0, 1};
    (void)arg;
    start(t, &sum, &r);
    EXPECT_OK(ep_wait(&r, &status));
    EXPECT_OK(ep_test_cancelled(&status, &cancelled));
    EXPECT_EQ(cancelled, 0);
    ep_request several[3] = {EP_REQUEST_NULL};
    ep_status all[3];
    for (int i = 0; i < 3; i++)
        all[i].MPI_ERROR = MPI_SUCCESS;
    start(t, &sum, &several[0]);
    EXPECT_OK(ep_isend(&values[1], 1, MPI_INT, (t->rank + 1) % t->size, 3, t->comm, &several[1]));
    EXPECT_OK(ep_irecv(&values[0], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, t->comm, &several[2]));
    EXPECT_OK(ep_waitall(3, several, all));
    EXPECT_EQ(all[2].MPI_TAG, 3);
    EXPECT_EQ(all[2].MPI_SOURCE, (t->rank + t->size - 1) % t->size);
    EXPECT_EQ(values[0], 1);
}

/* Errors that belong to no communicator are raised on the process's default handler. */
static void run_refused(void)
{
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN));
    team_run(refused, NULL);
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_ARE_FATAL));
}

static const harness_test tests[] = {
    {"look", look, NULL},
    {"refused", NULL, run_refused},
    {"statuses", statuses, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "coll_requests", tests);
}
