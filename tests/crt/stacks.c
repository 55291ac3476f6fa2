/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stacks.c WHAT [N]: stacks of tasks. use: a task touches N bytes of its own; final: tasks within final tasks, N deep, with a block at
 * the bottom; wild: a task writes to nowhere; handler: the same, where the program has a handler for that, which ends it with status 9.
 */
#include <alloca.h>
#include <crt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static crt_cond_t bottom;
static volatile long sum;

static __attribute__((noinline)) void use(long bytes)
{
    volatile char *room = alloca((size_t)bytes);
    for (long i = bytes - 1; i >= 0; i -= 512)
        room[i] = 1;
}

static void within(long depth)
{
    volatile long here[20] = {depth};
    if (depth == 0) {
        crt_wait(&bottom);
        return;
    }
#pragma omp task final(1) shared(here)
    within(depth - 1);
    sum += here[0];
}

static void on_fault(int number)
{
    (void)number;
    _exit(9);
}

static void run(const char *what, long n)
{
    if (strcmp(what, "use") == 0)
        use(n);
    else if (strcmp(what, "final") == 0)
        within(n);
    else
        *(volatile int *)(n + 8) = 1;
}

int main(int argc, char **argv)
{
    long n = argc > 2 ? atol(argv[2]) : 0;
    if (argc < 2)
        return 2;
    if (strcmp(argv[1], "handler") == 0)
        signal(SIGSEGV, on_fault);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        run(argv[1], n);
#pragma omp task
        crt_signal(&bottom);
    }
    printf("%ld\n", sum);
    return 0;
}
