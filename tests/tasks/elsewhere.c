/* SPDX-License-Identifier: BSD-3-Clause */
/* What is done for a task by others, or elsewhere: the end of an iwait, error handlers, MPI's blocking calls. */
#include <stdbool.h>
#include <stdlib.h>

#include "ends.h"

enum { DATA = 1, ACK, LAST };

/* ---- A loop that only looks ends the iwaits of its process ---- */

static bool look(const team_t *t, int kind, ep_request *ack)
{
    int flag = 0;
    ep_message m;
    switch (kind) {
    case 0:
        EXPECT_OK(ep_iprobe(left_of(t), ACK, t->comm, &flag, EP_STATUS_IGNORE));
        break;
    case 1:
        EXPECT_OK(ep_improbe(left_of(t), ACK, t->comm, &flag, &m, EP_STATUS_IGNORE));
        if (flag)
            EXPECT_OK(ep_mrecv(NULL, 0, MPI_INT, &m, EP_STATUS_IGNORE));
        break;
    case 2:
        EXPECT_OK(ep_test(ack, &flag, EP_STATUS_IGNORE));
        break;
    default:
        EXPECT_OK(ep_testall(1, ack, &flag, EP_STATUSES_IGNORE));
    }
    return flag;
}

/* Its data come, which lets the acknowledgement go, for which the right neighbour looks. */
static void looking(team_t *t, void *arg)
{
    int kind = *(int *)arg, got = -1;
    ep_request ack = EP_REQUEST_NULL;
#pragma omp task shared(got) depend(out : got)
    {
        ep_request r;
        EXPECT_OK(ep_irecv(&got, 1, MPI_INT, left_of(t), DATA, t->comm, &r));
        EXPECT_OK(ep_iwait(&r, EP_STATUS_IGNORE));
    }
#pragma omp task shared(got) depend(in : got)
    {
        EXPECT_EQ(got, left_of(t));
        EXPECT_OK(ep_send(NULL, 0, MPI_INT, right_of(t), ACK, t->comm));
    }
    EXPECT_OK(ep_send(&t->rank, 1, MPI_INT, right_of(t), DATA, t->comm));
    if (kind >= 2)
        EXPECT_OK(ep_irecv(NULL, 0, MPI_INT, left_of(t), ACK, t->comm, &ack));
    while (!look(t, kind, &ack))
        continue;
    if (kind == 0)
        EXPECT_OK(ep_recv(NULL, 0, MPI_INT, left_of(t), ACK, t->comm, EP_STATUS_IGNORE));
#pragma omp taskwait
}

static void looks(void)
{
    for (int kind = 0; kind < 4; kind++)
        ends_run(looking, &kind);
}

/* ---- An error handler that communicates, while nobody is in the call ---- */

static ep_comm *second; /* by rank: for the handler */
static _Atomic int handled;

static void handler(ep_comm *comm, int *code, ...)
{
    int rank;
    EXPECT_OK(ep_comm_rank(*comm, &rank));
    EXPECT_EQ(*code, MPI_ERR_TRUNCATE);
    EXPECT_OK(ep_ssend(&rank, 1, MPI_INT, rank, LAST, second[rank]));
    handled++;
}

static void failing(team_t *t, void *unused)
{
    int got[2] = {-1, -1}, from = -1, data[3] = {0, 0, 0};
    ep_status status = {.MPI_ERROR = -1};
    ep_errhandler h;
    (void)unused;
    EXPECT_OK(ep_comm_dup(t->comm, &second[t->rank]));
    EXPECT_OK(ep_comm_create_errhandler(handler, &h));
    EXPECT_OK(ep_comm_set_errhandler(t->comm, h));
    EXPECT_OK(ep_errhandler_free(&h));
#pragma omp task shared(got, status)
    {
        ep_request r;
        EXPECT_OK(ep_irecv(got, 1, MPI_INT, left_of(t), DATA, t->comm, &r));
        int rc = ep_iwait(&r, &status);
        EXPECT(rc == MPI_SUCCESS || rc == MPI_ERR_TRUNCATE); /* if it has ended already */
    }
#pragma omp task shared(from)
    EXPECT_OK(ep_recv(&from, 1, MPI_INT, t->rank, LAST, second[t->rank], EP_STATUS_IGNORE));
    EXPECT_OK(ep_barrier(second[t->rank]));
    EXPECT_OK(ep_send(data, 3, MPI_INT, right_of(t), DATA, t->comm));
#pragma omp taskwait
    EXPECT_EQ(from, t->rank);
    EXPECT_EQ(status.MPI_ERROR, MPI_ERR_TRUNCATE);
    EXPECT_EQ(status.MPI_SOURCE, left_of(t));
    EXPECT_EQ(got[1], -1);
    EXPECT_OK(ep_comm_set_errhandler(t->comm, EP_ERRORS_RETURN));
    EXPECT_OK(ep_comm_free(&second[t->rank]));
}

