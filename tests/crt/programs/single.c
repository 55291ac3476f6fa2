/* SPDX-License-Identifier: BSD-3-Clause */
/* single: once per encounter, its barrier, nowait; tasks made in it run everywhere. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int once = 0, seen[64] = {0}, wrong = 0, tasks = 0;
#pragma omp parallel
    {
        for (int i = 0; i < 50; i++) {
#pragma omp single
            once++;
#pragma omp atomic
            wrong += once != i + 1;
#pragma omp barrier
        }
        for (int i = 0; i < 50; i++) {
#pragma omp single nowait
            {
#pragma omp task shared(seen, tasks)
                {
#pragma omp atomic
                    seen[omp_get_thread_num()]++;
#pragma omp atomic
                    tasks++;
                }
            }
        }
    }
    int sum = 0;
    for (int i = 0; i < 64; i++)
        sum += seen[i];
    printf("once %d wrong %d tasks %d of %d\n", once, wrong, sum, tasks);
    return 0;
}
