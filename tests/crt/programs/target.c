/* SPDX-License-Identifier: BSD-3-Clause */
/* target on the host: depend, nowait, firstprivate; a barrier, a loop and tasks in the region itself. */
#include <omp.h>
#include <stdio.h>

struct large {
    int x[40];
};

/* What is firstprivate by address is as it was when the construct was met, though the region comes later. */
static void delayed(void)
{
    static int gate, sums[10];
    struct large given;
    char small[3];
    for (int i = 0; i < 10; i++) {
        for (int k = 0; k < 40; k++)
            given.x[k] = i;
        small[0] = small[2] = (char)(i + 1);
#pragma omp task depend(out : gate)
        gate = i;
#pragma omp target nowait depend(inout : gate) map(tofrom : sums, gate) firstprivate(given, small, i)
        for (int k = 0; k < 40; k++)
            sums[i] += given.x[k] + (small[0] + small[2]) * 100 + gate;
    }
#pragma omp taskwait
    for (int i = 0; i < 10; i++)
        printf("%d ", sums[i]);
    printf("\n");
}

int main(void)
{
    static int a, b, sum, wrong, inside;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 1; i <= 20; i++) {
            int given = i;
#pragma omp task depend(out : a)
            a = i;
#pragma omp target depend(inout : a) map(tofrom : a) firstprivate(given)
            a += given;
            wrong += a != 2 * i;
#pragma omp task depend(out : b)
            b = i;
#pragma omp target nowait depend(inout : b) map(tofrom : b) firstprivate(given)
            b = b * 10 + given % 10;
            given = -1;
#pragma omp task depend(in : b)
            sum += b;
        }
#pragma omp taskwait
#pragma omp target nowait map(tofrom : b)
        b = 5;
#pragma omp taskwait
        wrong += b != 5;
        delayed();
    }
#pragma omp parallel
    {
#pragma omp single
#pragma omp target map(tofrom : inside)
        {
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 10; i++)
                inside += i;
#pragma omp barrier
#pragma omp task shared(inside)
            inside += 100;
#pragma omp taskwait
#pragma omp parallel num_threads(2)
#pragma omp atomic
            inside += 1000;
        }
    }
#pragma omp target nowait depend(inout : a) map(tofrom : a)
    a = 77;
#pragma omp taskwait
    printf("wrong %d sum %d inside %d a %d\n", wrong, sum, inside, a);
    return 0;
}
