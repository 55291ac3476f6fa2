/* SPDX-License-Identifier: BSD-3-Clause */
/* Random task graphs: the result is that of running the tasks in the order of their creation. */
#include <stdio.h>

enum { CELLS = 12, TASKS = 400 };
static unsigned long cells[CELLS], expected[CELLS], state;

static unsigned draw(unsigned n)
{
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return (unsigned)(state >> 33) % n;
}

static void mix(unsigned long *to, unsigned long from, int i)
{
    *to = *to * 31 + from % 1009 + (unsigned long)i;
}

int main(void)
{
    int wrong = 0;
    for (unsigned long seed = 1; seed <= 10; seed++) {
        for (int i = 0; i < CELLS; i++)
            cells[i] = expected[i] = (unsigned long)i;
#pragma omp parallel
#pragma omp single
        {
            state = seed;
            for (int i = 0; i < TASKS; i++) {
                unsigned a = draw(CELLS), b = draw(CELLS), kind = draw(5);
                unsigned long *to = &cells[a], *from = &cells[b];
                mix(&expected[a], expected[b], i);
                if (kind == 0) {
#pragma omp task depend(inout : *to) depend(in : *from) if (i % 3)
                    mix(to, *from, i);
                } else if (kind == 1) {
#pragma omp taskwait depend(inout : *to) depend(in : *from)
                    mix(to, *from, i);
                } else {
#pragma omp task depend(inout : *to) depend(in : *from)
                    {
                        unsigned long mine = *to;
#pragma omp task shared(mine)
                        mix(&mine, *from, i);
#pragma omp taskwait
                        *to = mine;
                    }
                }
            }
        }
        for (int i = 0; i < CELLS; i++)
            wrong += cells[i] != expected[i];
        printf("seed %lu: %lu\n", seed, cells[0]);
    }
    printf("wrong %d\n", wrong);
    return 0;
}
