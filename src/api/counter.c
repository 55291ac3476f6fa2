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

int ep_counter_count(int *count)
{
    int rc = check_pointer((struct where){NULL, "ep_counter_count"}, count, "count");
    if (rc == MPI_SUCCESS)
        *count = COUNTERS;
    return rc;
}

int ep_counter_info(int index, const char **name, const char **meaning, const char **unit, int *kind)
{
    int rc = check_index((struct where){NULL, "ep_counter_info"}, index);
    if (rc)
        return rc;
    const struct counter_info *c = &counter_table[index];
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

int ep_counter_find(const char *name, int *index)
{
    struct where w = {NULL, "ep_counter_find"};
    int rc = check_pointer(w, name, "name");
    if (rc || (rc = check_pointer(w, index, "index")))
        return rc;
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

int ep_counter_read(ep_comm comm, int index, MPI_Count *value)
{
    struct where w = {NULL, "ep_counter_read"};
    uint64_t values[COUNTERS];
    int rc = check_comm(&w, comm);
    if (rc || (rc = check_index(w, index)) || (rc = check_pointer(w, value, "value")))
        return rc;
    read_values(w.view->endpoint, values);
    *value = (MPI_Count)values[index];
    return MPI_SUCCESS;
}

int ep_counter_read_all(ep_comm comm, int n, MPI_Count values[])
{
    struct where w = {NULL, "ep_counter_read_all"};
    uint64_t all[COUNTERS];
    int rc = check_comm(&w, comm);
    if (rc)
        return rc;
    if (n < 0 || n > COUNTERS)
        return raise_error(w, MPI_ERR_ARG, "argument n is %d: it must be in 0..%d", n, COUNTERS);
    if (n > 0 && (rc = check_pointer(w, values, "values")))
        return rc;
    read_values(w.view->endpoint, all);
    for (int i = 0; i < n; i++)
        values[i] = (MPI_Count)all[i];
    return MPI_SUCCESS;
}

int ep_counter_reset(ep_comm comm)
{
    struct where w = {NULL, "ep_counter_reset"};
    uint64_t values[COUNTERS];
    int rc = check_comm(&w, comm);
    if (rc)
        return rc;
    struct endpoint *p = w.view->endpoint;
    endpoint_lock(p);
    counters_read(&p->own, &p->held, values);
    for (int i = 0; i < COUNTERS; i++)
        store_relaxed(&p->since[i], values[i]);
    store_relaxed(&p->held.unexpected_peak, load_relaxed(&p->held.unexpected_now));
    endpoint_unlock(p);
    return MPI_SUCCESS;
}
