/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * instructions.c near | far FIFO FIFO: small calls for instructions.sh, which counts by callgrind what the function `counted`
 * executes and writes it down at each call of `dump_counts`. Compiled once per peer (peer.h). Two ranks: near, two endpoints of
 * one process; far, two processes of one rank. They work in turns; before each that is counted the first process prints
 * "TURN KERNEL OPERATIONS": the n-th such line belongs to each process' n-th dump.
 *
 * A wait would spoil the count, so nothing that is counted waits:
 *
 *   ALONE     one thread has both endpoints or needs only one rank; what it receives is there already
 *   IN_TURN   rank 0 does its part, then tells rank 1 by a pipe, not by MPI, to do the other
 *   LAST      all wait for the last, which is rank 1: only its part is counted. It comes some milliseconds after rank 0, which may
 *             not suffice on a busy machine; so there are many turns and the least one is taken
 *   BOTH      as LAST, but rank 0 needs not wait, only may: both parts are counted
 *
 * A kernel is counted WARM + TURNS times; the first are for what is done once.
 */
#include "harness.h"
#include "peer.h"

#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WINDOW = 64, WARM = 6, TURNS = 15 };

/* Inlining would take the functions' names away, by which the counting is switched on and off. */
#define COUNTED __attribute__((noinline))

struct side {
    int rank;
    int tell, hear; /* pipe to the other side, and from it */
    struct peer_link to;
#ifdef PEER_EP
    ep_comm comm, made;
    ep_win win;
    double *memory;
#endif
};

enum how { ALONE, IN_TURN, LAST, BOTH };

struct kernel {
    const char *name;
    enum how how;
    int operations;                /* of one turn */
    void (*call)(struct side *);   /* what is counted, at each side */
    void (*before)(struct side *); /* not counted; of ALONE at rank 0 only */
    void (*after)(struct side *);
};

static char out[WINDOW][64], in[WINDOW][64];
static bool is_far;

void counted(void (*call)(struct side *), struct side *s);
void dump_counts(void);

COUNTED void counted(void (*call)(struct side *), struct side *s)
{
    call(s);
    __asm__ volatile("" ::: "memory"); /* no tail call: it would end the counting */
}

COUNTED void dump_counts(void)
{
    __asm__ volatile("" ::: "memory");
}

static void fail(const char *what)
{
    perror(what);
    MPI_Abort(MPI_COMM_WORLD, 2);
}

static void pair(struct side *s)
{
    if (s->rank == 0)
        peer_send(out, 8, &s->to);
    else
        peer_recv(in, 8, &s->to);
}

#ifdef PEER_EP
static struct peer_link to, from; /* from endpoint 0 to 1, and at 1 back */
static ep_comm pair_made[2];

static void pair_alone(struct side *s)
{
    (void)s;
    for (int i = 0; i < WINDOW; i++) {
        peer_send(out, 8, &to);
        peer_recv(in, 8, &from);
    }
}

static void wild(struct side *s)
{
    (void)s;
    for (int i = 0; i < WINDOW; i++) {
        peer_send(out, 8, &to);
        ep_recv(in, 8, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, from.comm, EP_STATUS_IGNORE);
    }
}

static void irecv(struct side *s)
{
    (void)s;
    for (int i = 0; i < WINDOW; i++) {
        ep_request request;
        peer_irecv(in, 8, &from, &request);
        peer_send(out, 8, &to);
        ep_wait(&request, EP_STATUS_IGNORE);
    }
}

static void window(struct side *s)
{
    ep_request receives[WINDOW], sends[WINDOW];
    (void)s;
    for (int w = 0; w < WINDOW; w++)
        peer_irecv(in[w], 8, &from, &receives[w]);
    for (int w = 0; w < WINDOW; w++)
        peer_isend(out[w], 8, &to, &sends[w]);
    peer_waitall(WINDOW, sends);
    peer_waitall(WINDOW, receives);
}

static void self(struct side *s)
{
    (void)s;
    for (int i = 0; i < WINDOW; i++)
        ep_sendrecv(out, 8, MPI_BYTE, 0, 1, in, 8, MPI_BYTE, 0, 1, to.comm, EP_STATUS_IGNORE);
}

/* With itself. */
static void pair_with_itself(ep_comm comm)
{
    for (int i = 0; i < WINDOW; i++) {
        ep_send(out, 2, MPI_INT, 0, 1, comm);
        ep_recv(in, 2, MPI_INT, 0, 1, comm, EP_STATUS_IGNORE);
    }
}

