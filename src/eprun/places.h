/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of CPUs, the cores of this machine, and which of them each endpoint gets. */
#ifndef EP_EPRUN_PLACES_H
#define EP_EPRUN_PLACES_H

#include <stdbool.h>
#include <stddef.h>

enum { CPU_LIMIT = 8192 };

/* The numbers of a list as taskset(1) takes them, such as 0-3,8, in their order, allocated; how many; 0 if
 * text is none, -1 without memory. */
int cpulist_read(const char *text, int **cpus);

enum { CPU_WORD = 8 * sizeof(unsigned long), CPU_WORDS = CPU_LIMIT / CPU_WORD };

struct cpus {
    unsigned long word[CPU_WORDS];
};

bool cpus_have(const struct cpus *s, int cpu);
void cpus_put(struct cpus *s, int cpu);
void cpus_join(struct cpus *to, const struct cpus *from);
int cpus_count(const struct cpus *s);
/* The nth of the set, from 0; -1: there are not so many. */
int cpus_nth(const struct cpus *s, int n);
/* In the form 0-3,8. */
void cpus_print(const struct cpus *s, char *text, size_t size);

/* Of the calling thread. */
bool cpus_get(struct cpus *s);
bool cpus_bind(const struct cpus *s);
/* All that the calling thread could be bound to. */
bool cpus_permitted(struct cpus *s);

/* The cores that have CPUs in allowed, those near each other side by side; each a set of its allowed CPUs.
 * How many, 0 without memory. The caller frees cores. */
int cpus_cores(const struct cpus *allowed, struct cpus **cores);

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
