/* SPDX-License-Identifier: BSD-3-Clause */
/* counters.c: what is counted for an endpoint, exactly, for exchanges whose counts are known. */
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

enum { TIMES = 5, COUNTERS_MAX = 100, LEND_FROM = 800, INLINE_MAX = 1040 };

/* ---- reading ---- */

typedef struct {
    MPI_Count v[COUNTERS_MAX];
} snapshot;

static int number_of(const char *name)
{
    int i = -1;
    EXPECT_OK(ep_counter_find(name, &i));
    return i < 0 ? 0 : i;
}

static snapshot look(const team_t *t)
{
    snapshot s = {0};
    int n = 0;
    EXPECT_OK(ep_counter_count(&n));
    EXPECT(n > 0 && n <= COUNTERS_MAX);
    EXPECT_OK(ep_counter_read_all(t->comm, n, s.v));
    return s;
}

static MPI_Count value(const snapshot *s, const char *name)
{
    return s->v[number_of(name)];
}

static MPI_Count read_one(ep_comm comm, const char *name)
{
    MPI_Count v = -1;
    EXPECT_OK(ep_counter_read(comm, number_of(name), &v));
    return v;
}

/* The counter has grown by `by` since then. */
static int expect_grown(const snapshot *before, const snapshot *after, const char *name, MPI_Count by)
{
    char text[200];
    snprintf(text, sizeof text, "growth of %s", name);
    return expect_eq((long long)(value(after, name) - value(before, name)), (long long)by, text, __FILE__,
                     __LINE__);
}
#define EXPECT_GROWN(name, by) expect_grown(&before, &after, name, by)

/* ---- exchanges ---- */

/* Everybody sends TIMES messages to everybody, itself included. */
typedef struct {
    int bytes;
    char *out, *in; /* one block for all that goes out, one for each message that comes */
    ep_request *r;
    int near, far, n; /* peers; requests */
} exchange;

static exchange begin_exchange(const team_t *t, int bytes)
{
    size_t messages = (size_t)t->size * TIMES;
    exchange x = {.bytes = bytes,
                  .out = xmalloc((size_t)bytes + 1),
                  .in = xmalloc(messages * (size_t)bytes + 1),
                  .r = xmalloc(2 * messages * sizeof *x.r)};
    fill(x.out, (size_t)bytes, (unsigned)t->rank);
    for (int p = 0; p < t->size; p++)
        *(team_near(t, p) ? &x.near : &x.far) += 1;
    return x;
}

static void post(const team_t *t, exchange *x)
{
    for (int p = 0; p < t->size; p++)
        for (int i = 0; i < TIMES; i++)
            EXPECT_OK(ep_irecv(x->in + (size_t)(p * TIMES + i) * (size_t)x->bytes, x->bytes, MPI_BYTE, p, i,
                               t->comm, &x->r[x->n++]));
}

static void start(const team_t *t, exchange *x)
{
    for (int p = 0; p < t->size; p++)
        for (int i = 0; i < TIMES; i++)
            EXPECT_OK(ep_isend(x->out, x->bytes, MPI_BYTE, p, i, t->comm, &x->r[x->n++]));
}

static void end_exchange(const team_t *t, exchange *x)
{
    EXPECT_OK(ep_waitall(x->n, x->r, EP_STATUSES_IGNORE));
    for (int p = 0; p < t->size; p++)
        EXPECT_FILLED(x->in + (size_t)(p * TIMES) * (size_t)x->bytes, (size_t)x->bytes, (unsigned)p);
    free(x->out);
    free(x->in);
    free(x->r);
}

static long setting(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : otherwise;
}

/* Where cores are not shared, for sure. */
static int lends_sooner(void)
{
    const char *wait = getenv("EP_WAIT");
    return wait && strcmp(wait, "spin") == 0;
}

/* A message that does not block. */
static int is_lent(int bytes)
{
    long eager = setting("EP_EAGER", 65536);
    return bytes > INLINE_MAX || bytes > eager || (lends_sooner() && bytes > LEND_FROM);
}

