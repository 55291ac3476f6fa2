/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lifetimes.c: progress from loops that only test, owners that serve two sets of endpoints, and what may be freed
 * while something is still pending.
 *
 * Catches: test loops that do not serve other endpoints, ep_single_owner as a licence to leave an endpoint's
 * messages lying (both hang), handles recycled under another's hands, buffers and EP_COMM_SELF that go with their world
 * too early (crashes, wrong data).
 */
#include "harness.h"
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { BIG = 100000, TAG = 5 };

/* The receiver has posted its receive and computes; its neighbour sends by testing in a loop. Near pairs only: between
 * processes MPI itself decides. */
static void test_loop(team_t *t, void *arg)
{
    int peer = t->rank ^ 1, flag = 0;
    char *buf = xmalloc(BIG);
    ep_request r = EP_REQUEST_NULL;
    int paired = peer < t->size && team_near(t, peer);
    if (paired && t->rank > peer)
        EXPECT_OK(ep_irecv(buf, BIG, MPI_BYTE, peer, TAG, t->comm, &r));
    team_barrier(t);
    if (paired && t->rank < peer) {
        fill(buf, BIG, (unsigned)t->rank);
        EXPECT_OK(ep_issend(buf, BIG, MPI_BYTE, peer, TAG, t->comm, &r));
        while (!flag)
            EXPECT_OK(ep_test(&r, &flag, EP_STATUS_IGNORE));
#pragma omp atomic
        ((int *)arg)[peer]++;
    } else if (paired) {
        for (int seen = 0; !seen;) { /* without a call of ep */
#pragma omp atomic read
            seen = ((int *)arg)[t->rank];
            sched_yield();
        }
        EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
        EXPECT_FILLED(buf, BIG, (unsigned)peer);
    }
    free(buf);
}

static void test_loop_progress(void)
{
    int *done = calloc(4096, sizeof *done);
    team_run(test_loop, done);
    free(done);
}

/* Each thread owns an endpoint of two sets, has a receive pending on one and blocks on the other. */
static void two_sets(team_t *t, void *arg)
{
    ep_comm a = ((ep_comm *)arg)[t->index];
    int peer = t->rank ^ 1, value = 0;
    char *buf = xmalloc(BIG);
    ep_request r;
    if (peer < t->size && t->rank < peer) {
        EXPECT_OK(ep_irecv(buf, BIG, MPI_BYTE, peer, TAG, a, &r));
        EXPECT_OK(ep_recv(&value, 1, MPI_INT, peer, TAG, t->comm, EP_STATUS_IGNORE));
        EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
        EXPECT_EQ(value, peer);
        EXPECT_FILLED(buf, BIG, (unsigned)peer);
    } else if (peer < t->size) {
        fill(buf, BIG, (unsigned)t->rank);
        EXPECT_OK(ep_ssend(buf, BIG, MPI_BYTE, peer, TAG, a));
        EXPECT_OK(ep_send(&t->rank, 1, MPI_INT, peer, TAG, t->comm));
    }
    team_barrier(t);
    EXPECT_OK(ep_comm_free(&a));
    free(buf);
}

static void single_owners(void)
{
    int n = team_local_count();
    ep_comm *a = calloc((size_t)n + 1, sizeof *a), *b = calloc((size_t)n + 1, sizeof *b);
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "ep_single_owner", "true");
    EXPECT_OK(ep_comm_create_endpoints(MPI_COMM_WORLD, n, info, a));
    EXPECT_OK(ep_comm_create_endpoints(MPI_COMM_WORLD, n, info, b));
    team_run_on(b, n, 0, two_sets, a);
    MPI_Info_free(&info);
    free(a);
    free(b);
}

/* A receive pending on EP_COMM_SELF outlives the world that it came from. */
static void self_pending(team_t *t, void *arg)
{
    int value, flag = 0;
    ep_request r;
    ep_status status;
    (void)arg;
    EXPECT_OK(ep_thread_bind(t->comm));
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_SELF, EP_ERRORS_RETURN));
    EXPECT_RC(ep_thread_bind(EP_COMM_SELF), MPI_ERR_COMM);
    EXPECT_OK(ep_irecv(&value, 1, MPI_INT, 0, TAG, EP_COMM_SELF, &r));
    team_barrier(t);
    EXPECT_OK(ep_comm_free(&t->comm));
    EXPECT_OK(ep_cancel(&r));
    EXPECT_OK(ep_wait(&r, &status));
    EXPECT_OK(ep_test_cancelled(&status, &flag));
    EXPECT_EQ(flag, 1);
}

