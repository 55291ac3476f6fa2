/* SPDX-License-Identifier: BSD-3-Clause */
/* The rules of --bind on machines that hwloc makes up: no core gets two endpoints while another has none. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eprun/places.h"

static int failures;

static void fail(const char *machine, const char *rule, int total, int k, const char *what)
{
    fprintf(stderr, "%s --bind %s, endpoint %d of %d: %s\n", machine, rule, k, total, what);
    failures++;
}

static bool overlap(const struct cpus *a, const struct cpus *b)
{
    for (int i = 0; i < CPU_WORDS; i++)
        if (a->word[i] & b->word[i])
            return true;
    return false;
}

/* The core of a place that lies in one; -1: in several. */
static int core_of(const struct cpu_node *v, const struct cpus *place)
{
    int found = -1;
    for (int j = 0; j < v->ncores; j++)
        if (overlap(place, &v->cores[j])) {
            if (found >= 0)
                return -1;
            found = j;
        }
    return found;
}

/* Each core has as many endpoints as any other, or one more or less, unless it has no more CPUs. */
static void check_even(const char *machine, const char *rule, const struct cpu_node *v, const int *load)
{
    for (int i = 0; i < v->ncores; i++)
        for (int j = 0; j < v->ncores; j++)
            if (load[i] > load[j] + 1 && load[j] < v->counts[j])
                fail(machine, rule, v->total, load[i], "cores have uneven loads");
}

static void check_single(const char *machine, const char *rule, const struct cpu_node *v, struct cpus *places,
                         int cpus)
{
    int *load = calloc((size_t)v->ncores, sizeof *load), last = 0;
    for (int k = 0; k < v->total; k++) {
        int core = core_of(v, &places[k]);
        if (core < last)
            fail(machine, rule, v->total, k, "not in one core, or before its neighbour's");
        else
            load[last = core]++;
        if (cpus && cpus_count(&places[k]) != cpus)
            fail(machine, rule, v->total, k, "has another number of CPUs");
        for (int i = 0; v->total <= v->ncpus && i < k; i++)
            if (strcmp(rule, "core") != 0 && overlap(&places[i], &places[k]))
                fail(machine, rule, v->total, k, "shares a CPU");
    }
    check_even(machine, rule, v, load);
    free(load);
}

static void check(const char *machine, const char *rule, struct cpu_node *v)
{
    struct cpus *places = calloc((size_t)v->total, sizeof *places);
    bool is_auto = strcmp(rule, "auto") == 0;
    for (int k = 0; k < v->total; k++)
        places[k] = place_by_name(rule)(v, k);
    if (is_auto && v->total > v->ncpus) {
        for (int k = 0; k < v->total; k++)
            if (memcmp(&places[k], &v->allowed, sizeof v->allowed) != 0)
                fail(machine, rule, v->total, k, "is bound with too few CPUs");
    } else
        check_single(machine, rule, v, places,
                     strcmp(rule, "thread") == 0 || (is_auto && v->total > v->ncores) ? 1 : 0);
    free(places);
}

/* OpenMP threads of an endpoint get cores of their own. */
static void check_openmp(const char *machine, struct cpu_node *v)
{
    setenv("OMP_NUM_THREADS", "2", 1);
    for (v->total = 1; v->total <= v->ncores; v->total++) {
        struct cpus used = {{0}};
        for (int k = 0; k < v->total; k++) {
            struct cpus place = place_by_name("auto")(v, k);
            int cores = 0;
            for (int j = 0; j < v->ncores; j++)
                cores += overlap(&place, &v->cores[j]);
            if (cores != v->ncores / v->total || overlap(&place, &used))
                fail(machine, "auto, OpenMP", v->total, k, "has the wrong cores");
            cpus_join(&used, &place);
        }
    }
    unsetenv("OMP_NUM_THREADS");
}

/* On the CPUs of the machine that are multiples of step. */
static void run(const char *machine, int cpus, int step)
{
    static const char *const rules[] = {"auto", "core", "thread"};
    struct cpu_node v = {0};
    setenv("HWLOC_SYNTHETIC", machine, 1);
    for (int cpu = 0; cpu < cpus; cpu += step)
        cpus_put(&v.allowed, cpu);
    if (!node_cores(&v) || v.ncpus != (cpus + step - 1) / step)
        fail(machine, "", 0, 0, "is not understood");
    for (v.total = 1; v.total <= 2 * cpus + 1; v.total++)
        for (int i = 0; i < 3; i++)
            check(machine, rules[i], &v);
    check_openmp(machine, &v);
    node_free(&v);
}

int main(void)
{
    run("core:2 pu:1", 2, 1);
    run("core:4 pu:2", 8, 1);
    run("package:2 core:6 pu:2", 24, 1);
    run("package:2 numa:2 core:4 pu:4", 64, 3); /* cores with one CPU and with two */
    run("core:1 pu:1", 3, 1);                   /* more CPUs than hwloc knows */
    return failures != 0;
}
