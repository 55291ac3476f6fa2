/* SPDX-License-Identifier: BSD-3-Clause */
/* Which CPUs each endpoint of a machine gets. */
#ifndef EP_EPRUN_PLACE_H
#define EP_EPRUN_PLACE_H

#include "eprun/cpus.h"

/* This machine, as all processes on it see it. */
struct cpu_node {
    int total; /* endpoints of all processes here */
    int first; /* those of processes before this one */
    struct cpus allowed;
    struct cpus *cores;
    int *counts;       /* CPUs of each core */
    int ncores, ncpus; /* in allowed */
};

/* Set cores, counts, ncores and ncpus from allowed; false without memory. */
bool node_cores(struct cpu_node *v);
void node_free(struct cpu_node *v);

/* The place of endpoint k of v->total. */
typedef struct cpus place_rule(const struct cpu_node *v, int k);

/* auto, core or thread; NULL: there is no such rule. */
place_rule *place_by_name(const char *name);

#endif
