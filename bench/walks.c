/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * walks.c WALK: the way of one call through the source, for walks.sh. The library is built with -finstrument-functions and
 * without optimization, so that each function of its source, in line or not, reports here that it begins. A walk is repeated;
 * each of the last RECORDED times writes "walk NAME RANK", then the functions that began, in order, as addresses inside the
 * object, and a line "end".
 *
 *   near    2 endpoints of one thread: send and receive of 8 bytes, the message is there when the receive begins
 *   far     2 processes of one endpoint: the same
 *   reduce  allreduce of 64 KiB, 4 endpoints per process, a thread each
 *   put     8000 bytes to the other process, the call alone
 *   inter   intercomm_create of the even and the odd of 4 endpoints in 2 processes: both groups live in both
 */
#define _GNU_SOURCE /* dladdr */
#include <ep.h>

#include <dlfcn.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATED = 24, RECORDED = 9, LONGEST = 1 << 20, ENDPOINTS = 4 };

#define UNSEEN __attribute__((no_instrument_function))

struct walk {
    const void **begun;
    int length; /* of begun; -1: not recording */
};
static _Thread_local struct walk walk = {NULL, -1};

UNSEEN void __cyg_profile_func_enter(void *function, void *caller);
UNSEEN void __cyg_profile_func_exit(void *function, void *caller);

void __cyg_profile_func_enter(void *function, void *caller)
{
    (void)caller;
    if (walk.length >= 0 && walk.length < LONGEST)
        walk.begun[walk.length++] = function;
}

void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)function, (void)caller;
}

static void walk_begin(void)
{
    if (!walk.begun)
        walk.begun = malloc(LONGEST * sizeof *walk.begun);
    if (!walk.begun)
        abort();
    walk.length = 0;
}

/* Stop recording; say what was recorded if this repetition is one of the last. */
static void walk_end(const char *name, int rank, int repetition)
{
    int length = walk.length;
    walk.length = -1;
    if (repetition < REPEATED - RECORDED)
        return;
    flockfile(stdout);
    printf("walk %s %d\n", name, rank);
    for (int i = 0; i < length; i++) {
        Dl_info info;
        if (dladdr(walk.begun[i], &info))
            printf("%lx\n", (unsigned long)((const char *)walk.begun[i] - (const char *)info.dli_fbase));
    }
    printf("end\n");
    funlockfile(stdout);
}

static ep_comm ends[ENDPOINTS];
static int me, processes;

static void near(void)
{
    char out[8] = {0}, in[8];
    for (int i = 0; i < REPEATED; i++) {
        walk_begin();
        ep_send(out, 8, MPI_BYTE, 1, 1, ends[0]);
        walk_end("near_send", 0, i);
        walk_begin();
        ep_recv(in, 8, MPI_BYTE, 0, 1, ends[1], EP_STATUS_IGNORE);
        walk_end("near_recv", 1, i);
    }
}

static void far(void)
{
    char out[8] = {0}, in[8];
    for (int i = 0; i < REPEATED; i++) {
        if (me == 0) {
            walk_begin();
            ep_send(out, 8, MPI_BYTE, 1, 1, ends[0]);
            walk_end("far_send", 0, i);
        }
        MPI_Barrier(MPI_COMM_WORLD); /* what was sent has come */
        if (me == 1) {
            walk_begin();
            ep_recv(in, 8, MPI_BYTE, 0, 1, ends[0], EP_STATUS_IGNORE);
            walk_end("far_recv", 1, i);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void put(void)
{
    static char memory[8000], data[8000];
    ep_win win;
    ep_win_create(memory, sizeof memory, 1, MPI_INFO_NULL, ends[0], &win);
    ep_win_lock_all(0, win);
    for (int i = 0; i < REPEATED && me == 0; i++) {
        walk_begin();
        ep_put(data, sizeof data, MPI_BYTE, 1, 0, sizeof data, MPI_BYTE, win);
        walk_end("put", 0, i);
        ep_win_flush(1, win);
    }
    ep_win_unlock_all(win);
    ep_win_free(&win);
}

static void reduce(ep_comm comm, int rank)
{
    double *in = calloc(8192, sizeof *in), *out = calloc(8192, sizeof *out);
    for (int i = 0; i < REPEATED && in && out; i++) {
        ep_barrier(comm);
        walk_begin();
        ep_allreduce(in, out, 8192, MPI_DOUBLE, MPI_SUM, comm);
        walk_end("allreduce", rank, i);
    }
    free(in);
    free(out);
}

static void inter(ep_comm comm, int rank)
{
    ep_comm half, between;
    ep_comm_split(comm, rank % 2, rank, &half);
    for (int i = 0; i < REPEATED; i++) {
        ep_barrier(comm);
        walk_begin();
        ep_intercomm_create(half, 0, comm, !(rank % 2), 7, &between);
        walk_end("intercomm_create", rank, i);
        ep_comm_free(&between);
    }
    ep_comm_free(&half);
}

static void threads(int count, void (*part)(ep_comm comm, int rank))
{
#pragma omp parallel num_threads(count)
    {
        int rank;
        ep_comm_rank(ends[omp_get_thread_num()], &rank);
        part(ends[omp_get_thread_num()], rank);
    }
}

int main(int argc, char **argv)
{
    int provided;
    const char *what = argc == 2 ? argv[1] : "";
    int count = !strcmp(what, "reduce") ? 4 : !strcmp(what, "near") || !strcmp(what, "inter") ? 2 : 1;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    ep_comm_create_endpoints(MPI_COMM_WORLD, count, MPI_INFO_NULL, ends);
    if (!strcmp(what, "near"))
        near();
    else if (!strcmp(what, "far"))
        far();
    else if (!strcmp(what, "put"))
        put();
    else if (!strcmp(what, "reduce"))
        threads(count, reduce);
    else if (!strcmp(what, "inter"))
        threads(count, inter);
    else
        return fprintf(stderr, "usage: %s near | far | put | reduce | inter\n", argv[0]), MPI_Abort(MPI_COMM_WORLD, 2);
    for (int t = 0; t < count; t++)
        ep_comm_free(&ends[t]);
    MPI_Finalize();
    return 0;
}
