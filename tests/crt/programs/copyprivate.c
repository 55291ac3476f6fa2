/* SPDX-License-Identifier: BSD-3-Clause */
/* single copyprivate: what one thread read reaches the others, with and without tasks about. */
#include <omp.h>
#include <stdio.h>

static int secret;
#pragma omp threadprivate(secret)

int main(void)
{
    int wrong = 0, sum = 0, tasks = 0;
#pragma omp parallel reduction(+ : wrong, sum)
    {
        for (int i = 0; i < 100; i++) {
            int value = -1;
            double pair[2] = {0, 0};
#pragma omp task shared(tasks)
#pragma omp atomic
            tasks++;
#pragma omp single copyprivate(value, secret, pair)
            {
                value = i * 3;
                secret = i + 1;
                pair[0] = i;
                pair[1] = i / 2.0;
            }
            wrong += value != i * 3 || secret != i + 1 || pair[0] != i || pair[1] != i / 2.0;
            sum += value;
        }
    }
    printf("wrong %d sum %d tasks %d\n", wrong, sum, tasks);
    return 0;
}
