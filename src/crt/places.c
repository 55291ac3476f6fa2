/* SPDX-License-Identifier: BSD-3-Clause */
#include "crt/places.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* Of OpenMP's library, if the program has it: this is no reason to load it. */
struct places_own_places {
    int (*count)(void);
    int (*cpus_of)(int place);
    void (*ids_of)(int place, int *ids);
};

static struct places_own_places places_find(void)
{
    struct places_own_places p;
    *(void **)(void *)&p.count = dlsym(RTLD_DEFAULT, "omp_get_num_places");
    *(void **)(void *)&p.cpus_of = dlsym(RTLD_DEFAULT, "omp_get_place_num_procs");
    *(void **)(void *)&p.ids_of = dlsym(RTLD_DEFAULT, "omp_get_place_proc_ids");
    return p;
}

static void add_place(const struct places_own_places *p, int place, cpu_set_t *set, size_t bytes)
{
    int n = p->cpus_of(place), *ids = n > 0 ? malloc((size_t)n * sizeof *ids) : NULL;
    if (!ids)
        return;
    p->ids_of(place, ids);
    for (int i = 0; i < n; i++)
        CPU_SET_S((size_t)ids[i], bytes, set);
    free(ids);
}

int places_cpus(unsigned long *mask, size_t bytes)
{
    cpu_set_t *set = (cpu_set_t *)(void *)mask;
    struct places_own_places p = places_find();
    memset(mask, 0, bytes);
    if (sched_getaffinity(0, bytes, set) != 0)
        return 0;
    int n = p.count && p.cpus_of && p.ids_of ? p.count() : 0;
    for (int place = 0; place < n; place++)
        add_place(&p, place, set, bytes);
    return CPU_COUNT_S(bytes, set);
}
