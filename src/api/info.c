/* SPDX-License-Identifier: BSD-3-Clause */
/* Names and hints of communicators (MPI 6.8, 6.4.4). */
#include "comm/comm.h"

#include <stdio.h>
#include <string.h>

#include "api/check.h"

int ep_comm_set_name(ep_comm comm, const char *name)
{
    struct where w = {NULL, "ep_comm_set_name"};
    int rc = check_comm(&w, comm);
    if (rc || (rc = check_pointer(w, name, "name")))
        return rc;
    struct extras *x = view_extras(w.view);
    if (!x)
        return raise_error(w, MPI_ERR_NO_MEM, "no memory for the name");
    lock_acquire(&w.view->lock);
    snprintf(x->name, sizeof x->name, "%s", name);
    lock_release(&w.view->lock);
    return MPI_SUCCESS;
}

int ep_comm_get_name(ep_comm comm, char *name, int *resultlen)
{
    struct where w = {NULL, "ep_comm_get_name"};
    int rc = check_comm(&w, comm);
    if (rc || (rc = check_pointer(w, name, "name")) || (rc = check_pointer(w, resultlen, "resultlen")))
        return rc;
    lock_acquire(&w.view->lock);
    strcpy(name, w.view->extras ? w.view->extras->name : "");
    lock_release(&w.view->lock);
    *resultlen = (int)strlen(name);
    return MPI_SUCCESS;
}

int ep_comm_set_info(ep_comm comm, MPI_Info info)
{
    struct where w = {NULL, "ep_comm_set_info"};
    int rc = check_comm(&w, comm);
    if (rc)
        return rc;
    if (info == MPI_INFO_NULL)
        return raise_error(w, MPI_ERR_INFO, "argument info is MPI_INFO_NULL: it must be an info");
    rc = info_set(w.view, info);
    return rc ? raise_error(w, rc, "the hints of argument info could not be kept") : MPI_SUCCESS;
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