static void expect_sums(const exchange *x, const snapshot *before_, const snapshot *after_)
{
    snapshot before = *before_, after = *after_;
    int lent = is_lent(x->bytes) ? x->near * TIMES : 0,
        together = x->bytes >= setting("EP_TOGETHER", 65536) ? lent : 0;
    EXPECT_GROWN("sent_near", x->near * TIMES);
    EXPECT_GROWN("sent_near_bytes", (MPI_Count)x->near * TIMES * x->bytes);
    EXPECT_GROWN("received_near", x->near * TIMES);
    EXPECT_GROWN("received_near_bytes", (MPI_Count)x->near * TIMES * x->bytes);
    EXPECT_GROWN("sent_far", x->far * TIMES);
    EXPECT_GROWN("sent_far_bytes", (MPI_Count)x->far * TIMES * x->bytes);
    EXPECT_GROWN("received_far", x->far * TIMES);
    EXPECT_GROWN("received_far_bytes", (MPI_Count)x->far * TIMES * x->bytes);
    EXPECT_GROWN("lent", lent);
    EXPECT_GROWN("copied_together", together);
    /* a sender that waits long puts its message aside, if it may */
    EXPECT_EQ(value(&after, "copied_alone") - value(&before, "copied_alone") + value(&after, "copied_twice") -
                  value(&before, "copied_twice"),
              lent - together);
    if (x->bytes > setting("EP_EAGER", 65536))
        EXPECT_GROWN("copied_twice", 0);
    EXPECT_GROWN("collectives", 0);
    EXPECT_GROWN("rma_bytes", 0);
}

static void posted_first(team_t *t, int bytes)
{
    exchange x = begin_exchange(t, bytes);
    snapshot before = look(t);
    post(t, &x);
    team_barrier(t);
    start(t, &x);
    exchange sums = x;
    end_exchange(t, &x);
    team_barrier(t); /* sends by rendezvous are counted as received by then */
    snapshot after = look(t);
    expect_sums(&sums, &before, &after);
    EXPECT_GROWN("unexpected", 0);
    EXPECT_GROWN("unexpected_now", 0);
    team_barrier(t);
}

static void unexpected_first(team_t *t, int bytes)
{
    exchange x = begin_exchange(t, bytes);
    EXPECT_OK(ep_counter_reset(t->comm));
    team_barrier(t);
    snapshot before = look(t);
    start(t, &x);
    for (int p = 0; p < t->size; p++) /* its last is here, so all of its are */
        EXPECT_OK(ep_probe(p, TIMES - 1, t->comm, EP_STATUS_IGNORE));
    EXPECT_EQ(read_one(t->comm, "unexpected_now"), t->size * TIMES);
    post(t, &x);
    EXPECT_EQ(read_one(t->comm, "unexpected_now"), 0);
    exchange sums = x;
    end_exchange(t, &x);
    team_barrier(t);
    snapshot after = look(t);
    expect_sums(&sums, &before, &after);
    EXPECT_GROWN("unexpected", t->size * TIMES);
    EXPECT_EQ(value(&after, "unexpected_peak"), t->size * TIMES);
    team_barrier(t);
}

static void exchanges(team_t *t, void *arg)
{
    static const int sizes[] = {0, 8, 800, 1041, 20000, 200000};
    (void)arg;
    if (lends_sooner())
        posted_first(t, 801);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        posted_first(t, sizes[i]);
        unexpected_first(t, sizes[i]);
    }
}

/* ---- single calls ---- */

/* To itself: near in every shape. Not blocking, since with EP_EAGER=0 it would wait for its receive. */
static ep_request to_self(const team_t *t, ep_comm comm, int bytes, int tag)
{
    static const char out[64];
    ep_request r = EP_REQUEST_NULL;
    EXPECT_OK(ep_isend(out, bytes, MPI_BYTE, t->rank, tag, comm, &r));
    return r;
}

/* Blocking sends go into the inbox up to a larger size. */
static void blocking(team_t *t, void *arg)
{
    static const char out[INLINE_MAX];
    char in[INLINE_MAX];
    (void)arg;
    if (setting("EP_EAGER", 65536) < INLINE_MAX)
        return;
    snapshot before = look(t);
    EXPECT_OK(ep_send(out, INLINE_MAX, MPI_BYTE, t->rank, 1, t->comm));
    EXPECT_OK(ep_recv(in, INLINE_MAX, MPI_BYTE, t->rank, 1, t->comm, EP_STATUS_IGNORE));
    snapshot after = look(t);
    EXPECT_GROWN("sent_near", 1);
    EXPECT_GROWN("received_near_bytes", INLINE_MAX);
    EXPECT_GROWN("lent", 0);
}

