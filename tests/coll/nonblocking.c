/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nonblocking.c: collectives that are started and completed in any order, among messages and other collectives.
 *
 * Catches: calls that are completed by the wrong request, that only go on while their own endpoint waits, that wait for
 * an endpoint which is busy elsewhere, and buffers or handles that are given up too early.
 */
#include "sweeps.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WINDOW = 40, UNITS = 600 };

/* Calls under way. */
typedef struct {
    coll_call call[WINDOW];
    ep_request request[WINDOW];
    int n;
} flight;

/* Every kind in turn, also blocking ones in between. */
static void start_some(const seat *s, flight *f, int n, uint64_t seed)
{
    for (f->n = 0; f->n < n; f->n++) {
        uint64_t x = mix(seed, (uint64_t)f->n);
        coll_kind kind = (coll_kind)((uint64_t)f->n * 7 % KINDS);
        coll_plan p = random_plan(s, kind, x, x % 8 ? UNITS : 20 * UNITS);
        call_prepare(&f->call[f->n], &p, s);
        EXPECT_OK(call_start(&f->call[f->n], &f->request[f->n]));
        if (x % 16 == 3)
            collective(s, &p);
    }
}

static void finish(flight *f)
{
    for (int i = 0; i < f->n; i++) {
        EXPECT(f->request[i] == EP_REQUEST_NULL);
        call_check(&f->call[i]);
        call_free(&f->call[i]);
    }
}

/* ---- Ways to complete ---- */

typedef void completion(team_t *t, ep_request requests[], int n);

static void wait_all(team_t *t, ep_request requests[], int n)
{
    (void)t;
    EXPECT_OK(ep_waitall(n, requests, EP_STATUSES_IGNORE));
}

static void wait_backwards(team_t *t, ep_request requests[], int n)
{
    (void)t;
    for (int i = n - 1; i >= 0; i--)
        EXPECT_OK(ep_wait(&requests[i], EP_STATUS_IGNORE));
}

static void wait_any(team_t *t, ep_request requests[], int n)
{
    int index;
    (void)t;
    for (int i = 0; i < n; i++) {
        EXPECT_OK(ep_waitany(n, requests, &index, EP_STATUS_IGNORE));
        EXPECT(index != MPI_UNDEFINED);
    }
    EXPECT_OK(ep_waitany(n, requests, &index, EP_STATUS_IGNORE));
    EXPECT_EQ(index, MPI_UNDEFINED);
}

static void test_some(team_t *t, ep_request requests[], int n)
{
    int done = 0, count, indices[WINDOW];
    (void)t;
    while (done < n) {
        EXPECT_OK(ep_testsome(n, requests, &count, indices, EP_STATUSES_IGNORE));
        if (!EXPECT(count != MPI_UNDEFINED))
            return;
        done += count;
    }
}

static void test_at_random(team_t *t, ep_request requests[], int n)
{
    int left = n, flag;
    while (left) {
        int i = random_below(&t->random, n);
        if (requests[i] == EP_REQUEST_NULL)
            continue;
        if (random_below(&t->random, 4) == 0) {
            EXPECT_OK(ep_wait(&requests[i], EP_STATUS_IGNORE));
            flag = 1;
        } else {
            EXPECT_OK(ep_test(&requests[i], &flag, EP_STATUS_IGNORE));
        }
        left -= flag;
    }
}

static void test_all(team_t *t, ep_request requests[], int n)
{
    int done = 0;
    (void)t;
    while (!done)
        EXPECT_OK(ep_testall(n, requests, &done, EP_STATUSES_IGNORE));
}

static void wait_some_test_any(team_t *t, ep_request requests[], int n)
{
    int index, flag = 0, count = 0, indices[WINDOW];
    (void)t;
    while (count != MPI_UNDEFINED) {
        EXPECT_OK(ep_testany(n, requests, &index, &flag, EP_STATUS_IGNORE));
        EXPECT_OK(ep_waitsome(n, requests, &count, indices, EP_STATUSES_IGNORE));
    }
}

static completion *const completions[] = {wait_all, wait_backwards, wait_any,          test_some,
                                          test_all, test_at_random, wait_some_test_any};
enum { COMPLETIONS = sizeof completions / sizeof *completions };

static void any_order(team_t *t, void *arg)
{
    seat s = seat_on(t->comm);
    flight *f = xmalloc(sizeof *f);
    (void)arg;
    for (int i = 0; i < 10 / harness_slowness() + 7; i++) {
        start_some(&s, f, WINDOW, harness_seed() + (uint64_t)i);
        completions[(i + t->rank * (i >= COMPLETIONS)) % COMPLETIONS](t, f->request, f->n);
        finish(f);
    }
    free(f);
}

/* ---- Mixed with other things ---- */

static void ring(team_t *t, int round)
{
    int to = (t->rank + 1) % t->size, from = (t->rank + t->size - 1) % t->size, got = -1,
        sent = t->rank * 100 + round;
    EXPECT_OK(
        ep_sendrecv(&sent, 1, MPI_INT, to, round, &got, 1, MPI_INT, from, round, t->comm, EP_STATUS_IGNORE));
    EXPECT_EQ(got, from * 100 + round);
}

