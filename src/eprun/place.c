/* SPDX-License-Identifier: BSD-3-Clause */
#include "eprun/place.h"

#include <stdlib.h>
#include <string.h>

void node_free(struct cpu_node *v)
{
    free(v->cores);
    free(v->counts);
}

bool node_cores(struct cpu_node *v)
{
    node_free(v);
    v->ncores = cpus_cores(&v->allowed, &v->cores);
    v->ncpus = cpus_count(&v->allowed);
    v->counts = calloc((size_t)v->ncores + 1, sizeof *v->counts);
    for (int i = 0; i < v->ncores && v->counts; i++)
        v->counts[i] = cpus_count(&v->cores[i]);
    return v->ncores > 0 && v->counts;
}

/* That core and those after it. */
static struct cpus cores_from(const struct cpu_node *v, int core, int width)
{
    struct cpus place = {{0}};
    for (int i = 0; i < width; i++)
        cpus_join(&place, &v->cores[core + i]);
    return place;
}

/* Which hardware thread endpoint k of n gets; n are not more than there are. Cores get one each before any gets two. */
static struct cpus thread_of(const struct cpu_node *v, int k, int n)
{
    struct cpus place = {{0}};
    int level = 0, below = 0; /* every core has its first level CPUs taken, as far as it has them: below */
    int at_least = v->ncores; /* cores with more than level CPUs */
    while (at_least > 0 && n - below > at_least) {
        below += at_least;
        at_least = 0;
        level++;
        for (int j = 0; j < v->ncores; j++)
            at_least += v->counts[j] > level;
    }
    int extra = n - below; /* the first cores that can get one more than level */
    for (int j = 0; j < v->ncores; j++) {
        bool more = v->counts[j] > level && extra-- > 0;
        int mine = v->counts[j] < level ? v->counts[j] : level + more;
        if (k < mine) {
            cpus_put(&place, cpus_nth(&v->cores[j], k));
            break;
        }
        k -= mine;
    }
    return place;
}

/* Cores that the OpenMP threads of an endpoint are to have. */
static int place_width(const struct cpu_node *v)
{
    const char *threads = getenv("OMP_NUM_THREADS");
    return threads && atoi(threads) > 1 ? v->ncores / v->total : 1;
}

static struct cpus auto_place(const struct cpu_node *v, int k)
{
    int w = place_width(v);
    if (v->total <= v->ncores)
        return cores_from(v, k * w, w);
    return v->total <= v->ncpus ? thread_of(v, k, v->total) : v->allowed;
}

/* --bind core, thread: one each in any case; with too few, neighbours share. */
static struct cpus core_place(const struct cpu_node *v, int k)
{
    long at = v->total <= v->ncores ? k : (long)k * v->ncores / v->total;
    return cores_from(v, (int)at, 1);
}

static struct cpus thread_place(const struct cpu_node *v, int k)
{
    if (v->total <= v->ncpus)
        return thread_of(v, k, v->total);
    return thread_of(v, (int)((long)k * v->ncpus / v->total), v->ncpus);
}

place_rule *place_by_name(const char *name)
{
    static const struct {
        const char *name;
        place_rule *rule;
    } rules[] = {{"auto", auto_place}, {"core", core_place}, {"thread", thread_place}};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (strcmp(name, rules[i].name) == 0)
            return rules[i].rule;
    return NULL;
}