static void one_by_one(team_t *t, void *arg)
{
    char out[64] = {0}, in[64];
    ep_message m;
    ep_request r, s[3];
    (void)arg;
    snapshot before = look(t);
    s[0] = to_self(t, t->comm, 64, 1);
    EXPECT_RC(ep_recv(in, 10, MPI_BYTE, t->rank, 1, t->comm, EP_STATUS_IGNORE), MPI_ERR_TRUNCATE);
    s[1] = to_self(t, t->comm, 7, 2);
    EXPECT_OK(ep_mprobe(t->rank, 2, t->comm, &m, EP_STATUS_IGNORE));
    EXPECT_EQ(read_one(t->comm, "unexpected_now"), value(&before, "unexpected_now"));
    EXPECT_OK(ep_mrecv(in, 64, MPI_BYTE, &m, EP_STATUS_IGNORE));
    EXPECT_OK(ep_irecv(in, 64, MPI_BYTE, t->rank, 3, t->comm, &r));
    EXPECT_OK(ep_issend(out, 5, MPI_BYTE, t->rank, 3, t->comm, &s[2])); /* synchronous: rendezvous */
    EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
    EXPECT_OK(ep_waitall(3, s, EP_STATUSES_IGNORE));
    EXPECT_OK(
        ep_sendrecv(out, 3, MPI_BYTE, t->rank, 4, in, 64, MPI_BYTE, t->rank, 4, t->comm, EP_STATUS_IGNORE));
    EXPECT_OK(ep_send_init(out, 2, MPI_BYTE, t->rank, 5, t->comm, &r));
    EXPECT_OK(ep_start(&r));
    EXPECT_OK(ep_recv(in, 64, MPI_BYTE, t->rank, 5, t->comm, EP_STATUS_IGNORE));
    EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
    EXPECT_OK(ep_request_free(&r));
    EXPECT_OK(ep_send(out, 64, MPI_BYTE, MPI_PROC_NULL, 6, t->comm));
    snapshot after = look(t);
    EXPECT_GROWN("sent_near", 5);
    EXPECT_GROWN("sent_near_bytes", 64 + 7 + 5 + 3 + 2);
    EXPECT_GROWN("received_near", 5);
    EXPECT_GROWN("received_near_bytes", 10 + 7 + 5 + 3 + 2);
    EXPECT_GROWN("lent", is_lent(2) ? 5 : 1);
    EXPECT_GROWN("copied_alone", is_lent(2) ? 5 : 1);
    EXPECT_GROWN("sent_far", 0);
    EXPECT_GROWN("received_far", 0);
    /* the one that was probed; and what others who wait already took out of the inbox before its receive was posted */
    MPI_Count unexpected = value(&after, "unexpected") - value(&before, "unexpected");
    MPI_Count taken = value(&after, "helped_by") - value(&before, "helped_by");
    EXPECT(unexpected >= 1 && unexpected <= 1 + taken);
}

static void collective_calls(team_t *t, void *arg)
{
    ep_request r;
    int sum;
    (void)arg;
    MPI_Count before = read_one(t->comm, "collectives");
    for (int i = 0; i < 3; i++)
        EXPECT_OK(ep_barrier(t->comm));
    EXPECT_OK(ep_allreduce(&t->rank, &sum, 1, MPI_INT, MPI_SUM, t->comm));
    EXPECT_OK(ep_ibarrier(t->comm, &r));
    EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
    EXPECT_EQ(read_one(t->comm, "collectives") - before, 5);
}

static void windows(team_t *t, void *arg)
{
    long long memory[4] = {0}, value_ = 1, old;
    ep_win win;
    (void)arg;
    EXPECT_OK(ep_win_create(memory, sizeof memory, 8, MPI_INFO_NULL, t->comm, &win));
    EXPECT_OK(ep_win_lock_all(0, win));
    snapshot before = look(t);
    int near = 0;
    for (int p = 0; p < t->size; p++) {
        near += team_near(t, p);
        EXPECT_OK(ep_put(&value_, 1, MPI_LONG_LONG, p, 0, 1, MPI_LONG_LONG, win));
        EXPECT_OK(ep_win_flush(p, win));
        EXPECT_OK(ep_get(&old, 1, MPI_LONG_LONG, p, 1, 1, MPI_LONG_LONG, win));
        EXPECT_OK(ep_win_flush(p, win));
        EXPECT_OK(ep_fetch_and_op(&value_, &old, MPI_LONG_LONG, p, 2, MPI_SUM, win));
        EXPECT_OK(ep_win_flush(p, win));
        EXPECT_OK(ep_accumulate(&value_, 1, MPI_LONG_LONG, p, 3, 1, MPI_LONG_LONG, MPI_SUM, win));
        EXPECT_OK(ep_win_flush(p, win));
        EXPECT_OK(ep_compare_and_swap(&value_, &value_, &old, MPI_LONG_LONG, p, 3, win));
        EXPECT_OK(ep_win_flush(p, win));
    }
    snapshot after = look(t);
    EXPECT_GROWN("rma_near", 5 * near);
    EXPECT_GROWN("rma_far", 5 * (t->size - near));
    EXPECT_GROWN("rma_bytes", 5 * 8 * t->size);
    EXPECT_OK(ep_win_unlock_all(win));
    EXPECT_OK(ep_win_free(&win));
}