static void irecv_from_itself(ep_comm comm)
{
    for (int i = 0; i < WINDOW; i++) {
        ep_request request;
        ep_irecv(in, 2, MPI_INT, 0, 1, comm, &request);
        ep_send(out, 2, MPI_INT, 0, 1, comm);
        ep_wait(&request, EP_STATUS_IGNORE);
    }
}

/* On the world of the thread, and on another communicator. */
static void world(struct side *s)
{
    (void)s;
    pair_with_itself(EP_COMM_WORLD);
}

static void world_irecv(struct side *s)
{
    (void)s;
    irecv_from_itself(EP_COMM_WORLD);
}

static void other(struct side *s)
{
    pair_with_itself(s->to.comm);
}

static void other_irecv(struct side *s)
{
    irecv_from_itself(s->to.comm);
}

static void world_begin(struct side *s)
{
    ep_thread_bind(s->to.comm);
}

static void world_end(struct side *s)
{
    (void)s;
    ep_thread_bind(EP_COMM_NULL);
}

#ifdef WITH_FORTRAN
void fortran_world(void);
void fortran_world_irecv(void);
void fortran_other(const MPI_Fint *comm);
void fortran_other_irecv(const MPI_Fint *comm);

static void world_f08(struct side *s)
{
    (void)s;
    fortran_world();
}

static void world_irecv_f08(struct side *s)
{
    (void)s;
    fortran_world_irecv();
}

static void other_f08(struct side *s)
{
    MPI_Fint comm = ep_comm_c2f(s->to.comm);
    fortran_other(&comm);
}

static void other_irecv_f08(struct side *s)
{
    MPI_Fint comm = ep_comm_c2f(s->to.comm);
    fortran_other_irecv(&comm);
}
#endif

static void make_idup(struct side *s)
{
    ep_request requests[2];
    (void)s;
    ep_comm_idup(to.comm, &pair_made[0], &requests[0]);
    ep_comm_idup(from.comm, &pair_made[1], &requests[1]);
    ep_waitall(2, requests, EP_STATUSES_IGNORE);
}

/* One after the other: a free does not wait for that of the other endpoint. */
static void free_idup(struct side *s)
{
    (void)s;
    ep_comm_free(&pair_made[0]);
    ep_comm_free(&pair_made[1]);
}

static void make_dup(struct side *s)
{
    ep_comm_dup(s->comm, &s->made);
}

static void free_dup(struct side *s)
{
    ep_comm_free(&s->made);
}

static void barrier(struct side *s)
{
    ep_barrier(s->comm);
}

static void bcast(struct side *s)
{
    ep_bcast(in[s->rank], 1, MPI_DOUBLE, 0, s->comm);
}

/* Near the root comes last. Far it would wait even so: the sum is formed in process 0. */
static void reduce(struct side *s)
{
    ep_reduce(out[s->rank], in[s->rank], 1, MPI_DOUBLE, MPI_SUM, !is_far, s->comm);
}

static void allreduce(struct side *s)
{
    ep_allreduce(out[s->rank], in[s->rank], 1, MPI_DOUBLE, MPI_SUM, s->comm);
}

static void allgather(struct side *s)
{
    ep_allgather(out[s->rank], 1, MPI_DOUBLE, in[s->rank], 1, MPI_DOUBLE, s->comm);
}

static void alltoall(struct side *s)
{
    ep_alltoall(out[s->rank], 1, MPI_DOUBLE, in[s->rank], 1, MPI_DOUBLE, s->comm);
}

static void gather(struct side *s)
{
    ep_gather(out[s->rank], 1, MPI_DOUBLE, in[s->rank], 1, MPI_DOUBLE, 1, s->comm);
}

static void scatter(struct side *s)
{
    ep_scatter(out[s->rank], 1, MPI_DOUBLE, in[s->rank], 1, MPI_DOUBLE, 0, s->comm);
}

static void alltoallv(struct side *s)
{
    static const int counts[] = {1, 1}, starts[] = {0, 1};
    ep_alltoallv(out[s->rank], counts, starts, MPI_DOUBLE, in[s->rank], counts, starts, MPI_DOUBLE, s->comm);
}

static void scan(struct side *s)
{
    ep_scan(out[s->rank], in[s->rank], 1, MPI_DOUBLE, MPI_SUM, s->comm);
}

static void put(struct side *s)
{
    for (int i = 0; i < WINDOW; i++) {
        ep_put(out, 1, MPI_DOUBLE, 1, 0, 1, MPI_DOUBLE, s->win);
        ep_win_flush(1, s->win);
    }
}

static void get(struct side *s)
{
    for (int i = 0; i < WINDOW; i++) {
        ep_get(in, 1, MPI_DOUBLE, 1, 0, 1, MPI_DOUBLE, s->win);
        ep_win_flush(1, s->win);
    }
}