/* Collectives on three communicators, an idup of one of them, and messages to and from the neighbours. */
static void mixed(team_t *t, void *arg)
{
    enum { MESSAGES = 8, LENGTH = 3000 };
    ep_comm turned = EP_COMM_NULL, half = EP_COMM_NULL, copy = EP_COMM_NULL;
    flight *f = xmalloc(3 * sizeof *f);
    static _Thread_local char out[MESSAGES][LENGTH], in[MESSAGES][LENGTH];
    ep_request r[2 * MESSAGES + 1];
    int to = (t->rank + 1) % t->size, from = (t->rank + t->size - 1) % t->size;
    (void)arg;
    EXPECT_OK(ep_comm_split(t->comm, 0, -t->rank, &turned));
    EXPECT_OK(ep_comm_split(t->comm, t->rank % 2, 0, &half));
    seat s[3] = {seat_on(t->comm), seat_on(turned), seat_on(half)};
    for (int i = 0; i < MESSAGES; i++) {
        fill(out[i], LENGTH, (unsigned)(t->rank * 50 + i));
        EXPECT_OK(ep_irecv(in[i], LENGTH, MPI_BYTE, from, i, t->comm, &r[i]));
    }
    start_some(&s[0], &f[0], 10, 1);
    start_some(&s[1], &f[1], 10, 2);
    EXPECT_OK(ep_comm_idup(turned, &copy, &r[2 * MESSAGES]));
    start_some(&s[2], &f[2], 10, 3);
    ring(t, 77);
    for (int i = 0; i < MESSAGES; i++)
        EXPECT_OK(ep_isend(out[i], LENGTH, MPI_BYTE, to, i, t->comm, &r[MESSAGES + i]));
    for (int k = 2; k >= 0; k--)
        completions[(t->rank + k) % COMPLETIONS](t, f[k].request, f[k].n);
    EXPECT_OK(ep_waitall(2 * MESSAGES + 1, r, EP_STATUSES_IGNORE));
    for (int i = 0; i < MESSAGES; i++)
        EXPECT_FILLED(in[i], LENGTH, (unsigned)(from * 50 + i));
    for (int k = 0; k < 3; k++)
        finish(&f[k]);
    seat on_copy = seat_on(copy);
    sweep_once(&on_copy, 4, 100);
    EXPECT_OK(ep_comm_free(&copy));
    EXPECT_OK(ep_comm_free(&turned));
    EXPECT_OK(ep_comm_free(&half));
    free(f);
}

/* Handles of the caller's own in the place of the arguments, each a new one. */
static void own_types(area *a)
{
    if (!a->memory)
        return;
    MPI_Type_dup(a->type, &a->type);
    for (int b = 0; b < a->blocks; b++)
        MPI_Type_dup(a->types[b], &a->types[b]);
}

static void free_types(area *a)
{
    if (!a->memory)
        return;
    MPI_Type_free(&a->type);
    for (int b = 0; b < a->blocks; b++)
        MPI_Type_free(&a->types[b]);
}

/* Start a call; its types and its operator are gone when this returns. */
static void start_and_forget(const seat *s, int i, coll_call *c, operand *own, ep_request *request)
{
    coll_plan p = random_plan(s, (coll_kind)(BCAST + i % (KINDS - BCAST)), (uint64_t)i, 400);
    if (has_operator(p.kind)) {
        *own = *operand_named("product", "matrix");
        own->type = matrix_type();
        EXPECT_OK(ep_op_create(matrix_product, 0, &own->op));
        p.op = own;
    }
    call_prepare(c, &p, s);
    if (!p.op) {
        own_types(&c->send);
        own_types(&c->recv);
    }
    EXPECT_OK(call_start(c, request));
    if (p.op) {
        EXPECT_OK(ep_op_free(&own->op));
        MPI_Type_free(&own->type);
    } else {
        free_types(&c->send);
        free_types(&c->recv);
    }
}

/* Types, operators and the communicator are given up while the calls are under way. */
static void given_up(team_t *t, void *arg)
{
    flight *f = xmalloc(sizeof *f);
    operand own[WINDOW];
    ep_comm c = EP_COMM_NULL;
    (void)arg;
    EXPECT_OK(ep_comm_dup(t->comm, &c));
    seat s = seat_on(c);
    for (int i = 0; i < WINDOW; i++)
        start_and_forget(&s, i, &f->call[i], &own[i], &f->request[i]);
    EXPECT_OK(ep_comm_free(&c));
    f->n = WINDOW;
    completions[t->rank % COMPLETIONS](t, f->request, f->n);
    finish(f);
    free(f);
}

/* ---- Endpoints that are not there ---- */

static void compute(int milliseconds)
{
    struct timespec pause = {.tv_nsec = milliseconds * 1000000L};
    nanosleep(&pause, NULL);
}