/* Messages of all communicators count for the endpoint, whatever communicator asks. */
static void all_communicators(team_t *t, void *arg)
{
    ep_comm dup;
    (void)arg;
    EXPECT_OK(ep_comm_dup(t->comm, &dup));
    MPI_Count before = read_one(t->comm, "received_near");
    ep_request r = to_self(t, dup, 4, 0);
    EXPECT_OK(ep_probe(t->rank, 0, dup, EP_STATUS_IGNORE));
    EXPECT_EQ(read_one(t->comm, "unexpected_now"), 1);
    EXPECT_EQ(read_one(dup, "unexpected_now"), 1);
    EXPECT_OK(ep_recv(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, dup, EP_STATUS_IGNORE));
    char in[4];
    EXPECT_OK(ep_recv(in, 4, MPI_BYTE, t->rank, 0, dup, EP_STATUS_IGNORE));
    EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
    EXPECT_EQ(read_one(dup, "received_near"), before + 1);
    EXPECT_EQ(read_one(t->comm, "received_near"), before + 1);
    EXPECT_EQ(read_one(t->comm, "unexpected_now"), 0);
    EXPECT_OK(ep_comm_free(&dup));
}

static void reset(team_t *t, void *arg)
{
    char in[4];
    ep_request r[3];
    (void)arg;
    r[0] = to_self(t, t->comm, 4, 0);
    r[1] = to_self(t, t->comm, 4, 1);
    EXPECT_OK(ep_probe(t->rank, 1, t->comm, EP_STATUS_IGNORE));
    EXPECT_OK(ep_recv(in, 4, MPI_BYTE, t->rank, 1, t->comm, EP_STATUS_IGNORE));
    EXPECT_EQ(read_one(t->comm, "unexpected_peak"), 2);
    EXPECT_OK(ep_counter_reset(t->comm));
    EXPECT_EQ(read_one(t->comm, "sent_near"), 0);
    EXPECT_EQ(read_one(t->comm, "received_near_bytes"), 0);
    EXPECT_EQ(read_one(t->comm, "unexpected_now"), 1);
    EXPECT_EQ(read_one(t->comm, "unexpected_peak"), 1);
    r[2] = to_self(t, t->comm, 3, 2);
    EXPECT_OK(ep_recv(in, 4, MPI_BYTE, t->rank, 2, t->comm, EP_STATUS_IGNORE));
    EXPECT_OK(ep_recv(in, 4, MPI_BYTE, t->rank, 0, t->comm, EP_STATUS_IGNORE));
    EXPECT_OK(ep_waitall(3, r, EP_STATUSES_IGNORE));
    EXPECT_EQ(read_one(t->comm, "sent_near"), 1);
    EXPECT_EQ(read_one(t->comm, "received_near"), 2);
    EXPECT_EQ(read_one(t->comm, "received_near_bytes"), 7);
    EXPECT_EQ(read_one(t->comm, "unexpected"), 1);
    EXPECT_EQ(read_one(t->comm, "unexpected_now"), 0);
}

/* ---- waiting and helping, looked at from another thread ---- */

static _Atomic(ep_comm) other; /* of endpoint 1 of the process */
static atomic_int stage;

static void wait_for_stage(int s)
{
    while (atomic_load(&stage) < s)
        sched_yield();
}

