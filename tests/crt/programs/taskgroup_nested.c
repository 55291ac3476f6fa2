/* SPDX-License-Identifier: BSD-3-Clause */
/* Taskgroups in taskgroups and in tasks of them; a member that depends on an older task outside. */
#include <stdio.h>

int main(void)
{
    static int inner, outer, wrong, x;
#pragma omp parallel
#pragma omp single
    for (int round = 1; round <= 20; round++) {
#pragma omp task depend(out : x)
        x = round;
#pragma omp taskgroup
        {
            for (int i = 0; i < 4; i++) {
#pragma omp task
                {
                    int mine = 0;
#pragma omp taskgroup
                    {
                        for (int k = 0; k < 5; k++) {
#pragma omp task shared(mine)
                            {
#pragma omp atomic
                                mine++;
#pragma omp atomic
                                inner++;
                            }
                        }
                    }
                    if (mine != 5) {
#pragma omp atomic
                        wrong++;
                    }
#pragma omp task
#pragma omp atomic
                    outer++;
                }
            }
#pragma omp taskgroup
            {
#pragma omp task depend(in : x)
                wrong += x != round;
            }
        }
        int seen;
#pragma omp atomic read
        seen = outer;
        wrong += seen != 4 * round;
    }
    printf("inner %d outer %d wrong %d\n", inner, outer, wrong);
    return 0;
}
