/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * funnel.c: calls of libraries that are not thread-safe (ep_funnel.h).
 *
 * Catches: two functions at once in a process, arguments of the wrong endpoint, a result or data that somebody does not see, a
 * communicator of other processes, a wait for the turn that lets messages of the process lie, an error that only some get.
 */
#include "harness.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 60, CYCLES = 1000 };

/* ---- A library that is not thread-safe ---- */

/* Of all that call it, as in such a library. */
static struct {
    int users, calls;
    pthread_t caller;
} state;

/* Returns how many others are inside, which is wrong. */
static int library_enter(void)
{
    int before = state.users;
    state.users = before + 1;
    state.caller = pthread_self();
    for (int i = 0; i < 3; i++)
        sched_yield();
    return before + (state.users != before + 1) + !pthread_equal(state.caller, pthread_self());
}

static int library_leave(void)
{
    int calls = state.calls;
    sched_yield();
    state.calls = calls + 1;
    state.users--;
    return state.users + (state.calls != calls + 1);
}

/* ---- Levels ---- */

static int level(void)
{
    int provided;
    MPI_Query_thread(&provided);
    return provided;
}

/* FUNNELED: endpoint 0 alone can have a funnel of its own. */
static int has_own(const team_t *t)
{
    return level() > MPI_THREAD_FUNNELED || t->index == 0;
}

static ep_comm alone(team_t *t)
{
    ep_comm c = EP_COMM_NULL;
    EXPECT_OK(ep_comm_split(t->comm, t->rank, 0, &c));
    return c;
}

/* ---- What is brought, seen and given back ---- */

struct item {
    int rank; /* in the funnel's communicator */
    int seen; /* written by the function */
    int wrong;
    int processes, sum; /* as the function finds them */
    pthread_t thread;
};

/* Everybody's items, in the order of ranks; the processes are those of mpi_comm. */
static int look(ep_mpi_comm mpi_comm, int num_args, void *const args[])
{
    int wrong = library_enter(), last = -1, mine = num_args, sum = 0, size = 0;
    MPI_Comm_size(mpi_comm, &size);
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, mpi_comm);
    for (int i = 0; i < num_args; i++) {
        struct item *item = args[i];
        wrong += item->rank <= last;
        last = item->rank;
        item->seen++;
        item->processes = size;
        item->sum = sum;
    }
    for (int i = 0; i < num_args; i++)
        ((struct item *)args[i])->thread = pthread_self();
    wrong += library_leave();
    ((struct item *)args[0])->wrong = wrong;
    return 1000 + num_args;
}

/* Ranks of comm that live here, and processes that have some. */
static void count(team_t *t, ep_comm comm, int *here, int *processes, int *lowest)
{
    int size = 0, *process, mine = t->process;
    ep_comm_size(comm, &size);
    process = xmalloc((size_t)size * sizeof *process);
    EXPECT_OK(ep_allgather(&mine, 1, MPI_INT, process, 1, MPI_INT, comm));
    *here = *processes = 0;
    *lowest = -1;
    for (int r = 0; r < size; r++) {
        int first = 1;
        for (int before = 0; before < r; before++)
            first &= process[before] != process[r];
        *processes += first;
        *here += process[r] == mine;
        if (*lowest < 0 && process[r] == mine)
            *lowest = r;
    }
    free(process);
}

static void check_look(team_t *t, ep_comm comm)
{
    ep_funnel f = EP_FUNNEL_NULL;
    struct item item = {.rank = -1};
    int here, processes, lowest, size;
    count(t, comm, &here, &processes, &lowest);
    ep_comm_rank(comm, &item.rank);
    ep_comm_size(comm, &size);
    if (!EXPECT_OK(ep_funnel_create(comm, &f)))
        return;
    for (int i = 0; i < 5; i++) {
        int result = 0;
        EXPECT_OK(ep_funnel_call(f, look, &item, &result));
        EXPECT_EQ(result, 1000 + here);
        EXPECT_EQ(item.seen, i + 1);
        EXPECT_EQ(item.wrong, 0);
        EXPECT_EQ(item.processes, processes);
        EXPECT_EQ(item.sum, size);
        if (level() == MPI_THREAD_FUNNELED)
            EXPECT_EQ(!!pthread_equal(item.thread, pthread_self()), t->index == 0);
        else
            EXPECT_EQ(!!pthread_equal(item.thread, pthread_self()), item.rank == lowest);
    }
    EXPECT_OK(ep_funnel_free(&f));
    EXPECT(f == EP_FUNNEL_NULL);
}

