/* SPDX-License-Identifier: BSD-3-Clause */
/* teams on the host: every team its own initial thread, tasks and regions. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    static int per_team[2], tasks, dist[40];
#pragma omp teams num_teams(2) thread_limit(2)
    {
        int t = omp_get_team_num() % 2;
#pragma omp parallel
#pragma omp single
        {
#pragma omp task
#pragma omp atomic
            per_team[t]++;
#pragma omp taskloop
            for (int i = 0; i < 10; i++)
#pragma omp atomic
                tasks++;
        }
#pragma omp distribute parallel for
        for (int i = 0; i < 40; i++)
            dist[i]++;
    }
    int wrong = 0;
    for (int i = 0; i < 40; i++)
        wrong += dist[i] != 1;
    printf("%d %d tasks %d wrong %d\n", per_team[0], per_team[1], tasks, wrong);
    return 0;
}