/* Endpoint 1 waits until endpoint 0 has seen it do so. */
static void waiting(team_t *t, void *arg)
{
    int x = 0;
    (void)arg;
    if (t->index == 0)
        atomic_store(&stage, 0);
    team_barrier(t);
    if (t->local > 1 && t->index == 1) {
        atomic_store(&other, t->comm);
        atomic_store(&stage, 1);
        EXPECT_OK(ep_recv(&x, 1, MPI_INT, t->rank - 1, 0, t->comm, EP_STATUS_IGNORE));
    } else if (t->local > 1 && t->index == 0) {
        const char *mode = getenv("EP_WAIT"), *sign = "spins";
        if (mode && strcmp(mode, "sleep") == 0) /* with far endpoints it polls and may not sleep */
            sign = t->processes > 1 ? "yields" : "sleeps";
        wait_for_stage(1);
        while (read_one(atomic_load(&other), sign) == 0)
            sched_yield();
        EXPECT_OK(ep_send(&x, 1, MPI_INT, t->rank + 1, 0, t->comm));
    }
    team_barrier(t);
}

/* An endpoint that waits, as endpoint 0 of its process sees it. */
static struct {
    ep_comm comm;
    MPI_Count yields, sleeps; /* before */
} waiter[400];

static MPI_Count grown(int i, const char *name)
{
    return read_one(waiter[i].comm, name) - (strcmp(name, "yields") == 0 ? waiter[i].yields : waiter[i].sleeps);
}

/* Who waits yields before it sleeps, with one process or several: on shared cores it would else be woken by a system call
 * for each message. Endpoint 0 lets the others go when each has slept or, since one polls and may not, has long been about to. */
static void yields_first(team_t *t, void *arg)
{
    (void)arg;
    if (getenv("EP_WAIT") || t->local > 400)
        return;
    waiter[t->index].comm = t->comm;
    waiter[t->index].yields = read_one(t->comm, "yields");
    waiter[t->index].sleeps = read_one(t->comm, "sleeps");
    team_barrier(t);
    if (t->index > 0)
        EXPECT_OK(ep_recv(NULL, 0, MPI_BYTE, t->rank - t->index, 0, t->comm, EP_STATUS_IGNORE));
    for (int i = 1; t->index == 0 && i < t->local; i++) {
        while (grown(i, "sleeps") == 0 && grown(i, "yields") < 1000)
            sched_yield();
        EXPECT(grown(i, "yields") >= 100);
    }
    for (int i = 1; t->index == 0 && i < t->local; i++)
        EXPECT_OK(ep_send(NULL, 0, MPI_BYTE, t->rank + i, 0, t->comm));
    team_barrier(t);
}

/* Endpoint 0 takes what is in the inbox of endpoint 1, whose thread is not in ep; nor is any other. */
static void help_next(const team_t *t)
{
    ep_request r[TIMES];
    int flag;
    MPI_Count helped = read_one(t->comm, "helped");
    for (int i = 0; i < TIMES; i++)
        EXPECT_OK(ep_isend(NULL, 0, MPI_BYTE, t->rank + 1, 0, t->comm, &r[i]));
    while (read_one(t->comm, "helped") < helped + TIMES)
        EXPECT_OK(ep_iprobe(t->rank, 0, t->comm, &flag, EP_STATUS_IGNORE));
    EXPECT_EQ(read_one(t->comm, "helped"), helped + TIMES);
    atomic_store(&stage, 1);
    EXPECT_OK(ep_waitall(TIMES, r, EP_STATUSES_IGNORE));
}

static void helping(team_t *t, void *arg)
{
    (void)arg;
    MPI_Count helped = read_one(t->comm, "helped"), helped_by = read_one(t->comm, "helped_by");
    if (t->index == 0)
        atomic_store(&stage, 0);
    team_barrier(t);
    if (t->local > 1 && t->index == 0) {
        help_next(t);
    } else if (t->local > 1) {
        wait_for_stage(1);
        EXPECT_EQ(read_one(t->comm, "helped"), helped);
        EXPECT_EQ(read_one(t->comm, "helped_by"), helped_by + (t->index == 1 ? TIMES : 0));
    }
    for (int i = 0; t->index == 1 && i < TIMES; i++)
        EXPECT_OK(ep_recv(NULL, 0, MPI_BYTE, t->rank - 1, 0, t->comm, EP_STATUS_IGNORE));
    if (t->index == 1)
        EXPECT_EQ(read_one(t->comm, "received_near"), TIMES);
    team_barrier(t);
}

/* ---- arguments ---- */

