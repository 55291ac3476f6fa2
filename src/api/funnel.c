/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of libraries that are not thread-safe (ep_funnel.h). */
#include "api/check.h"
#include "derive/derive.h"

/* Sets w->view. */
static int check_funnel(struct where *w, ep_funnel funnel)
{
    if (unlikely(!funnel_is_live(funnel)))
        return raise_handle(*w, MPI_ERR_ARG, "funnel", funnel == EP_FUNNEL_NULL ? "EP_FUNNEL_NULL" : NULL);
    w->view = funnel->view;
    return likely(view_is_live(w->view)) ? MPI_SUCCESS : check_running(*w);
}

/* Where the new handle goes; it becomes EP_FUNNEL_NULL. */
static int check_new_funnel(struct where w, ep_funnel *funnel)
{
    int rc = check_pointer(w, funnel, "funnel");
    if (rc == MPI_SUCCESS)
        *funnel = EP_FUNNEL_NULL;
    return rc;
}

static int check_outside(struct where w)
{
    return unlikely(funnel_runs_here())
               ? raise_error(w, MPI_ERR_OTHER, "it is called from within a function of a funnel")
               : MPI_SUCCESS;
}

/* Errors of these arguments are told to the others, who wait. */
static int call_in_funnel(struct where w, ep_funnel funnel, ep_funnel_function *fn, void *arg, int *result)
{
    int rc = check_pointer(w, (const void *)(uintptr_t)fn, "fn");
    if (rc == MPI_SUCCESS)
        rc = check_pointer(w, result, "result");
    return funnel_call(w, funnel, fn, rc, arg, result);
}

static int free_funnel(ep_funnel *funnel)
{
    funnel_delete(*funnel);
    *funnel = EP_FUNNEL_NULL;
    return MPI_SUCCESS;
}

#include "api/funnel.inc"
