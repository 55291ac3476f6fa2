/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 ends badly, in the way that the argument names, while the others wait for it. */
#include <mpi.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int zero;
static int *volatile nothing;

static int overflow(int n)
{
    volatile char space[4096];
    space[n % 4096] = 1;
    return overflow(n + 1) + space[0];
}

/* A frame larger than a page, and than a usual stack: the rank whose stack lies below must not notice. */
static int wide(int n)
{
    volatile char space[12 << 20];
    space[n] = 1;
    return space[n];
}

static void *segv(void *arg)
{
    *nothing = 1;
    return arg;
}

static void *overflow_there(void *arg)
{
    zero = overflow(1);
    return arg;
}

static void die(const char *way)
{
    pthread_t t;
    if (strcmp(way, "segv") == 0)
        segv(NULL);
    else if (strcmp(way, "thread") == 0) {
        pthread_create(&t, NULL, segv, NULL);
        pthread_join(t, NULL);
    } else if (strcmp(way, "thread overflow") == 0) {
        pthread_create(&t, NULL, overflow_there, NULL);
        pthread_join(t, NULL);
    } else if (strcmp(way, "overflow") == 0)
        zero = overflow(1);
    else if (strcmp(way, "wide") == 0)
        zero = wide(1);
    else if (strcmp(way, "fpe") == 0)
        raise(SIGFPE);
    else if (strcmp(way, "abort") == 0)
        abort();
    else if (strcmp(way, "inside") == 0)
        exit(0);
    else if (strcmp(way, "own") == 0) {
        signal(SIGSEGV, _exit); /* the program's own handler: status 11 */
        segv(NULL);
    } else if (strcmp(way, "MPI_Abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
    else if (strncmp(way, "raise ", 6) == 0)
        raise(atoi(way + 6));
    else if (strncmp(way, "kill ", 5) == 0) {
        kill(getpid(), atoi(way + 5));
        pause();
    } else if (strcmp(way, "alarm") == 0) {
        setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_usec = 1}}, NULL);
        pause();
    } else if (strcmp(way, "exec") == 0)
        execle("/bin/sh", "sh", "-c", "exit $code", NULL, (char *[]){"code=7", NULL});
    else if (strcmp(way, "child") == 0) {
        if (fork() == 0)
            raise(SIGTERM);
        wait(NULL);
        exit(wait(NULL) == -1 ? 5 : 6);
    } else
        exit(atoi(way));
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("rank %d", rank); /* a line without an end */
    FILE *f = rank == 1 ? fopen(argv[2], "w") : NULL;
    if (f)
        fputs("kept", f);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        die(argv[1]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
