/* SPDX-License-Identifier: BSD-3-Clause */
/* Task reductions with declare reduction, structures, array sections and variable length arrays. */
#include <stdio.h>

static int strange;

struct pair {
    long sum;
    int most;
};

static void join(struct pair *into, const struct pair *from)
{
    into->sum += from->sum;
    into->most = into->most > from->most ? into->most : from->most;
}

#pragma omp declare reduction(joined : struct pair : join(&omp_out, &omp_in)) initializer(omp_priv = {0, -1})

/* To begin a copy the original is asked for, also by tasks that know of another copy alone. */
struct tagged {
    long sum;
    int tag;
};

#pragma omp declare reduction(tagged                                                                         \
                              : struct tagged                                                                \
                              : omp_out.sum += omp_in.sum) initializer(omp_priv = {0, omp_orig.tag})

static void add(struct tagged *to, int tag, long value)
{
    to->sum += value;
    if (to->tag != tag) {
#pragma omp atomic
        strange++;
    }
}

static void originals(void)
{
    struct tagged a = {1000, 1}, b = {2000, 2}, c = {3000, 3};
#pragma omp taskgroup task_reduction(tagged : a, b, c)
    {
        for (int i = 0; i < 20; i++) {
#pragma omp task in_reduction(tagged : a, b, c)
            {
                add(&a, 1, 1);
#pragma omp task in_reduction(tagged : b, c)
                {
                    add(&b, 2, 10);
#pragma omp task in_reduction(tagged : c)
                    add(&c, 3, 100);
                }
            }
        }
    }
    printf("originals %ld %ld %ld strange %d\n", a.sum, b.sum, c.sum, strange);
}

static void sections(int *p, int n)
{
    double v[n];
    for (int i = 0; i < n; i++)
        v[i] = 0;
#pragma omp taskgroup task_reduction(+ : p [1:n], v)
    {
        for (int i = 0; i < 50; i++) {
#pragma omp task in_reduction(+ : p [1:n], v)
            {
                p[1 + i % n] += i;
                v[i % n] += 0.5;
            }
        }
    }
    double all = 0;
    for (int i = 0; i < n; i++)
        all += v[i];
    printf("section %d %d %d, array %.1f\n", p[1], p[n - 1], p[n], all);
}

int main(void)
{
    struct pair pair = {1, 2};
    int array[12] = {0};
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup task_reduction(joined : pair)
        {
            for (int i = 0; i < 40; i++) {
#pragma omp task in_reduction(joined : pair)
                join(&pair, &(struct pair){i, i * i % 37});
            }
        }
        sections(array, 7);
        originals();
    }
    printf("pair %ld %d, outside %d %d\n", pair.sum, pair.most, array[0], array[8]);
    return 0;
}