static void all(team_t *t, void *arg)
{
    (void)arg;
    check_look(t, t->comm);
}

/* Ranks that are not contiguous, in another order, of some processes. */
static void maps(team_t *t, void *arg)
{
    ep_comm c = EP_COMM_NULL;
    (void)arg;
    EXPECT_OK(ep_comm_split(t->comm, 0, -t->rank, &c));
    check_look(t, c);
    EXPECT_OK(ep_comm_free(&c));
    EXPECT_OK(ep_comm_split(t->comm, 0, (t->rank * 7) % 5, &c));
    check_look(t, c);
    EXPECT_OK(ep_comm_free(&c));
    EXPECT_OK(ep_comm_split(t->comm, t->process % 2, t->rank, &c));
    check_look(t, c);
    EXPECT_OK(ep_comm_free(&c));
    if (level() == MPI_THREAD_FUNNELED)
        return;
    /* one after the other: both are of the same processes */
    EXPECT_OK(ep_comm_split(t->comm, t->index % 2, t->index % 3, &c));
    for (int turn = 0; turn < 2; turn++) {
        if (turn == t->index % 2)
            check_look(t, c);
        team_barrier(t);
    }
    EXPECT_OK(ep_comm_free(&c));
}

/* ---- Many at once ---- */

struct work {
    long sum; /* over processes, in */
    int wrong;
};

static int add(ep_mpi_comm mpi_comm, int num_args, void *const args[])
{
    int wrong = library_enter();
    long mine = 0, sum = 0;
    for (int i = 0; i < num_args; i++)
        mine += ((struct work *)args[i])->sum;
    MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, mpi_comm);
    wrong += library_leave();
    for (int i = 0; i < num_args; i++)
        *(struct work *)args[i] = (struct work){sum, wrong};
    return (int)sum;
}

static int single(ep_mpi_comm mpi_comm, int num_args, void *const args[])
{
    int wrong = library_enter(), size = 0;
    MPI_Comm_size(mpi_comm, &size);
    wrong += num_args != 1 || size != 1;
    *(int *)args[0] += wrong + library_leave();
    return 7;
}

/* A function of all, through one of two funnels; the order is the same everywhere. */
static void add_all(team_t *t, ep_funnel f, int round)
{
    struct work w = {.sum = t->rank + round};
    long want = (long)t->size * (t->size - 1) / 2 + (long)t->size * round;
    int result = 0;
    EXPECT_OK(ep_funnel_call(f, add, &w, &result));
    EXPECT_EQ(result, want);
    EXPECT_EQ(w.sum, want);
    EXPECT_EQ(w.wrong, 0);
}

/* Two funnels of all and one of each endpoint, while messages are under way. */
static void mixed(team_t *t, void *arg)
{
    enum { LONG = 20000 };
    ep_funnel f[2] = {EP_FUNNEL_NULL}, own = EP_FUNNEL_NULL;
    ep_comm self = alone(t);
    uint64_t common = harness_seed();
    char *out = xmalloc(LONG), *in = xmalloc(LONG);
    int right = (t->rank + 1) % t->size, left = (t->rank + t->size - 1) % t->size;
    (void)arg;
    EXPECT_OK(ep_funnel_create(t->comm, &f[0]));
    EXPECT_OK(ep_funnel_create(t->comm, &f[1]));
    if (has_own(t))
        EXPECT_OK(ep_funnel_create(self, &own));
    for (int i = 0; i < ROUNDS / harness_slowness() + 2; i++) {
        ep_request r[2];
        int bytes = random_below(&common, LONG), result = 0, wrong = 0;
        fill(out, (size_t)bytes, (unsigned)(t->rank + i));
        EXPECT_OK(ep_irecv(in, LONG, MPI_CHAR, left, i, t->comm, &r[0]));
        EXPECT_OK(ep_isend(out, bytes, MPI_CHAR, right, i, t->comm, &r[1]));
        for (int k = random_below(&t->random, 4); own && k > 0; k--) {
            EXPECT_OK(ep_funnel_call(own, single, &wrong, &result));
            EXPECT_EQ(result, 7);
        }
        EXPECT_EQ(wrong, 0);
        add_all(t, f[random_below(&common, 2)], i);
        if (random_below(&common, 2))
            add_all(t, f[random_below(&common, 2)], i);
        EXPECT_OK(ep_waitall(2, r, EP_STATUSES_IGNORE));
        EXPECT_FILLED(in, (size_t)bytes, (unsigned)(left + i));
    }
    if (own)
        EXPECT_OK(ep_funnel_free(&own));
    EXPECT_OK(ep_funnel_free(&f[0]));
    EXPECT_OK(ep_funnel_free(&f[1]));
    EXPECT_OK(ep_comm_free(&self));
    free(in);
    free(out);
    team_barrier(t);
    EXPECT_EQ(state.users, 0);
}