static void accumulate(struct side *s)
{
    for (int i = 0; i < WINDOW; i++) {
        ep_accumulate(out, 1, MPI_DOUBLE, 1, 0, 1, MPI_DOUBLE, MPI_SUM, s->win);
        ep_win_flush(1, s->win);
    }
}

static void fetch(struct side *s)
{
    for (int i = 0; i < WINDOW; i++) {
        ep_fetch_and_op(out, in, MPI_INT64_T, 1, 0, MPI_SUM, s->win);
        ep_win_flush(1, s->win);
    }
}

static void lock(struct side *s)
{
    for (int i = 0; i < WINDOW; i++) {
        ep_win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, s->win);
        ep_put(out, 1, MPI_DOUBLE, 1, 0, 1, MPI_DOUBLE, s->win);
        ep_win_unlock(1, s->win);
    }
}

/* NOCHECK: the other rank, which takes no messages now, needs not know. */
static void epoch_begin(struct side *s)
{
    ep_win_lock_all(MPI_MODE_NOCHECK, s->win);
}

static void epoch_end(struct side *s)
{
    ep_win_unlock_all(s->win);
}

static void open_window(struct side *s)
{
    s->comm = s->to.comm;
    ep_win_allocate(64, 8, MPI_INFO_NULL, s->comm, &s->memory, &s->win);
    memset(s->memory, 0, 64);
    ep_barrier(s->comm);
}

static void close_window(struct side *s)
{
    ep_win_free(&s->win);
}

static const struct kernel near_kernels[] = {
    {"pair", ALONE, WINDOW, pair_alone, NULL, NULL},
    {"wild", ALONE, WINDOW, wild, NULL, NULL},
    {"irecv", ALONE, WINDOW, irecv, NULL, NULL},
    {"window", ALONE, WINDOW, window, NULL, NULL},
    {"self", ALONE, WINDOW, self, NULL, NULL},
    {"world", ALONE, WINDOW, world, world_begin, world_end},
    {"world_irecv", ALONE, WINDOW, world_irecv, world_begin, world_end},
    {"other", ALONE, WINDOW, other, NULL, NULL},
    {"other_irecv", ALONE, WINDOW, other_irecv, NULL, NULL},
#ifdef WITH_FORTRAN
    {"world_f08", ALONE, WINDOW, world_f08, world_begin, world_end},
    {"world_irecv_f08", ALONE, WINDOW, world_irecv_f08, world_begin, world_end},
    {"other_f08", ALONE, WINDOW, other_f08, NULL, NULL},
    {"other_irecv_f08", ALONE, WINDOW, other_irecv_f08, NULL, NULL},
#endif
    {"idup", ALONE, 1, make_idup, NULL, free_idup},
    {"put", ALONE, WINDOW, put, epoch_begin, epoch_end},
    {"get", ALONE, WINDOW, get, epoch_begin, epoch_end},
    {"accumulate", ALONE, WINDOW, accumulate, epoch_begin, epoch_end},
    {"fetch", ALONE, WINDOW, fetch, epoch_begin, epoch_end},
    {"lock", ALONE, WINDOW, lock, NULL, NULL},
    {"barrier", LAST, 1, barrier, NULL, NULL},
    {"bcast", BOTH, 1, bcast, NULL, NULL},
    {"reduce", BOTH, 1, reduce, NULL, NULL},
    {"allreduce", LAST, 1, allreduce, NULL, NULL},
    {"allgather", LAST, 1, allgather, NULL, NULL},
    {"alltoall", LAST, 1, alltoall, NULL, NULL},
    {"gather", BOTH, 1, gather, NULL, NULL},
    {"scatter", BOTH, 1, scatter, NULL, NULL},
    {"alltoallv", LAST, 1, alltoallv, NULL, NULL},
    {"scan", BOTH, 1, scan, NULL, NULL},
    {"dup", LAST, 1, make_dup, NULL, free_dup},
};

static const struct kernel far_kernels[] = {
    {"pair", IN_TURN, 1, pair, NULL, NULL},
    {"put", ALONE, WINDOW, put, epoch_begin, epoch_end},
    {"get", ALONE, WINDOW, get, epoch_begin, epoch_end},
    {"accumulate", ALONE, WINDOW, accumulate, epoch_begin, epoch_end},
    {"fetch", ALONE, WINDOW, fetch, epoch_begin, epoch_end},
    {"barrier", LAST, 1, barrier, NULL, NULL},
    {"bcast", BOTH, 1, bcast, NULL, NULL},
    {"reduce", LAST, 1, reduce, NULL, NULL},
    {"allreduce", LAST, 1, allreduce, NULL, NULL},
    {"allgather", LAST, 1, allgather, NULL, NULL},
    {"alltoall", LAST, 1, alltoall, NULL, NULL},
    {"gather", BOTH, 1, gather, NULL, NULL},
    {"scatter", BOTH, 1, scatter, NULL, NULL},
    {"alltoallv", LAST, 1, alltoallv, NULL, NULL},
    {"scan", BOTH, 1, scan, NULL, NULL},
};
#else
static const struct kernel far_kernels[] = {{"pair", IN_TURN, 1, pair, NULL, NULL}};

