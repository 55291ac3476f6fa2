/* SPDX-License-Identifier: BSD-3-Clause */
/* Many short regions of changing size, with a task or two each. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    static int tasks, members, expected;
    for (int i = 0; i < 300; i++) {
        int n = i % 4 + 1;
#pragma omp parallel num_threads(n)
        {
#pragma omp atomic
            members++;
#pragma omp single nowait
            {
#pragma omp task
#pragma omp atomic
                tasks++;
            }
#pragma omp master
            expected += omp_get_num_threads();
        }
    }
    printf("members %d tasks %d\n", members - expected, tasks);
    return 0;
}