/* ---- A parallel file ---- */

enum { BLOCK = 1000 };

static struct {
    char name[64];
    MPI_File file;
} shared; /* as in a library, once for a process */

static int file_open(ep_mpi_comm mpi_comm, int num_args, void *const args[])
{
    int rank, number = (int)getpid();
    (void)num_args, (void)args;
    MPI_Comm_rank(mpi_comm, &rank);
    MPI_Bcast(&number, 1, MPI_INT, 0, mpi_comm);
    snprintf(shared.name, sizeof shared.name, "/tmp/ep_funnel_%d", number);
    return MPI_File_open(mpi_comm, shared.name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &shared.file);
}

struct block {
    int rank;
    char data[BLOCK];
};

/* One collective call for each endpoint of the process that has most. */
static int file_write(ep_mpi_comm mpi_comm, int num_args, void *const args[])
{
    int most = 0, rc = MPI_SUCCESS;
    MPI_Allreduce(&num_args, &most, 1, MPI_INT, MPI_MAX, mpi_comm);
    for (int i = 0; i < most && rc == MPI_SUCCESS; i++) {
        struct block *b = i < num_args ? args[i] : NULL;
        rc = MPI_File_write_at_all(shared.file, b ? (MPI_Offset)b->rank * BLOCK : 0, b ? b->data : NULL,
                                   b ? BLOCK : 0, MPI_CHAR, MPI_STATUS_IGNORE);
    }
    return rc;
}

static int file_close(ep_mpi_comm mpi_comm, int num_args, void *const args[])
{
    (void)num_args, (void)args;
    int rc = MPI_File_close(&shared.file);
    MPI_Barrier(mpi_comm);
    return rc;
}

static int file_remove(ep_mpi_comm mpi_comm, int num_args, void *const args[])
{
    int rank;
    (void)num_args, (void)args;
    MPI_Comm_rank(mpi_comm, &rank);
    return rank == 0 ? unlink(shared.name) : 0;
}

/* Written in any order, read by everybody. */
static void files(team_t *t, void *arg)
{
    struct block b = {.rank = t->rank};
    ep_funnel f = EP_FUNNEL_NULL;
    int result = -1;
    char got[BLOCK];
    (void)arg;
    EXPECT_OK(ep_funnel_create(t->comm, &f));
    EXPECT_OK(ep_funnel_call(f, file_open, NULL, &result));
    if (!EXPECT_EQ(result, MPI_SUCCESS))
        return;
    fill(b.data, BLOCK, (unsigned)t->rank);
    EXPECT_OK(ep_funnel_call(f, file_write, &b, &result));
    EXPECT_EQ(result, MPI_SUCCESS);
    EXPECT_OK(ep_funnel_call(f, file_close, NULL, &result));
    EXPECT_EQ(result, MPI_SUCCESS);
    FILE *file = fopen(shared.name, "rb");
    for (int r = 0; EXPECT(file != NULL) && r < t->size; r++)
        if (EXPECT_EQ(fread(got, 1, BLOCK, file), BLOCK))
            EXPECT_FILLED(got, BLOCK, (unsigned)r);
    if (file)
        fclose(file);
    team_barrier(t);
    EXPECT_OK(ep_funnel_call(f, file_remove, NULL, &result));
    EXPECT_EQ(result, 0);
    EXPECT_OK(ep_funnel_free(&f));
}

/* ---- Who waits for its turn serves its process ---- */

static atomic_int runs;  /* the function that waits */
static MPI_Comm between; /* the test's own */

static int hear(ep_mpi_comm mpi_comm, int num_args, void *const args[])
{
    (void)mpi_comm, (void)num_args;
    atomic_store(&runs, 1);
    return MPI_Recv(args[0], 1, MPI_INT, MPI_ANY_SOURCE, 1, between, MPI_STATUS_IGNORE);
}

