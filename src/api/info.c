/* SPDX-License-Identifier: BSD-3-Clause */
/* Names and hints of communicators and windows (MPI 6.8, 6.4.4, 11.2.7). */
#include <stdio.h>
#include <string.h>

#include "api/win.h"

static int set_name(struct where w, const char *name)
{
    struct extras *x = view_extras(w.view);
    if (!x)
        return raise_error(w, MPI_ERR_NO_MEM, "no memory for the name");
    lock_acquire(&w.view->lock);
    snprintf(x->name, sizeof x->name, "%s", name);
    lock_release(&w.view->lock);
    return MPI_SUCCESS;
}

static int get_name(ep_comm view, char *name, int *resultlen)
{
    lock_acquire(&view->lock);
    strcpy(name, view->extras ? view->extras->name : "");
    lock_release(&view->lock);
    *resultlen = (int)strlen(name);
    return MPI_SUCCESS;
}

static int set_info(struct where w, MPI_Info info)
{
    if (info == MPI_INFO_NULL)
        return raise_error(w, MPI_ERR_INFO, "argument info is MPI_INFO_NULL: it must be an info");
    int rc = check_info(w, info);
    if (rc)
        return rc;
    rc = info_set(w.view, info);
    return rc ? raise_error(w, rc, "the hints of argument info could not be kept") : MPI_SUCCESS;
}

static int get_info(struct where w, MPI_Info *info_used)
{
    int rc = info_of(w.view, info_used);
    return rc ? raise_error(w, rc, "an info could not be made") : MPI_SUCCESS;
}

/* ---- of windows ---- */

/* What MPI says of a window for which nothing was said (MPI 11.2.1, 11.2.3). */
static const struct {
    const char *key, *value;
    bool shared; /* only of windows in shared memory */
} defaults[] = {
    {"no_locks", "false", false},
    {"accumulate_ordering", "rar,raw,war,waw", false},
    {"accumulate_ops", "same_op_no_op", false},
    {"same_size", "false", false},
    {"same_disp_unit", "false", false},
    {"alloc_shared_noncontig", "false", true},
};

static int add_defaults(ep_win win, MPI_Info info)
{
    bool shared = win->create_flavor == MPI_WIN_FLAVOR_SHARED;
    int rc = MPI_SUCCESS, length, set;
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults && rc == MPI_SUCCESS; i++) {
        if (defaults[i].shared && !shared)
            continue;
        rc = MPI_Info_get_valuelen(info, defaults[i].key, &length, &set);
        if (rc == MPI_SUCCESS && !set)
            rc = MPI_Info_set(info, defaults[i].key, defaults[i].value);
    }
    return error_class_of_mpi(rc);
}

static int get_win_info(struct where w, ep_win win, MPI_Info *info_used)
{
    MPI_Info info;
    int rc = get_info(w, &info);
    if (rc)
        return rc;
    mpi_enter();
    rc = add_defaults(win, info);
    if (rc)
        MPI_Info_free(&info);
    mpi_leave();
    if (rc)
        return raise_error(w, rc, "an info could not be made");
    *info_used = info;
    return MPI_SUCCESS;
}

#include "api/info.inc"
