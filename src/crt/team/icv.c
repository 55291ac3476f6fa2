/* SPDX-License-Identifier: BSD-3-Clause */
#include "crt/team/icv.h"

#include <stdlib.h>

#include "crt/gomp/real.h"

static void icv_get(struct icv *set)
{
    const struct real *r = real_function();
    set->threads = r->omp_get_max_threads();
    set->dynamic = r->omp_get_dynamic();
    r->omp_get_schedule(&set->kind, &set->chunk);
    set->levels = r->omp_get_max_active_levels();
    set->device = r->omp_get_default_device();
}

static void icv_put(const struct icv *set)
{
    const struct real *r = real_function();
    r->omp_set_num_threads(set->threads);
    r->omp_set_dynamic(set->dynamic);
    r->omp_set_schedule(set->kind, set->chunk);
    r->omp_set_max_active_levels(set->levels);
    r->omp_set_default_device(set->device);
}

struct icv *icv_copy(const struct icv *from)
{
    struct icv *set = malloc(sizeof *set);
    if (!set)
        log_no_memory("the settings of a task");
    *set = *from;
    return set;
}

void icv_install(struct worker *w, struct icv *set)
{
    if (!w->icv)
        icv_get(&w->own_icv);
    icv_put(set ? set : &w->own_icv);
    w->icv = set;
}

void icv_drop(struct worker *w, struct task *t)
{
    if (w->icv == t->icv)
        icv_install(w, NULL);
    free(t->icv);
    t->icv = NULL;
}

void icv_before(void)
{
    struct worker *w = worker_here();
    if (w && !w->icv)
        icv_get(&w->own_icv);
}

void icv_after(void)
{
    struct worker *w = worker_here();
    struct icv now;
    if (!w)
        return;
    icv_get(&now);
    if (w->task->icv)
        *w->task->icv = now;
    else
        w->icv = w->task->icv = icv_copy(&now);
}
