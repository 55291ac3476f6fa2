/* SPDX-License-Identifier: BSD-3-Clause */
/* What was counted for an endpoint (ep_counter.h). */
#include "api/check.h"

_Static_assert((int)COUNTER_COUNT == EP_COUNTER_COUNT && (int)COUNTER_LEVEL == EP_COUNTER_LEVEL &&
                   (int)COUNTER_PEAK == EP_COUNTER_PEAK,
               "the public kinds are base's");

static int check_index(struct where w, int index)
{
    if (index >= 0 && index < COUNTERS)
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_ARG, "argument index is %d: it must be in 0..%d", index, COUNTERS - 1);
}

static int tell_counter(const struct counter_info *c, const char **name, const char **meaning,
                        const char **unit, int *kind)
{
    if (name)
        *name = c->name;
    if (meaning)
        *meaning = c->meaning;
    if (unit)
        *unit = c->unit;
    if (kind)
        *kind = (int)c->kind;
    return MPI_SUCCESS;
}

static int find_counter(struct where w, const char *name, int *index)
{
    int found = counter_find(name);
    if (found < 0)
        return raise_error(w, MPI_ERR_ARG, "argument name is \"%s\": there is no such counter", name);
    *index = found;
    return MPI_SUCCESS;
}

/* Counts from the last reset on. */
static void read_values(struct endpoint *p, uint64_t values[COUNTERS])
{
    counters_read(&p->own, &p->held, values);
    for (int i = 0; i < COUNTERS; i++)
        if (counter_table[i].kind == COUNTER_COUNT)
            values[i] -= load_relaxed(&p->since[i]);
}

static MPI_Count read_value(struct endpoint *p, int index)
{
    uint64_t values[COUNTERS];
    read_values(p, values);
    return (MPI_Count)values[index];
}

static int check_number_of_values(struct where w, int n)
{
    if (n >= 0 && n <= COUNTERS)
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_ARG, "argument n is %d: it must be in 0..%d", n, COUNTERS);
}

static int read_all(struct endpoint *p, int n, MPI_Count values[])
{
    uint64_t all[COUNTERS];
    read_values(p, all);
    for (int i = 0; i < n; i++)
        values[i] = (MPI_Count)all[i];
    return MPI_SUCCESS;
}

static int reset_counters(struct endpoint *p)
{
    uint64_t values[COUNTERS];
    endpoint_lock(p);
    counters_read(&p->own, &p->held, values);
    for (int i = 0; i < COUNTERS; i++)
        store_relaxed(&p->since[i], values[i]);
    store_relaxed(&p->held.unexpected_peak, load_relaxed(&p->held.unexpected_now));
    endpoint_unlock(p);
    return MPI_SUCCESS;
}

#include "api/counter.inc"
