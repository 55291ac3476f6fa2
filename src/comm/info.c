/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that call MPI are between mpi_enter and mpi_leave; extras->info is under the view's lock, which
 * is taken before MPI's gate. */
#include <stdio.h>
#include <strings.h>

#include "comm/comm.h"

bool info_flag(MPI_Info info, const char *key, bool otherwise)
{
    char value[8];
    int flag = 0;
    if (info != MPI_INFO_NULL)
        MPI_Info_get(info, key, sizeof value - 1, value, &flag);
    if (flag && strcasecmp(value, "true") == 0)
        return true;
    return flag && strcasecmp(value, "false") == 0 ? false : otherwise;
}

static int dup_locked(ep_comm view, MPI_Info *copy)
{
    lock_assert_held(&view->lock);
    MPI_Info info = view->extras ? view->extras->info : MPI_INFO_NULL;
    *copy = MPI_INFO_NULL;
    return info == MPI_INFO_NULL ? MPI_SUCCESS : error_class_of_mpi(MPI_Info_dup(info, copy));
}

int info_copy(ep_comm view, MPI_Info *copy)
{
    lock_acquire(&view->lock);
    mpi_enter();
    int rc = dup_locked(view, copy);
    mpi_leave();
    lock_release(&view->lock);
    return rc;
}

/* All keys of `from` into `to`. */
static int info_merge(MPI_Info to, MPI_Info from)
{
    char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
    int n = 0, flag = 0, rc = MPI_Info_get_nkeys(from, &n);
    for (int i = 0; i < n && rc == MPI_SUCCESS; i++) {
        rc = MPI_Info_get_nthkey(from, i, key);
        if (rc == MPI_SUCCESS)
            rc = MPI_Info_get(from, key, MPI_MAX_INFO_VAL, value, &flag);
        if (rc == MPI_SUCCESS && flag)
            rc = MPI_Info_set(to, key, value);
    }
    return error_class_of_mpi(rc);
}

int info_set(ep_comm view, MPI_Info info)
{
    struct extras *x = view_extras(view);
    int rc = MPI_SUCCESS;
    if (!x)
        return MPI_ERR_NO_MEM;
    lock_acquire(&view->lock);
    mpi_enter();
    if (x->info == MPI_INFO_NULL)
        rc = error_class_of_mpi(MPI_Info_dup(info, &x->info));
    else
        rc = info_merge(x->info, info);
    view->reproducible = info_flag(info, "ep_reproducible", view->reproducible);
    mpi_leave();
    lock_release(&view->lock);
    return rc;
}

/* Those of windows and files are the api's matter. */
static int set_facts(ep_comm view, MPI_Info used)
{
    const struct comm *c = view->comm;
    char leaders[32];
    int rc = MPI_Info_set(used, "ep_single_owner", c->single_owner ? "true" : "false");
    if (rc == MPI_SUCCESS)
        rc = MPI_Info_set(used, "ep_reproducible", view->reproducible ? "true" : "false");
    if (rc == MPI_SUCCESS && c->inter) {
        snprintf(leaders, sizeof leaders, "%d,%d", c->leader[0], c->leader[1]);
        rc = MPI_Info_set(used, "ep_intercomm_case", c->overlap);
        if (rc == MPI_SUCCESS)
            rc = MPI_Info_set(used, "ep_intercomm_leaders", leaders);
    }
    return error_class_of_mpi(rc);
}

int info_of(ep_comm view, MPI_Info *used)
{
    lock_acquire(&view->lock);
    mpi_enter();
    int rc = dup_locked(view, used);
    if (rc == MPI_SUCCESS && *used == MPI_INFO_NULL)
        rc = error_class_of_mpi(MPI_Info_create(used));
    if (rc == MPI_SUCCESS && !view_is_part_locked(view))
        rc = set_facts(view, *used);
    mpi_leave();
    lock_release(&view->lock);
    return rc;
}
