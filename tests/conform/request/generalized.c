/* SPDX-License-Identifier: BSD-3-Clause */
/* Generalized requests: completed before or after they are waited for, in all calls, cancelled (MPI 12.2). */
#include "../expect.h"

struct job {
    int queried, freed, cancelled, complete;
};

static int query(void *state, MPI_Status *status)
{
    struct job *job = state;

    job->queried++;
    status->MPI_SOURCE = 11;
    status->MPI_TAG = 22;
    MPI_Status_set_elements(status, MPI_INT, 33);
    MPI_Status_set_cancelled(status, job->cancelled > 0);
    return MPI_SUCCESS;
}

static int release(void *state)
{
    ((struct job *)state)->freed++;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    ((struct job *)state)->cancelled++;
    ((struct job *)state)->complete = complete;
    return MPI_SUCCESS;
}

static MPI_Request start(struct job *job)
{
    MPI_Request request;

    memset(job, 0, sizeof *job);
    CALL(MPI_Grequest_start(query, release, cancel, job, &request));
    return request;
}

static void waited(void)
{
    struct job job;
    MPI_Request request = start(&job), copy = request;
    MPI_Status status;
    int flag = 1, cancelled = 1;

    CALL(MPI_Test(&request, &flag, &status));
    CHECK(!flag && job.queried == 0 && job.freed == 0);
    CALL(MPI_Grequest_complete(request));
    CALL(MPI_Request_get_status(copy, &flag, &status));
    CHECK(flag && job.freed == 0);
    CALL(MPI_Wait(&request, &status));
    CHECK(request == MPI_REQUEST_NULL);
    expect_status("wait", &status, 11, 22, 33);
    MPI_Test_cancelled(&status, &cancelled);
    CHECK(!cancelled && job.queried >= 1 && job.freed == 1 && job.cancelled == 0);
}

static void cancelled(void)
{
    struct job job;
    MPI_Request request = start(&job);
    MPI_Status status;
    int flag = 0;

    CALL(MPI_Cancel(&request));
    CHECK(job.cancelled == 1 && job.complete == 0);
    CALL(MPI_Grequest_complete(request));
    CALL(MPI_Cancel(&request));
    CHECK(job.cancelled == 2 && job.complete != 0);
    CALL(MPI_Wait(&request, &status));
    MPI_Test_cancelled(&status, &flag);
    CHECK(flag && job.freed == 1);
}

static void given_up(void)
{
    struct job jobs[2];
    MPI_Request request = start(&jobs[0]), copy = request;

    CALL(MPI_Request_free(&request));
    CHECK(request == MPI_REQUEST_NULL && jobs[0].freed == 0);
    CALL(MPI_Grequest_complete(copy));
    expect_int("freed", jobs[0].freed, 1);
    request = start(&jobs[1]);
    CALL(MPI_Grequest_complete(request));
    CALL(MPI_Request_free(&request));
    expect_int("freed", jobs[1].freed, 1);
}

/* Among others, in the calls for many. */
static void many(MPI_Comm comm)
{
    struct job job;
    MPI_Request requests[3];
    MPI_Status statuses[3];
    int out = 5, in = 0, place, flag, done, indices[3];

    CALL(MPI_Irecv(&in, 1, MPI_INT, 0, 1, comm, &requests[0]));
    requests[1] = start(&job);
    CALL(MPI_Isend(&out, 1, MPI_INT, 0, 1, comm, &requests[2]));
    CALL(MPI_Grequest_complete(requests[1]));
    CALL(MPI_Waitall(3, requests, statuses));
    expect_status("receive", &statuses[0], 0, 1, 1);
    expect_status("generalized", &statuses[1], 11, 22, 33);
    requests[1] = start(&job);
    CALL(MPI_Testany(3, requests, &place, &flag, statuses));
    CHECK(!flag);
    CALL(MPI_Grequest_complete(requests[1]));
    CALL(MPI_Waitany(3, requests, &place, statuses));
    CHECK(place == 1);
    expect_status("waitany", &statuses[0], 11, 22, 33);
    requests[2] = start(&job);
    CALL(MPI_Grequest_complete(requests[2]));
    CALL(MPI_Testsome(3, requests, &done, indices, statuses));
    CHECK(done == 1 && indices[0] == 2 && job.freed == 1);
    requests[0] = start(&job);
    CALL(MPI_Grequest_complete(requests[0]));
    CALL(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
    CHECK(job.freed == 1);
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    waited();
    cancelled();
    given_up();
    many(MPI_COMM_SELF);
    return conform_end(0);
}
