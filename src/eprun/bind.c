/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where endpoints run. The processes of a machine count their endpoints together and share its cores out in the order
 * of ranks. mpirun's own binding often leaves all threads of a process one core; then it is given up.
 */
#include "eprun/eprun.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eprun/cpus.h"

/* This machine, as all processes on it see it. */
struct node {
    int total; /* endpoints of all processes here */
    int first; /* those of processes before this one */
    struct cpus allowed;
    struct cpus *cores;
    int *counts;       /* CPUs of each core */
    int ncores, ncpus; /* in allowed */
};

static struct cpus *places; /* of this process's endpoints; NULL: they stay where they are */

static void node_free(struct node *v)
{
    free(v->cores);
    free(v->counts);
}

static bool set_cores(struct node *v)
{
    node_free(v);
    v->ncores = cpus_cores(&v->allowed, &v->cores);
    v->ncpus = cpus_count(&v->allowed);
    v->counts = calloc((size_t)v->ncores + 1, sizeof *v->counts);
    for (int i = 0; i < v->ncores && v->counts; i++)
        v->counts[i] = cpus_count(&v->cores[i]);
    return v->ncores > 0 && v->counts;
}

static bool node_read(struct node *v, int endpoints)
{
    struct cpus mine;
    MPI_Comm node;
    *v = (struct node){0};
    if (!cpus_get(&mine) ||
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node) != MPI_SUCCESS)
        return false;
    MPI_Allreduce(&endpoints, &v->total, 1, MPI_INT, MPI_SUM, node);
    MPI_Scan(&endpoints, &v->first, 1, MPI_INT, MPI_SUM, node);
    MPI_Allreduce(&mine, &v->allowed, CPU_WORDS, MPI_UNSIGNED_LONG, MPI_BOR, node);
    MPI_Comm_free(&node);
    v->first -= endpoints;
    if (!set_cores(v))
        return false;
    if (v->ncores >= v->total || launch_keeps_affinity())
        return true;
    return cpus_permitted(&v->allowed) && set_cores(v);
}

/* That core and those after it. */
static struct cpus cores_from(const struct node *v, int core, int width)
{
    struct cpus place = {{0}};
    for (int i = 0; i < width; i++)
        cpus_join(&place, &v->cores[core + i]);
    return place;
}

/* Which hardware thread endpoint k of n gets; n are not more than there are. Cores get one each before any gets two. */
static struct cpus thread_of(const struct node *v, int k, int n)
{
    struct cpus place = {{0}};
    int level = 0, below = 0,
        at_least = v->ncores; /* cores with more than level CPUs, endpoints below that level */
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
        int mine = more ? level + 1 : v->counts[j] < level ? v->counts[j] : level;
        if (k < mine) {
            cpus_put(&place, cpus_nth(&v->cores[j], k));
            break;
        }
        k -= mine;
    }
    return place;
}

/* Cores that the OpenMP threads of an endpoint are to have. */
static int width(const struct node *v)
{
    const char *threads = getenv("OMP_NUM_THREADS");
    return threads && atoi(threads) > 1 ? v->ncores / v->total : 1;
}

static struct cpus auto_place(const struct node *v, int k)
{
    int w = width(v);
    if (v->total <= v->ncores)
        return cores_from(v, k * w, w);
    return v->total <= v->ncpus ? thread_of(v, k, v->total) : v->allowed;
}

/* --bind core, thread: one each in any case; with too few, neighbours share. */
static struct cpus core_place(const struct node *v, int k)
{
    long at = v->total <= v->ncores ? k : (long)k * v->ncores / v->total;
    return cores_from(v, (int)at, 1);
}

static struct cpus thread_place(const struct node *v, int k)
{
    if (v->total <= v->ncpus)
        return thread_of(v, k, v->total);
    return thread_of(v, (int)((long)k * v->ncpus / v->total), v->ncpus);
}

static bool plan_list(const char *list, const struct node *v, int endpoints)
{
    struct cpus permitted;
    int *cpus, n = cpulist_read(list, &cpus);
    bool good = n > 0 && cpus_permitted(&permitted);
    for (int i = 0; i < n && good; i++)
        if (!cpus_have(&permitted, cpus[i])) {
            message("--bind %s: this process may not run on CPU %d", list, cpus[i]);
            good = false;
        }
    for (int i = 0; i < endpoints && good; i++) {
        places[i] = (struct cpus){{0}};
        cpus_put(&places[i], cpus[(v->first + i) % n]);
    }
    free(cpus);
    return good;
}

static bool plan(const char *how, const struct node *v, int endpoints)
{
    struct cpus (*place)(const struct node *, int) = strcmp(how, "auto") == 0     ? auto_place
                                                     : strcmp(how, "core") == 0   ? core_place
                                                     : strcmp(how, "thread") == 0 ? thread_place
                                                                                  : NULL;
    if (!place)
        return plan_list(how, v, endpoints);
    for (int i = 0; i < endpoints; i++)
        places[i] = place(v, v->first + i);
    return true;
}

bool bind_plan(const struct options *o, int endpoints)
{
    struct node v;
    struct cpus together = {{0}};
    if (strcmp(o->bind, "none") == 0)
        return true;
    if (!node_read(&v, endpoints) || !(places = calloc((size_t)endpoints + 1, sizeof *places))) {
        message("--bind %s: the CPUs of this machine cannot be found out", o->bind);
        return false;
    }
    bool good = plan(o->bind, &v, endpoints);
    for (int i = 0; i < endpoints && good; i++)
        cpus_join(&together, &places[i]);
    if (good && endpoints > 0)
        cpus_bind(&together);
    node_free(&v);
    return good;
}

void bind_thread(int index)
{
    if (places && !cpus_bind(&places[index]))
        message("warning: cannot be bound to its CPUs");
}

void bind_describe(int index, char *text, size_t size)
{
    if (!places) {
        snprintf(text, size, "not bound");
        return;
    }
    int n = snprintf(text, size, "CPUs ");
    cpus_print(&places[index], text + n, size - (size_t)n);
}
