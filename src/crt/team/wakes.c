/* SPDX-License-Identifier: BSD-3-Clause */
#include "crt/team/wakes.h"

void wakes_cond(struct wakes *k, crt_cond_t *cond)
{
    if (k->n_conds < WAKE_CONDS)
        k->conds[k->n_conds++] = cond;
    else
        crt_signal(cond);
}

void wakes_thread(struct wakes *k, struct thread *t)
{
    if (k->n_threads < WAKE_THREADS)
        k->threads[k->n_threads++] = t;
    else
        evcount_notify(&t->evcount);
}

void wakes_all(struct wakes *k)
{
    for (unsigned i = 0; i < k->n_conds; i++)
        crt_signal(k->conds[i]);
    for (unsigned i = 0; i < k->n_threads; i++)
        evcount_notify(&k->threads[i]->evcount);
}
