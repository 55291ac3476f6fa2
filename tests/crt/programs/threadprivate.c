/* SPDX-License-Identifier: BSD-3-Clause */
/* threadprivate: kept from region to region, copyin; tied tasks see their thread's. */
#include <omp.h>
#include <stdio.h>

static int mine = 3;
#pragma omp threadprivate(mine)

int main(void)
{
    static int wrong, sum;
    mine = 10;
#pragma omp parallel copyin(mine)
    {
#pragma omp atomic
        wrong += mine != 10;
        mine += omp_get_thread_num();
    }
#pragma omp parallel
    {
#pragma omp atomic
        wrong += mine != 10 + omp_get_thread_num();
        for (int i = 0; i < 20; i++) {
#pragma omp task
            {
                int before = mine;
#pragma omp task if (0)
#pragma omp atomic
                sum += mine - 10 - omp_get_thread_num();
#pragma omp taskwait
#pragma omp atomic
                wrong += mine != before;
            }
        }
    }
    printf("wrong %d sum %d mine %d\n", wrong, sum, mine);
    return 0;
}
