/* SPDX-License-Identifier: BSD-3-Clause */
/* depobj: made, updated, used beside plain dependences, destroyed. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    static int x, y, wrong, sum;
    omp_depend_t of_x, of_y;
#pragma omp depobj(of_x) depend(inout : x)
#pragma omp depobj(of_y) depend(in : y)
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 40; i++) {
#pragma omp task depend(out : y)
        y = i;
#pragma omp task depend(depobj : of_x)
        x = x * 2 % 1013 + 1;
#pragma omp task depend(depobj : of_x, of_y)
        x += y;
#pragma omp depobj(of_x) update(in)
#pragma omp task depend(depobj : of_x) depend(in : y)
        {
#pragma omp atomic
            sum += x;
#pragma omp atomic
            wrong += y != i;
        }
#pragma omp depobj(of_x) update(mutexinoutset)
#pragma omp task depend(depobj : of_x)
        x++;
#pragma omp depobj(of_x) update(inout)
    }
#pragma omp depobj(of_x) destroy
#pragma omp depobj(of_y) destroy
    printf("x %d sum %d wrong %d\n", x, sum, wrong);
    return 0;
}
