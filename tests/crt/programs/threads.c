/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that OpenMP did not make: each has teams, tasks and locks, at the same time as others and
 * one after the other. */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

static int regions, tasks, orphans, guarded;
static omp_lock_t lock;

static void *work(void *arg)
{
    int mine = 0, wait = 0;
    (void)arg;
#pragma omp task shared(mine)
    mine++;
#pragma omp taskwait
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 20; i++) {
#pragma omp task
#pragma omp atomic
            tasks++;
        }
        omp_set_lock(&lock);
        guarded++;
        omp_unset_lock(&lock);
    }
#pragma omp taskgroup
    {
#pragma omp task shared(wait)
        wait = 1;
    }
#pragma omp atomic
    regions++;
#pragma omp atomic
    orphans += mine + wait;
    return NULL;
}

int main(void)
{
    omp_init_lock(&lock);
    for (int round = 0; round < 5; round++) {
        pthread_t t[3];
        for (int i = 0; i < 3; i++)
            pthread_create(&t[i], NULL, work, NULL);
        work(NULL);
        for (int i = 0; i < 3; i++)
            pthread_join(t[i], NULL);
    }
    omp_destroy_lock(&lock);
    printf("regions %d tasks %d orphans %d guarded %d\n", regions, tasks, orphans, guarded);
    return 0;
}
