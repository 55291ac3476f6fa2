/* SPDX-License-Identifier: BSD-3-Clause */
/* Names and hints of communicators and windows (MPI 6.8, 6.4.4, 11.2.7). */
#include <stdio.h>
#include <string.h>

#include "api/win.h"

/* ---- of a view ---- */

static int set_name(struct where w, const char *name, const char *what)
{
    int rc = check_pointer(w, name, what);
    if (rc)
        return rc;
    struct extras *x = view_extras(w.view);
    if (!x)
        return raise_error(w, MPI_ERR_NO_MEM, "no memory for the name");
    lock_acquire(&w.view->lock);
    snprintf(x->name, sizeof x->name, "%s", name);
    lock_release(&w.view->lock);
    return MPI_SUCCESS;
}

static int get_name(struct where w, char *name, const char *what, int *resultlen)
{
    int rc = check_pointer(w, name, what);
    if (rc || (rc = check_pointer(w, resultlen, "resultlen")))
        return rc;
    lock_acquire(&w.view->lock);
    strcpy(name, w.view->extras ? w.view->extras->name : "");
    lock_release(&w.view->lock);
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

/* ---- communicators ---- */

int ep_comm_set_name(ep_comm comm, const char *name)
{
    struct where w = {NULL, "ep_comm_set_name"};
    int rc = check_comm(&w, comm);
    return rc ? rc : set_name(w, name, "name");
}

int ep_comm_get_name(ep_comm comm, char *name, int *resultlen)
{
    struct where w = {NULL, "ep_comm_get_name"};
    int rc = check_comm(&w, comm);
    return rc ? rc : get_name(w, name, "name", resultlen);
}

int ep_comm_set_info(ep_comm comm, MPI_Info info)
{
    struct where w = {NULL, "ep_comm_set_info"};
    int rc = check_comm(&w, comm);
    return rc ? rc : set_info(w, info);
}

int ep_comm_get_info(ep_comm comm, MPI_Info *info_used)
{
    struct where w = {NULL, "ep_comm_get_info"};
    int rc = check_comm(&w, comm);
    if (rc || (rc = check_pointer(w, info_used, "info_used")))
        return rc;
    rc = info_of(w.view, info_used);
    return rc ? raise_error(w, rc, "an info could not be made") : MPI_SUCCESS;
}

/* ---- windows ---- */

int ep_win_set_name(ep_win win, const char *win_name)
{
    struct where w = {NULL, "ep_win_set_name"};
    int rc = check_win(&w, win);
    return rc ? rc : set_name(w, win_name, "win_name");
}

int ep_win_get_name(ep_win win, char *win_name, int *resultlen)
{
    struct where w = {NULL, "ep_win_get_name"};
    int rc = check_win(&w, win);
    return rc ? rc : get_name(w, win_name, "win_name", resultlen);
}

int ep_win_set_info(ep_win win, MPI_Info info)
{
    struct where w = {NULL, "ep_win_set_info"};
    int rc = check_win(&w, win);
    return rc ? rc : set_info(w, info);
}

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

int ep_win_get_info(ep_win win, MPI_Info *info_used)
{
    struct where w = {NULL, "ep_win_get_info"};
    MPI_Info info;
    int rc = check_win(&w, win);
    if (rc || (rc = check_pointer(w, info_used, "info_used")))
        return rc;
    if ((rc = info_of(w.view, &info)))
        return raise_error(w, rc, "an info could not be made");
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
