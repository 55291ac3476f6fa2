/* SPDX-License-Identifier: BSD-3-Clause */
/* critical: unnamed and two names, from threads and tasks; nested in different names. */
#include <stdio.h>

int main(void)
{
    static int plain, first, second, both, size = 300;
#pragma omp parallel
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < size; i++) {
#pragma omp critical
            plain++;
#pragma omp task
            {
#pragma omp critical(first)
                {first++;
#pragma omp critical(second)
            both++;
        }
    }
#pragma omp task
    {
#pragma omp critical(second)
        second++;
    }
}
}
printf("plain %d first %d second %d both %d\n", plain, first, second, both);
return 0;
}