/* A buffered message is still in the buffer when its endpoint is freed; the thread detaches afterwards. */
static void orphan_buffer(team_t *t, void *arg)
{
    int peer = t->rank ^ 1, size = 0;
    char *out = xmalloc(BIG), *in = xmalloc(BIG), *buffer = xmalloc(BIG + EP_BSEND_OVERHEAD);
    void *detached = NULL;
    (void)arg;
    EXPECT_OK(ep_thread_bind(t->comm));
    EXPECT_OK(ep_buffer_attach(buffer, BIG + EP_BSEND_OVERHEAD));
    fill(out, BIG, (unsigned)t->rank);
    if (peer < t->size && t->rank < peer)
        EXPECT_OK(ep_bsend(out, BIG, MPI_BYTE, peer, TAG, t->comm));
    team_barrier(t);
    if (t->rank < peer) {
        EXPECT_OK(ep_comm_free(&t->comm));
    } else {
        EXPECT_OK(ep_recv(in, BIG, MPI_BYTE, peer, TAG, t->comm, EP_STATUS_IGNORE));
        EXPECT_FILLED(in, BIG, (unsigned)peer);
        EXPECT_OK(ep_comm_free(&t->comm));
    }
    EXPECT_OK(ep_buffer_detach(&detached, &size));
    EXPECT(detached == buffer);
    EXPECT_EQ(size, BIG + EP_BSEND_OVERHEAD);
    free(buffer);
    free(out);
    free(in);
}

/* A message that a probe took can be received when the communicator's handle is freed. */
static void probed_then_freed(team_t *t, void *arg)
{
    int value = -1;
    ep_message m;
    ep_request r;
    (void)arg;
    EXPECT_OK(ep_isend(&t->rank, 1, MPI_INT, t->rank, TAG, t->comm, &r));
    EXPECT_OK(ep_mprobe(t->rank, TAG, t->comm, &m, EP_STATUS_IGNORE));
    team_barrier(t);
    EXPECT_OK(ep_comm_free(&t->comm));
    EXPECT_OK(ep_mrecv(&value, 1, MPI_INT, &m, EP_STATUS_IGNORE));
    EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
    EXPECT_EQ(value, t->rank);
}

static int frees_its_world(ep_comm world, void *arg)
{
    int rank = 0;
    ep_comm_rank(world, &rank);
    ep_comm_free(&world);
    return ep_comm_create_endpoints(MPI_COMM_SELF, 1, MPI_INFO_NULL, (ep_comm *)arg + rank);
}

/* ep_run frees what it made, not what took its place. */
static void run_keeps_its_hands_off(void)
{
    ep_comm kept[64] = {0};
    int me, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    EXPECT_OK(ep_run(1, frees_its_world, kept));
    EXPECT_OK(ep_comm_size(kept[me], &size));
    EXPECT_EQ(size, 1);
    EXPECT_OK(ep_comm_free(&kept[me]));
    team_verdict();
}

/* A null array is an error in every process, and a code that is none does not end the job. */
static void bad_arguments(void)
{
    char text[MPI_MAX_ERROR_STRING];
    int n;
    ep_errhandler before;
    EXPECT_OK(ep_comm_get_errhandler(EP_COMM_WORLD, &before));
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN));
    EXPECT_RC(ep_comm_create_endpoints(MPI_COMM_WORLD, 2, MPI_INFO_NULL, NULL), MPI_ERR_ARG);
    EXPECT_RC(ep_error_string(-5, text, &n), MPI_ERR_ARG);
    EXPECT_RC(ep_error_class(-5, &n), MPI_ERR_ARG);
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, before));
    team_verdict();
}

static const harness_test tests[] = {
    {"progress from a test loop", NULL, test_loop_progress},
    {"single owners of two sets", NULL, single_owners},
    {"self pending", self_pending, NULL},
    {"orphan buffer", orphan_buffer, NULL},
    {"probed, then freed", probed_then_freed, NULL},
    {"run keeps its hands off", NULL, run_keeps_its_hands_off},
    {"bad arguments", NULL, bad_arguments},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "lifetimes", tests);
}
