/* SPDX-License-Identifier: BSD-3-Clause */
/* barrier: phases, and tasks made before it are complete after it. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    static int phase[64], done;
    int wrong = 0;
#pragma omp parallel reduction(+ : wrong)
    {
        int me = omp_get_thread_num(), n = omp_get_num_threads();
        for (int i = 1; i <= 100; i++) {
            phase[me] = i;
#pragma omp task
#pragma omp atomic
            done++;
#pragma omp barrier
            for (int j = 0; j < n; j++)
                wrong += phase[j] != i;
            int seen;
#pragma omp atomic read
            seen = done;
            wrong += seen != i * n;
#pragma omp barrier
        }
    }
    printf("wrong %d done per thread %d\n", wrong, done % 100);
    return 0;
}
