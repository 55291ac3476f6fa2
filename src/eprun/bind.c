/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where endpoints run. The processes of a machine count their endpoints together and share its cores out in
 * the order of ranks. mpirun's own binding often leaves all threads of a process one core; then it is given
 * up.
 */
#include "eprun/eprun.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eprun/places.h"

static struct cpus *places; /* of this process's endpoints; NULL: they stay where they are */

static bool node_read(struct cpu_node *v, int endpoints)
{
    struct cpus mine;
    MPI_Comm node;
    *v = (struct cpu_node){0};
    if (!cpus_get(&mine) ||
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node) != MPI_SUCCESS)
        return false;
    MPI_Allreduce(&endpoints, &v->total, 1, MPI_INT, MPI_SUM, node);
    MPI_Scan(&endpoints, &v->first, 1, MPI_INT, MPI_SUM, node);
    MPI_Allreduce(&mine, &v->allowed, CPU_WORDS, MPI_UNSIGNED_LONG, MPI_BOR, node);
    MPI_Comm_free(&node);
    v->first -= endpoints;
    if (!node_cores(v))
        return false;
    if (v->ncores >= v->total || launch_keeps_affinity())
        return true;
    return cpus_permitted(&v->allowed) && node_cores(v);
}

static bool plan_list(const char *list, const struct cpu_node *v, int endpoints)
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

static bool bind_make_plan(const char *how, const struct cpu_node *v, int endpoints)
{
    place_rule *place = place_by_name(how);
    if (!place)
        return plan_list(how, v, endpoints);
    for (int i = 0; i < endpoints; i++)
        places[i] = place(v, v->first + i);
    return true;
}

bool bind_plan(const struct options *o, int endpoints)
{
    struct cpu_node v;
    struct cpus together = {{0}};
    if (strcmp(o->bind, "none") == 0)
        return true;
    errno = 0;
    if (!node_read(&v, endpoints)) {
        message("--bind %s: %s", o->bind,
                errno == ENOMEM ? "no memory" : "the CPUs of this machine cannot be found out");
        return false;
    }
    places = calloc((size_t)endpoints + 1, sizeof *places);
    if (!places) {
        message("-t %d: no memory for where so many ranks run", endpoints);
        return false;
    }
    bool good = bind_make_plan(o->bind, &v, endpoints);
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