static void handlers(void)
{
    enum { MOST = 64 };
    second = xmalloc(MOST * sizeof *second);
    handled = 0;
    ends_run(failing, NULL);
    EXPECT_EQ(handled, team_local_count());
    free(second);
}

/* ---- A persistent request is ep_iwait's until it has ended ---- */

static void keeping(team_t *t, void *unused)
{
    int got = -1, from = -1;
    ep_request r;
    (void)unused;
    EXPECT_OK(ep_recv_init(&got, 1, MPI_INT, left_of(t), DATA, t->comm, &r));
#pragma omp task shared(r)
    {
        ep_request same = r;
        EXPECT_OK(ep_start(&r));
        EXPECT_OK(ep_iwait(&r, EP_STATUS_IGNORE));
        EXPECT(r == same);
        EXPECT_RC(ep_request_free(&r), MPI_ERR_REQUEST);
        EXPECT(r == same);
        EXPECT_OK(ep_send(&t->rank, 1, MPI_INT, left_of(t), ACK, t->comm));
    }
    EXPECT_OK(ep_recv(&from, 1, MPI_INT, right_of(t), ACK, t->comm, EP_STATUS_IGNORE));
    EXPECT_OK(ep_send(&t->rank, 1, MPI_INT, right_of(t), DATA, t->comm));
#pragma omp taskwait
    EXPECT_EQ(got, left_of(t));
    EXPECT_OK(ep_request_free(&r));
}
IN_TASKS(keeping)

/* The same for a generalized one, which belongs to no endpoint. */

static int say_nothing(void *extra, ep_status *status)
{
    (void)extra, (void)status;
    return MPI_SUCCESS;
}

static int let_go(void *extra)
{
    (void)extra;
    return MPI_SUCCESS;
}

static int leave(void *extra, int complete)
{
    (void)extra, (void)complete;
    return MPI_SUCCESS;
}

static void generalized(void)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    ep_request r;
    EXPECT_OK(
        ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN)); /* of what belongs to no communicator */
    EXPECT_OK(ep_grequest_start(say_nothing, let_go, leave, NULL, &r));
#pragma omp parallel
#pragma omp single
#pragma omp task shared(r, text, length)
    {
        ep_request same = r, again = r;
        EXPECT_OK(ep_iwait(&r, EP_STATUS_IGNORE));
        EXPECT(r == EP_REQUEST_NULL);
        EXPECT_RC(ep_request_free(&again), MPI_ERR_REQUEST);
        EXPECT_OK(ep_error_string(MPI_ERR_REQUEST, text, &length));
        EXPECT_OK(ep_grequest_complete(same));
    }
    EXPECT_CONTAINS(text, "ep_grequest_start");
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_ARE_FATAL));
}

/* ---- Endpoints made by tasks, in opposite orders in the processes ---- */

static void creations(void)
{
    enum { N = 4 };
    MPI_Comm parent[N];
    ep_comm made[N];
    int rank, sum[N], one = 1, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < N; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &parent[i]);
#pragma omp parallel
#pragma omp single
    for (int k = 0; k < N; k++) {
#pragma omp task firstprivate(k) shared(made, sum)
        {
            int i = rank % 2 ? N - 1 - k : k;
            EXPECT_OK(ep_comm_create_endpoints(parent[i], 1, MPI_INFO_NULL, &made[i]));
            EXPECT_OK(ep_allreduce(&one, &sum[i], 1, MPI_INT, MPI_SUM, made[i]));
            EXPECT_OK(ep_comm_free(&made[i]));
        }
    }
    for (int i = 0; i < N; i++) {
        EXPECT_EQ(sum[i], size);
        MPI_Comm_free(&parent[i]);
    }
}