static int say(ep_mpi_comm mpi_comm, int num_args, void *const args[])
{
    (void)mpi_comm, (void)num_args;
    return MPI_Send(args[0], 1, MPI_INT, 0, 1, between);
}

static int nothing(ep_mpi_comm mpi_comm, int num_args, void *const args[])
{
    (void)mpi_comm, (void)num_args, (void)args;
    return 0;
}

/* The function of endpoint 0 ends when the last rank has sent to endpoint 1, which waits behind that function. */
static void serve_turn(team_t *t, void *arg)
{
    enum { LONG = 300000 };
    ep_comm self = alone(t);
    ep_funnel own = EP_FUNNEL_NULL;
    int result = -1, word = 5;
    (void)arg;
    char *data = xmalloc(LONG);
    EXPECT_OK(ep_funnel_create(self, &own));
    if (t->rank == 0) {
        EXPECT_OK(ep_funnel_call(own, hear, &word, &result));
        EXPECT_EQ(word, 6);
    } else if (t->rank == 1) {
        ep_request r;
        EXPECT_OK(ep_irecv(data, LONG, MPI_CHAR, t->size - 1, 3, t->comm, &r));
        while (!atomic_load(&runs))
            sched_yield();
        EXPECT_OK(ep_funnel_call(own, nothing, NULL, &result));
        EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
        EXPECT_FILLED(data, LONG, 3);
    } else if (t->rank == t->size - 1) {
        word = 6;
        fill(data, LONG, 3);
        EXPECT_OK(ep_ssend(data, LONG, MPI_CHAR, 1, 3, t->comm));
        EXPECT_OK(ep_funnel_call(own, say, &word, &result));
    }
    if (t->rank < 2 || t->rank == t->size - 1)
        EXPECT_EQ(result, 0);
    free(data);
    EXPECT_OK(ep_funnel_free(&own));
    EXPECT_OK(ep_comm_free(&self));
}

/* Where another process can send to it: below MULTIPLE that goes by memory alone. */
static void serves(void)
{
    const char *memory = getenv("EP_SHARED_MEMORY");
    int size, most = team_local_count();
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Bcast(&most, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (size < 2 || most < 2 || level() == MPI_THREAD_FUNNELED ||
        (level() == MPI_THREAD_SERIALIZED && memory && strcmp(memory, "0") == 0))
        return;
    atomic_store(&runs, 0);
    MPI_Comm_dup(MPI_COMM_WORLD, &between);
    team_run(serve_turn, NULL);
    MPI_Comm_free(&between);
}

/* ---- Errors ---- */

static void expect_told(int rc, int class, const char *part)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;
    if (!EXPECT_RC(rc, class))
        return;
    ep_error_string(rc, text, &length);
    EXPECT_CONTAINS(text, part);
}

static int never(ep_mpi_comm mpi_comm, int num_args, void *const args[])
{
    (void)mpi_comm, (void)num_args;
    ++*(int *)args[0];
    return 1;
}

static int again(ep_mpi_comm mpi_comm, int num_args, void *const args[])
{
    ep_funnel f = *(ep_funnel *)args[0];
    int result;
    (void)mpi_comm, (void)num_args;
    return ep_funnel_call(f, again, NULL, &result) == MPI_ERR_OTHER && ep_funnel_free(&f) == MPI_ERR_OTHER;
}

/* One endpoint of each process has a wrong argument. */
static void wrong_in_one(team_t *t, ep_funnel f)
{
    int result = 3, called = 0;
    if (t->index == t->local - 1) {
        expect_told(ep_funnel_call(f, NULL, &called, &result), MPI_ERR_ARG, "argument fn is a null pointer");
        expect_told(ep_funnel_call(f, never, &called, NULL), MPI_ERR_ARG,
                    "argument result is a null pointer");
    } else {
        expect_told(ep_funnel_call(f, never, &called, &result), MPI_ERR_ARG, "ep_funnel_call");
        expect_told(ep_funnel_call(f, never, &called, &result), MPI_ERR_ARG, "had this error");
    }
    EXPECT_EQ(called, 0);
    EXPECT_EQ(result, 3);
}

