/* SPDX-License-Identifier: BSD-3-Clause */
/* Control variables that a task sets are its own and its children's; those of an implicit task last for the
 * region. */
#include <omp.h>
#include <stdio.h>

struct set {
    int threads, dynamic, levels, device, chunk;
    omp_sched_t kind;
};

static int wrong;

static struct set get(void)
{
    struct set s = {.threads = omp_get_max_threads(),
                    .dynamic = omp_get_dynamic(),
                    .levels = omp_get_max_active_levels(),
                    .device = omp_get_default_device()};
    omp_get_schedule(&s.kind, &s.chunk);
    return s;
}

static struct set change(int i)
{
    omp_set_num_threads(i % 3 + 1);
    omp_set_dynamic(i % 2);
    omp_set_max_active_levels(i % 5 + 1);
    omp_set_default_device(i % 2);
    omp_set_schedule(omp_sched_dynamic, i + 1);
    return get();
}

static void expect(const struct set *b)
{
    struct set a = get();
    if (a.threads != b->threads || a.dynamic != b->dynamic || a.levels != b->levels ||
        a.device != b->device || a.chunk != b->chunk || a.kind != b->kind) {
#pragma omp atomic
        wrong++;
    }
}

static void child(int i, const struct set *outer)
{
    expect(outer);
    struct set mine = change(i);
#pragma omp task shared(mine)
    {
        expect(&mine);
        change(i + 7);
    }
#pragma omp taskyield
    expect(&mine);
#pragma omp taskwait
    expect(&mine);
}

int main(void)
{
    struct set outside = change(3);
#pragma omp parallel
    {
        expect(&outside);
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 30; i++) {
#pragma omp task shared(outside) if (i % 4)
            child(i, &outside);
        }
        expect(&outside);
        struct set mine = change(5 + omp_get_thread_num());
#pragma omp task shared(mine)
        child(omp_get_thread_num(), &mine);
#pragma omp barrier
        expect(&mine);
    }
    expect(&outside);
    omp_set_nested(1);
#pragma omp task
    omp_set_nested(0);
#pragma omp taskwait
    printf("wrong %d nested %d\n", wrong, omp_get_nested());
    return 0;
}
