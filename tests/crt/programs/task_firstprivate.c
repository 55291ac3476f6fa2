/* SPDX-License-Identifier: BSD-3-Clause */
/* Argument blocks: small, large, over-aligned, and of variable size, which a copy function makes. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct large {
    int x[500];
};
struct aligned {
    _Alignas(128) char c[128];
};

int main(void)
{
    static long sum, misaligned;
#pragma omp parallel
#pragma omp single
    {
        int n = 33, variable[n];
        char text[8] = "task";
        struct large large;
        struct aligned aligned;
        for (int round = 0; round < 100; round++) {
            for (int i = 0; i < n; i++)
                variable[i] = round + i;
            for (int i = 0; i < 500; i++)
                large.x[i] = round;
            memset(aligned.c, round, sizeof aligned.c);
            text[0] = (char)('a' + round % 26);
#pragma omp task firstprivate(variable, text, round)
            {
                long s = text[0] + (long)strlen(text) + (long)sizeof variable;
                for (int i = 0; i < 33; i++)
                    s += variable[i] - round;
                variable[0] = 0;
#pragma omp atomic
                sum += s;
            }
#pragma omp task firstprivate(large)
            {
                long s = 0;
                for (int i = 0; i < 500; i++)
                    s += large.x[i];
#pragma omp atomic
                sum += s;
            }
#pragma omp task firstprivate(aligned)
            {
#pragma omp atomic
                misaligned += ((uintptr_t)&aligned & 127) != 0;
#pragma omp atomic
                sum += aligned.c[127];
            }
#pragma omp task firstprivate(variable) if (0)
            {
#pragma omp atomic
                sum += variable[32];
                variable[32] = -1000000;
            }
        }
    }
    printf("sum %ld misaligned %ld\n", sum, misaligned);
    return 0;
}
