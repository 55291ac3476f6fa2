/* SPDX-License-Identifier: BSD-3-Clause */
/* settings.c: programs for settings.py, in which processes have different settings.
 *   work      messages near and far of all sizes, collectives, communicators, a window: says "right"
 *   stuck     two endpoints wait for each other; the process ends when another program has seen enough
 *   mismatch  the endpoints give different roots, in a communicator of all and one whose groups come from different creations;
 *             each says what it was told
 *   refused   endpoints cannot be made: each process says what it was told */
#include <ep.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HERE = 2, LARGE = 300000 };

static void must(int ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "wrong: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* ---- work ---- */

static void send_around(ep_comm c, int ints)
{
    int rank, size;
    ep_comm_rank(c, &rank);
    ep_comm_size(c, &size);
    int *out = malloc((size_t)(ints + 1) * sizeof *out), *in = malloc((size_t)(ints + 1) * sizeof *in);
    for (int step = 1; step < size; step++) {
        int from = (rank + size - step) % size;
        for (int i = 0; i < ints; i++)
            out[i] = rank * 1000 + i;
        ep_sendrecv(out, ints, MPI_INT, (rank + step) % size, step, in, ints, MPI_INT, from, step, c,
                    EP_STATUS_IGNORE);
        for (int i = 0; i < ints; i++)
            must(in[i] == from * 1000 + i, "a message");
    }
    free(out);
    free(in);
}

static void collect(ep_comm c, int ints)
{
    int rank, size, right = 1;
    ep_comm_rank(c, &rank);
    ep_comm_size(c, &size);
    int *in = malloc((size_t)ints * sizeof *in), *out = malloc((size_t)ints * sizeof *out);
    for (int i = 0; i < ints; i++)
        in[i] = rank + i;
    ep_allreduce(in, out, ints, MPI_INT, MPI_SUM, c);
    for (int i = 0; i < ints; i++)
        right &= out[i] == size * i + size * (size - 1) / 2;
    ep_bcast(in, ints, MPI_INT, size - 1, c);
    for (int i = 0; i < ints; i++)
        right &= in[i] == size - 1 + i;
    ep_barrier(c);
    must(right, "a collective call");
    free(in);
    free(out);
}

/* Everybody writes to its neighbour, and adds to endpoint 0. */
static void share(ep_comm c, int allocate)
{
    int rank, size, one = 1, *base;
    ep_win win;
    ep_comm_rank(c, &rank);
    ep_comm_size(c, &size);
    int *own = calloc(LARGE + 1, sizeof *own), *out = malloc(LARGE * sizeof *out);
    if (allocate)
        ep_win_allocate((LARGE + 1) * sizeof *base, sizeof *base, MPI_INFO_NULL, c, &base, &win);
    else
        ep_win_create(base = own, (LARGE + 1) * sizeof *base, sizeof *base, MPI_INFO_NULL, c, &win);
    base[LARGE] = 0;
    for (int i = 0; i < LARGE; i++)
        out[i] = rank + i;
    ep_win_fence(0, win);
    ep_put(out, LARGE, MPI_INT, (rank + 1) % size, 0, LARGE, MPI_INT, win);
    ep_accumulate(&one, 1, MPI_INT, 0, LARGE, 1, MPI_INT, MPI_SUM, win);
    ep_win_fence(0, win);
    for (int i = 0; i < LARGE; i++)
        must(base[i] == (rank + size - 1) % size + i, "a put");
    must(rank > 0 || base[LARGE] == size, "an accumulate");
    ep_win_free(&win);
    free(own);
    free(out);
}

static void work(ep_comm c)
{
    static const int sizes[] = {0, 1, 2, 100, 1000, 5000, 20000, LARGE};
    ep_comm part, copy;
    int rank;
    ep_comm_rank(c, &rank);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        send_around(c, sizes[i]);
    collect(c, 1);
    collect(c, LARGE);
    ep_comm_split(c, rank % 2, 0, &part);
    send_around(part, 100);
    ep_comm_dup(part, &copy);
    collect(copy, 500);
    ep_comm_free(&copy);
    ep_comm_free(&part);
    share(c, 0);
    share(c, 1);
    if (rank == 0)
        puts("right");
}

/* ---- what goes wrong ---- */

static void say(int rc, const char *where, int rank)
{
    char text[MPI_MAX_ERROR_STRING] = "nothing";
    int n;
    if (rc != MPI_SUCCESS)
        ep_error_string(rc, text, &n);
    printf("%s %d: %s\n", where, rank, text);
    fflush(stdout);
}

static void mismatch(ep_comm c)
{
    int rank, x = 0;
    ep_comm_rank(c, &rank);
    say(ep_bcast(&x, 1, MPI_INT, rank % 2, c), "all", rank);
}

/* own: endpoints of this process alone. */
static void mismatch_beyond(ep_comm c, ep_comm own, int process)
{
    ep_comm inter, merged;
    int rank, x = 0;
    ep_intercomm_create(own, 0, c, process ? 0 : HERE, 5, &inter);
    ep_intercomm_merge(inter, process, &merged);
    ep_comm_set_errhandler(merged, EP_ERRORS_RETURN);
    ep_comm_rank(merged, &rank);
    say(ep_bcast(&x, 1, MPI_INT, rank % 2, merged), "merged", rank);
    ep_comm_free(&merged);
    ep_comm_free(&inter);
}

static void stuck(ep_comm c)
{
    int rank, size, x;
    ep_comm_rank(c, &rank);
    ep_comm_size(c, &size);
    ep_recv(&x, 1, MPI_INT, (rank + 1) % size, 3, c, EP_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int provided, process;
    ep_comm all[HERE], own[HERE];
    const char *what = argc > 1 ? argv[1] : "work";
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &process);
    ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN);
    if (strcmp(what, "mismatch") == 0)
        ep_comm_create_endpoints(MPI_COMM_SELF, HERE, MPI_INFO_NULL, own);
    int rc = ep_comm_create_endpoints(MPI_COMM_WORLD, HERE, MPI_INFO_NULL, all);
    if (rc != MPI_SUCCESS || strcmp(what, "refused") == 0) {
        say(rc, "process", process);
        MPI_Finalize();
        return 0;
    }
#pragma omp parallel num_threads(HERE)
    {
        int i = omp_get_thread_num();
        if (strcmp(what, "work") == 0)
            work(all[i]);
        else if (strcmp(what, "stuck") == 0)
            stuck(all[i]);
        else
            mismatch(all[i]);
        if (strcmp(what, "mismatch") == 0)
            mismatch_beyond(all[i], own[i], process);
        if (strcmp(what, "mismatch") == 0)
            ep_comm_free(&own[i]);
        ep_comm_free(&all[i]);
    }
    MPI_Finalize();
    return 0;
}