static void table(void)
{
    int n = 0, index;
    const char *name, *meaning, *unit;
    int kind;
    EXPECT_OK(ep_counter_count(&n));
    for (int i = 0; i < n; i++) {
        kind = -1;
        name = meaning = unit = NULL;
        if (!EXPECT_OK(ep_counter_info(i, &name, &meaning, &unit, &kind)))
            return;
        EXPECT(name && meaning && unit && kind >= EP_COUNTER_COUNT && kind <= EP_COUNTER_PEAK);
        EXPECT_OK(ep_counter_find(name, &index));
        EXPECT_EQ(index, i);
    }
    EXPECT_OK(ep_counter_info(0, NULL, NULL, NULL, NULL));
    EXPECT_OK(ep_counter_find("unexpected_now", &index));
    EXPECT_OK(ep_counter_info(index, NULL, NULL, NULL, &kind));
    EXPECT_EQ(kind, EP_COUNTER_LEVEL);
}

static void bad_arguments(team_t *t, void *arg)
{
    int n, index;
    char text[MPI_MAX_ERROR_STRING];
    MPI_Count v[COUNTERS_MAX];
    (void)arg;
    EXPECT_OK(ep_counter_count(&n));
    EXPECT_RC(ep_counter_read(t->comm, -1, v), MPI_ERR_ARG);
    EXPECT_OK(ep_error_string(MPI_ERR_ARG, text, &index));
    EXPECT_CONTAINS(text, "ep_counter_read");
    EXPECT_CONTAINS(text, "argument index is -1");
    EXPECT_RC(ep_counter_read(t->comm, n, v), MPI_ERR_ARG);
    EXPECT_RC(ep_counter_read(t->comm, 0, NULL), MPI_ERR_ARG);
    EXPECT_RC(ep_counter_read_all(t->comm, n + 1, v), MPI_ERR_ARG);
    EXPECT_RC(ep_counter_read_all(t->comm, -1, v), MPI_ERR_ARG);
    EXPECT_RC(ep_counter_read_all(t->comm, 1, NULL), MPI_ERR_ARG);
    EXPECT_OK(ep_counter_read_all(t->comm, 0, NULL));
    v[1] = -5;
    EXPECT_OK(ep_counter_read_all(t->comm, 1, v));
    EXPECT_EQ(v[1], -5);
}

/* These belong to no communicator: raised on the process's error handler. */
static void bad_without_communicator(void)
{
    int n = 0, index = 77;
    MPI_Count v = 5;
    char text[MPI_MAX_ERROR_STRING];
    EXPECT_OK(ep_counter_count(&n));
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN));
    EXPECT_RC(ep_counter_count(NULL), MPI_ERR_ARG);
    EXPECT_RC(ep_counter_info(-1, NULL, NULL, NULL, NULL), MPI_ERR_ARG);
    EXPECT_RC(ep_counter_info(n, NULL, NULL, NULL, NULL), MPI_ERR_ARG);
    EXPECT_RC(ep_counter_find("no_such", &index), MPI_ERR_ARG);
    EXPECT_OK(ep_error_string(MPI_ERR_ARG, text, &n));
    EXPECT_CONTAINS(text, "\"no_such\"");
    EXPECT_RC(ep_counter_find(NULL, &index), MPI_ERR_ARG);
    EXPECT_RC(ep_counter_find("sent_near", NULL), MPI_ERR_ARG);
    EXPECT_EQ(index, 77);
    EXPECT_RC(ep_counter_read(EP_COMM_NULL, 0, &v), MPI_ERR_COMM);
    EXPECT_RC(ep_counter_read(EP_COMM_WORLD, 0, &v), MPI_ERR_COMM);
    EXPECT_RC(ep_counter_read_all(EP_COMM_NULL, 1, &v), MPI_ERR_COMM);
    EXPECT_RC(ep_counter_reset(EP_COMM_NULL), MPI_ERR_COMM);
    EXPECT_EQ(v, 5);
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_ARE_FATAL));
}

static const harness_test tests[] = {
    {"exchanges", exchanges, NULL},
    {"one_by_one", one_by_one, NULL},
    {"blocking", blocking, NULL},
    {"collective_calls", collective_calls, NULL},
    {"windows", windows, NULL},
    {"all_communicators", all_communicators, NULL},
    {"reset", reset, NULL},
    {"waiting", waiting, NULL},
    {"yields first", yields_first, NULL},
    {"helping", helping, NULL},
    {"table", NULL, table},
    {"bad_arguments", bad_arguments, NULL},
    {"bad_without_communicator", NULL, bad_without_communicator},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "counters", tests);
}
