/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of CPUs, the cores of this machine, and which of them each endpoint gets. */
#include <ctype.h>
#include <hwloc.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eprun/places.h"

bool cpus_have(const struct cpus *s, int cpu)
{
    return s->word[cpu / CPU_WORD] >> cpu % CPU_WORD & 1;
}

void cpus_put(struct cpus *s, int cpu)
{
    s->word[cpu / CPU_WORD] |= 1ul << cpu % CPU_WORD;
}

void cpus_join(struct cpus *to, const struct cpus *from)
{
    for (int i = 0; i < CPU_WORDS; i++)
        to->word[i] |= from->word[i];
}

int cpus_count(const struct cpus *s)
{
    int n = 0;
    for (int i = 0; i < CPU_WORDS; i++)
        n += __builtin_popcountl(s->word[i]);
    return n;
}

int cpus_nth(const struct cpus *s, int n)
{
    for (int i = 0; i < CPU_WORDS; i++)
        for (unsigned long rest = s->word[i]; rest; rest &= rest - 1)
            if (n-- == 0)
                return i * CPU_WORD + __builtin_ctzl(rest);
    return -1;
}

void cpus_print(const struct cpus *s, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (int cpu = 0; cpu < CPU_LIMIT && used < size; cpu++) {
        int last = cpu;
        if (!cpus_have(s, cpu))
            continue;
        while (last + 1 < CPU_LIMIT && cpus_have(s, last + 1))
            last++;
        used += (size_t)snprintf(text + used, size - used, "%s%d", used ? "," : "", cpu);
        if (last > cpu && used < size)
            used += (size_t)snprintf(text + used, size - used, "-%d", last);
        cpu = last;
    }
}

bool cpus_get(struct cpus *s)
{
    memset(s, 0, sizeof *s);
    return sched_getaffinity(0, sizeof *s, (cpu_set_t *)(void *)s) == 0;
}

bool cpus_bind(const struct cpus *s)
{
    return sched_setaffinity(0, sizeof *s, (const cpu_set_t *)(const void *)s) == 0;
}

/* The kernel takes from a set what the cpuset permits, so asking for everything tells it. */
bool cpus_permitted(struct cpus *s)
{
    struct cpus now, all;
    memset(&all, 0xff, sizeof all);
    if (!cpus_get(&now))
        return false;
    *s = now;
    return !cpus_bind(&all) || (cpus_get(s) && cpus_bind(&now));
}

/* The CPUs of obj that are in left, taken out of there. */
static struct cpus cpus_take(hwloc_obj_t obj, struct cpus *left)
{
    struct cpus core = {{0}};
    for (int cpu = hwloc_bitmap_first(obj->cpuset); cpu >= 0 && cpu < CPU_LIMIT;
         cpu = hwloc_bitmap_next(obj->cpuset, cpu))
        if (cpus_have(left, cpu)) {
            cpus_put(&core, cpu);
            left->word[cpu / CPU_WORD] &= ~(1ul << cpu % CPU_WORD);
        }
    return core;
}

int cpus_cores(const struct cpus *allowed, struct cpus **cores)
{
    struct cpus left = *allowed;
    hwloc_topology_t topology;
    hwloc_obj_t obj = NULL;
    int n = 0;
    struct cpus *list = *cores = calloc((size_t)cpus_count(allowed) + 1, sizeof *list);
    if (!list)
        return 0;
    if (hwloc_topology_init(&topology) == 0) {
        if (hwloc_topology_load(topology) == 0)
            while ((obj = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_CORE, obj))) {
                list[n] = cpus_take(obj, &left);
                n += cpus_count(&list[n]) > 0;
            }
        hwloc_topology_destroy(topology);
    }
    /* What hwloc does not know is a core by itself. */
    for (int cpu = 0; cpu < CPU_LIMIT; cpu++)
        if (cpus_have(&left, cpu))
            cpus_put(&list[n++], cpu);
    return n;
}

/* ---- lists of CPUs ---- */

/* A CPU's number; -1: there is none. */
static int cpus_number(const char **at)
{
    int n = 0;
    if (!isdigit((unsigned char)**at))
        return -1;
    for (; isdigit((unsigned char)**at); (*at)++)
        if ((n = 10 * n + **at - '0') >= CPU_LIMIT)
            return -1;
    return n;
}

int cpulist_read(const char *text, int **cpus)
{
    int n = 0, *list = malloc(CPU_LIMIT * sizeof *list);
    *cpus = list;
    if (!list)
        return -1;
    for (;;) {
        int first = cpus_number(&text);
        int last = first >= 0 && *text == '-' ? (text++, cpus_number(&text)) : first;
        if (first < 0 || last < first || n + last - first >= CPU_LIMIT)
            break;
        while (first <= last)
            list[n++] = first++;
        if (*text == 0)
            return n;
        if (*text++ != ',')
            break;
    }
    free(list);
    *cpus = NULL;
    return 0;
}

/* ---- which CPUs each endpoint gets ---- */

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

/* Which hardware thread endpoint k of n gets; n are not more than there are. Cores get one each before any
 * gets two. */
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