static void errors(team_t *t, void *arg)
{
    ep_funnel f = EP_FUNNEL_NULL, none = EP_FUNNEL_NULL;
    ep_comm inter = EP_COMM_NULL, half = EP_COMM_NULL;
    int result = 3;
    (void)arg;
    EXPECT_RC(ep_funnel_create(t->comm, NULL), MPI_ERR_ARG);
    if (!EXPECT_OK(ep_funnel_create(t->comm, &f)))
        return;
    wrong_in_one(t, f);
    EXPECT_OK(ep_funnel_call(f, again, &f, &result));
    EXPECT_EQ(result, 1);
    EXPECT_OK(ep_funnel_free(&f));
    if (t->size > 1) {
        EXPECT_OK(ep_comm_split(t->comm, t->rank == 0, 0, &half));
        EXPECT_OK(ep_intercomm_create(half, 0, t->comm, t->rank == 0, 4, &inter));
        ep_comm_set_errhandler(inter, EP_ERRORS_RETURN);
        none = (ep_funnel)&result;
        expect_told(ep_funnel_create(inter, &none), MPI_ERR_COMM, "intercommunicator");
        EXPECT(none == EP_FUNNEL_NULL);
        EXPECT_OK(ep_comm_free(&inter));
        EXPECT_OK(ep_comm_free(&half));
    }
}

/* FUNNELED: a process whose main thread does not take part; all get that. */
static void no_main(team_t *t, void *arg)
{
    ep_comm rest = EP_COMM_NULL;
    ep_funnel f = EP_FUNNEL_NULL;
    (void)arg;
    if (level() != MPI_THREAD_FUNNELED)
        return;
    EXPECT_OK(ep_comm_split(t->comm, t->index > 0 || t->process > 0, 0, &rest));
    if (t->index > 0 || t->process > 0) {
        if (t->counts[0] > 1)
            expect_told(ep_funnel_create(rest, &f), MPI_ERR_OTHER, "main thread");
    }
    team_barrier(t);
    EXPECT_OK(ep_comm_free(&rest));
}

/* What is no handle has no communicator: the process's own handler is called. Freed ones are told apart. */
static void handles(team_t *t, void *arg)
{
    static _Alignas(64) char letters[256];
    ep_funnel none = EP_FUNNEL_NULL, f = EP_FUNNEL_NULL, freed;
    int result;
    (void)arg;
    if (EXPECT_OK(ep_funnel_create(t->comm, &f))) {
        freed = f;
        EXPECT_OK(ep_funnel_free(&f));
        team_barrier(t);
        expect_told(ep_funnel_call(freed, nothing, NULL, &result), MPI_ERR_ARG, "a freed or invalid handle");
        expect_told(ep_funnel_free(&freed), MPI_ERR_ARG, "a freed or invalid handle");
        team_barrier(t);
    }
    freed = (ep_funnel)(void *)letters;
    expect_told(ep_funnel_call(none, nothing, NULL, &result), MPI_ERR_ARG,
                "argument funnel is EP_FUNNEL_NULL");
    expect_told(ep_funnel_free(&none), MPI_ERR_ARG, "argument funnel is EP_FUNNEL_NULL");
    expect_told(ep_funnel_free(NULL), MPI_ERR_ARG, "argument funnel is a null pointer");
    expect_told(ep_funnel_free(&freed), MPI_ERR_ARG, "a freed or invalid handle");
    EXPECT_RC(ep_funnel_create(EP_COMM_NULL, &f), MPI_ERR_COMM);
}

static void bad_handles(void)
{
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN));
    team_run(handles, NULL);
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_ARE_FATAL));
}

/* ---- Again and again ---- */

static void cycles(team_t *t, void *arg)
{
    ep_funnel f = EP_FUNNEL_NULL;
    (void)arg;
    for (int i = 0; i < CYCLES / harness_slowness(); i++) {
        int wrong = 0, result;
        if (!EXPECT_OK(ep_funnel_create(t->comm, &f)))
            return;
        if (i % 10 == 0)
            EXPECT_OK(ep_funnel_call(f, nothing, &wrong, &result));
        EXPECT_OK(ep_funnel_free(&f));
    }
}

static const harness_test tests[] = {
    {"all", all, NULL},         {"maps", maps, NULL},           {"mixed", mixed, NULL},
    {"files", files, NULL},     {"serves", NULL, serves},       {"errors", errors, NULL},
    {"no_main", no_main, NULL}, {"handles", NULL, bad_handles}, {"cycles", cycles, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "funnel", tests);
}