/* All have started, one does not come back for long: it need not do anything for the others. */
static void away(team_t *t, void *arg)
{
    seat s = seat_on(t->comm);
    coll_call c;
    ep_request r;
    (void)arg;
    for (int i = 0; i < 12; i++) {
        coll_plan p = random_plan(&s, (coll_kind)(1 + i), (uint64_t)i, 3000);
        call_prepare(&c, &p, &s);
        EXPECT_OK(call_start(&c, &r));
        if (t->rank == i % t->size)
            compute(5);
        EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
        call_check(&c);
        call_free(&c);
    }
}

/* One is in a receive that gets its message only when all others have completed the call. */
static void in_receive(team_t *t, void *arg)
{
    seat s = seat_on(t->comm);
    static const coll_kind kinds[] = {BARRIER, ALLREDUCE, ALLTOALL, ALLGATHERV, SCAN, REDUCE_SCATTER};
    coll_call c;
    ep_request r;
    (void)arg;
    for (int i = 0; i < 6 * t->size; i++) {
        coll_plan p = random_plan(&s, kinds[i % 6], (uint64_t)i, i % 5 ? 30 : 9000);
        int busy = i / 6, token = -1;
        call_prepare(&c, &p, &s);
        EXPECT_OK(call_start(&c, &r));
        for (int k = 0; k < t->size && t->rank == busy; k++)
            if (k != busy)
                EXPECT_OK(ep_recv(&token, 1, MPI_INT, k, i, t->comm, EP_STATUS_IGNORE));
        EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
        if (t->rank != busy)
            EXPECT_OK(ep_send(&i, 1, MPI_INT, busy, i, t->comm));
        call_check(&c);
        call_free(&c);
    }
}

/* One has not even started: nobody can complete a barrier, and all can do other things. */
static void not_started(team_t *t, void *arg)
{
    ep_request r;
    int flag = 0, token = 0;
    (void)arg;
    for (int late = 0; late < t->size && t->size > 1; late++) {
        if (t->rank == late) {
            for (int k = 1; k < t->size; k++)
                EXPECT_OK(ep_recv(&token, 1, MPI_INT, MPI_ANY_SOURCE, late, t->comm, EP_STATUS_IGNORE));
            EXPECT_OK(ep_ibarrier(t->comm, &r));
        } else {
            EXPECT_OK(ep_ibarrier(t->comm, &r));
            for (int k = 0; k < 20; k++) {
                EXPECT_OK(ep_test(&r, &flag, EP_STATUS_IGNORE));
                EXPECT_EQ(flag, 0);
            }
            EXPECT_OK(ep_send(&token, 1, MPI_INT, late, late, t->comm));
        }
        EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
    }
}

/* Two communicators, waited for in opposite orders. */
static void crossed(team_t *t, void *arg)
{
    ep_comm c[2] = {t->comm, EP_COMM_NULL};
    (void)arg;
    EXPECT_OK(ep_comm_split(t->comm, 0, -t->rank, &c[1]));
    seat s[2] = {seat_on(c[0]), seat_on(c[1])};
    for (int i = 0; i < 50 / harness_slowness() + 1; i++) {
        coll_call call[2];
        ep_request r[2];
        for (int k = 0; k < 2; k++) {
            int which = (t->rank + k) % 2;
            coll_plan p = random_plan(&s[which], (coll_kind)(i % KINDS), (uint64_t)(2 * i + which), UNITS);
            call_prepare(&call[which], &p, &s[which]);
            EXPECT_OK(call_start(&call[which], &r[which]));
        }
        EXPECT_OK(ep_wait(&r[t->rank / 2 % 2], EP_STATUS_IGNORE));
        EXPECT_OK(ep_wait(&r[1 - t->rank / 2 % 2], EP_STATUS_IGNORE));
        for (int k = 0; k < 2; k++) {
            call_check(&call[k]);
            call_free(&call[k]);
        }
    }
    EXPECT_OK(ep_comm_free(&c[1]));
}

static void with_oracle(team_body *body)
{
    oracle_open();
    team_run(body, NULL);
    oracle_close();
}

static void run_any_order(void)
{
    with_oracle(any_order);
}

static void run_mixed(void)
{
    with_oracle(mixed);
}

static void run_given_up(void)
{
    int level;
    MPI_Query_thread(&level); /* the types are made while others are in ep */
    if (level == MPI_THREAD_MULTIPLE)
        with_oracle(given_up);
}

static void run_away(void)
{
    with_oracle(away);
}

static void run_in_receive(void)
{
    with_oracle(in_receive);
}

static void run_crossed(void)
{
    with_oracle(crossed);
}

static const harness_test tests[] = {
    {"any order", NULL, run_any_order},   {"mixed", NULL, run_mixed},
    {"given up", NULL, run_given_up},     {"away", NULL, run_away},
    {"in receive", NULL, run_in_receive}, {"not started", not_started, NULL},
    {"crossed", NULL, run_crossed},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "nonblocking", tests);
}
