/* SPDX-License-Identifier: BSD-3-Clause */
/* The rounding mode is the thread's: tasks begin with that of the implicit task they run under, not with one that an earlier task
 * had; one that a task sets and resets is its own until then. */
#include <fenv.h>
#include <stdio.h>

static int wrong;

static void expect(int mode)
{
    if (fegetround() != mode) {
#pragma omp atomic
        wrong++;
    }
}

static void tasks(int mode, int other)
{
    for (int i = 0; i < 200; i++)
#pragma omp task firstprivate(i)
    {
        expect(mode);
        if (i % 3 == 0) {
            fesetround(other);
#pragma omp task if (0)
            expect(other);
            fesetround(mode);
        }
#pragma omp taskyield
        expect(mode);
    }
}

int main(void)
{
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (int i = 0; i < 8; i++) {
#pragma omp parallel
        {
            fesetround(modes[i % 4]);
#pragma omp barrier
#pragma omp single
            tasks(modes[i % 4], modes[(i + 1) % 4]);
            expect(modes[i % 4]);
        }
    }
    printf("%d\n", wrong);
    return 0;
}