static void open_window(struct side *s)
{
    (void)s;
}

static void close_window(struct side *s)
{
    (void)s;
}
#endif

static void tell(const struct side *s)
{
    if (write(s->tell, "", 1) != 1)
        fail("pipe");
}

static void hear(const struct side *s)
{
    char byte;
    if (read(s->hear, &byte, 1) != 1)
        fail("pipe");
}

/* Rank 0's part of a turn; when it ends rank 1 has done its own. */
static void lead(struct side *s, const struct kernel *k)
{
    bool early = k->how == LAST || k->how == BOTH;
    if (early)
        tell(s);
    if (k->how == LAST)
        k->call(s);
    else
        counted(k->call, s);
    if (!early)
        tell(s);
    hear(s);
}

static void follow(struct side *s, const struct kernel *k)
{
    hear(s);
    if (k->how == LAST || k->how == BOTH)
        nanosleep(&(struct timespec){.tv_nsec = 3000000}, NULL);
    if (k->how != ALONE)
        counted(k->call, s);
    tell(s);
}

static void turn(struct side *s, const struct kernel *k)
{
    bool takes_part = s->rank == 0 || k->how != ALONE;
    if (takes_part && k->before)
        k->before(s);
    (s->rank == 0 ? lead : follow)(s, k);
    if (s->rank == 0 || is_far)
        dump_counts();
    if (takes_part && k->after)
        k->after(s);
}

static void body(struct side *s, const struct kernel *kernels, size_t count)
{
    open_window(s);
    for (size_t k = 0; k < count; k++)
        for (int i = 0; i < WARM + TURNS; i++) {
            if (s->rank == 0)
                printf("TURN %s_%s %d\n", is_far ? "far" : "near", kernels[k].name,
                       i < WARM ? 0 : kernels[k].operations),
                    fflush(stdout);
            turn(s, &kernels[k]);
        }
    close_window(s);
}

#ifdef PEER_EP
static void *near_side(void *arg)
{
    body(arg, near_kernels, sizeof near_kernels / sizeof near_kernels[0]);
    return NULL;
}

static void near(void)
{
    int there[2], back[2];
    pthread_t other;
    if (pipe(there) != 0 || pipe(back) != 0)
        fail("pipe");
    to = peer_link(2, 0, 1, 1);
    from = peer_link(2, 1, 0, 1);
    struct side sides[] = {{.rank = 0, .tell = there[1], .hear = back[0], .to = to},
                           {.rank = 1, .tell = back[1], .hear = there[0], .to = from}};
    pthread_create(&other, NULL, near_side, &sides[1]);
    near_side(&sides[0]);
    pthread_join(other, NULL);
}
#else
static void near(void)
{
    fprintf(stderr, "near is of ep alone\n"), MPI_Abort(MPI_COMM_WORLD, 2);
}
#endif

/* The FIFOs: from 0 to 1, and back. */
static void far(char *const fifos[2])
{
    int me = peer_process;
    /* Each open waits for the other side: in the same order. */
    int first = open(fifos[0], me == 0 ? O_WRONLY : O_RDONLY),
        second = open(fifos[1], me == 0 ? O_RDONLY : O_WRONLY);
    if (first < 0 || second < 0)
        fail("FIFO");
    struct side s = {.rank = me,
                     .tell = me == 0 ? first : second,
                     .hear = me == 0 ? second : first,
                     .to = peer_link(1, 0, !me, 1)};
    body(&s, far_kernels, sizeof far_kernels / sizeof far_kernels[0]);
}

int main(int argc, char **argv)
{
    is_far = argc == 4 && strcmp(argv[1], "far") == 0;
    if (!is_far && !(argc == 2 && strcmp(argv[1], "near") == 0)) {
        fprintf(stderr, "usage: %s near | far FIFO FIFO\n", argv[0]);
        return 2;
    }
    int threads = is_far ? 1 : 2;
    peer_open(threads, true);
    if (is_far)
        far(argv + 2);
    else
        near();
    peer_close(threads);
    return 0;
}
