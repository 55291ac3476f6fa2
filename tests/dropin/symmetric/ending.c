/* SPDX-License-Identifier: BSD-3-Clause */
/* ending WAY: a program that ends; ending_seen.c says when eprun tells the library so. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void at_exit(void)
{
    printf("at exit\n");
}

static __attribute__((destructor)) void destroy(void)
{
    printf("destructor\n");
}

static void *end_in_thread(void *arg)
{
    exit(0);
    return arg;
}

static int end_by(const char *way)
{
    pthread_t thread;
    if (strcmp(way, "exit") == 0)
        exit(0);
    if (strcmp(way, "_exit") == 0)
        _exit(0);
    if (strcmp(way, "pthread_exit") == 0)
        pthread_exit(NULL);
    if (strcmp(way, "thread") == 0 && pthread_create(&thread, NULL, end_in_thread, NULL) == 0)
        pthread_join(thread, NULL);
    if (strcmp(way, "child") == 0 && fork() == 0)
        exit(0);
    if (strcmp(way, "child") == 0)
        wait(NULL);
    return strcmp(way, "status") == 0 ? 3 : 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    setbuf(stdout, NULL);
    atexit(at_exit);
    return end_by(argv[1]);
}