/* The text of an error is the caller's, wherever it was found. */
static void wrong_creation(void)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;
#pragma omp parallel
#pragma omp single
#pragma omp task shared(text, length)
    {
        ep_comm none;
        EXPECT_OK(
            ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN)); /* of what belongs to no communicator */
        EXPECT_RC(ep_comm_create_endpoints(MPI_COMM_NULL, 1, MPI_INFO_NULL, &none), MPI_ERR_COMM);
        EXPECT_OK(ep_error_string(MPI_ERR_COMM, text, &length));
        EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_ARE_FATAL));
    }
    EXPECT_CONTAINS(text, "ep_comm_create_endpoints");
    EXPECT_CONTAINS(text, "MPI_COMM_NULL");
}

/* What belongs to no communicator is the world's that the caller is bound to. */
static void bound_creation(team_t *t, void *unused)
{
    ep_comm none;
    (void)unused;
    EXPECT_OK(ep_thread_bind(t->comm));
    EXPECT_RC(ep_comm_create_endpoints(MPI_COMM_NULL, 1, MPI_INFO_NULL, &none), MPI_ERR_COMM);
    EXPECT_OK(ep_thread_bind(EP_COMM_NULL));
}
IN_TASKS(bound_creation)

/* ---- A target region acts for the thread that met it: its world, its attached buffer ---- */

static void exchange_in_world(team_t *t, int *rank, int *got)
{
    EXPECT_OK(ep_comm_rank(EP_COMM_WORLD, rank));
    EXPECT_OK(ep_bsend(rank, 1, MPI_INT, right_of(t), DATA, EP_COMM_WORLD));
    EXPECT_OK(ep_recv(got, 1, MPI_INT, left_of(t), DATA, EP_COMM_WORLD, EP_STATUS_IGNORE));
}

/* A pointer, because GCC would compile functions that it knows for devices, too. */
static void (*volatile exchange)(team_t *, int *, int *) = exchange_in_world;

/* The thread's tasks bind it by turns; the region comes right after. */
static void bound_region(team_t *t, void *unused)
{
    enum { BYTES = sizeof(int) + EP_BSEND_OVERHEAD };
    void *buffer = xmalloc(BYTES), *detached = NULL;
    int rank = -1, got = -1, size;
    (void)unused;
    EXPECT_OK(ep_thread_bind(t->comm));
    EXPECT_OK(ep_buffer_attach(buffer, BYTES));
#pragma omp target map(tofrom : rank, got)
    exchange(t, &rank, &got);
    EXPECT_EQ(rank, t->rank);
    EXPECT_EQ(got, left_of(t));
    EXPECT_OK(ep_thread_bind(t->comm));
    EXPECT_OK(ep_buffer_detach(&detached, &size));
    EXPECT(detached == buffer);
    EXPECT_OK(ep_thread_bind(EP_COMM_NULL));
    free(buffer);
}
IN_TASKS(bound_region)

static void send_to_itself(team_t *t)
{
    EXPECT_OK(ep_bsend(&t->rank, 1, MPI_INT, t->rank, DATA, t->comm));
}

static void (*volatile send)(team_t *) = send_to_itself;

/* From a region to another within. */
static void send_from_further(team_t *t)
{
#pragma omp parallel num_threads(1)
#pragma omp single
#pragma omp task
    {
#pragma omp target
        send(t);
    }
}

/* A thread that is bound to no endpoint has a buffer of its own. */
static void unbound_region(team_t *t, void *unused)
{
    enum { BYTES = 2 * (sizeof(int) + EP_BSEND_OVERHEAD) };
    void *buffer, *detached = NULL;
    int got = -1, size;
    (void)unused;
    if (t->index > 0)
        return; /* of several endpoints one thread may run the tasks */
    buffer = xmalloc(BYTES);
    EXPECT_OK(ep_buffer_attach(buffer, BYTES));
#pragma omp target
    send_from_further(t);
    EXPECT_OK(ep_recv(&got, 1, MPI_INT, t->rank, DATA, t->comm, EP_STATUS_IGNORE));
    EXPECT_EQ(got, t->rank);
    EXPECT_OK(ep_buffer_detach(&detached, &size));
    EXPECT(detached == buffer);
    free(buffer);
}
IN_TASKS(unbound_region)

static const harness_test tests[] = {
    {"looks", NULL, looks},
    {"handlers", NULL, handlers},
    {"keeping", NULL, keeping_in_tasks},
    {"generalized", NULL, generalized},
    {"creations", NULL, creations},
    {"wrong creation", NULL, wrong_creation},
    {"bound creation", NULL, bound_creation_in_tasks},
    {"bound region", NULL, bound_region_in_tasks},
    {"unbound region", NULL, unbound_region_in_tasks},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "tasks: elsewhere", tests);
}
