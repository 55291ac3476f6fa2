/* SPDX-License-Identifier: BSD-3-Clause */
/* Probing (MPI 3.8). */
#include "api/check.h"

/* All four. *flag, *message and *status are set where they are asked for. */
static int probe(const char *call, struct probe *p, ep_comm comm, int *flag, ep_message *message,
                 ep_status *status)
{
    struct where w = {NULL, call};
    int rc = check_comm(&w, comm);
    if (rc || (rc = check_source(w, p->source)) || (rc = check_tag(w, p->tag, true)))
        return rc;
    if (!p->block && (rc = check_pointer(w, flag, "flag")))
        return rc;
    if (p->take && (rc = check_pointer(w, message, "message")))
        return rc;
    p->view = w.view;
    bool yes = true;
    if (p->source == MPI_PROC_NULL) {
        p->message = EP_MESSAGE_NO_PROC;
        outcome_status(&request_from_null.out, &p->status);
    } else {
        yes = p2p_probe(p);
    }
    if (flag)
        *flag = yes;
    if (message)
        *message = yes ? p->message : EP_MESSAGE_NULL;
    if (yes && status) {
        p->status.MPI_ERROR = status->MPI_ERROR; /* not for one status to change (MPI 3.2.5) */
        *status = p->status;
    }
    return MPI_SUCCESS;
}

int ep_probe(int source, int tag, ep_comm comm, ep_status *status)
{
    struct probe p = {.source = source, .tag = tag, .block = true};
    return probe("ep_probe", &p, comm, NULL, NULL, status);
}

int ep_iprobe(int source, int tag, ep_comm comm, int *flag, ep_status *status)
{
    struct probe p = {.source = source, .tag = tag};
    return probe("ep_iprobe", &p, comm, flag, NULL, status);
}

int ep_mprobe(int source, int tag, ep_comm comm, ep_message *message, ep_status *status)
{
    struct probe p = {.source = source, .tag = tag, .block = true, .take = true};
    return probe("ep_mprobe", &p, comm, NULL, message, status);
}

int ep_improbe(int source, int tag, ep_comm comm, int *flag, ep_message *message, ep_status *status)
{
    struct probe p = {.source = source, .tag = tag, .take = true};
    return probe("ep_improbe", &p, comm, flag, message, status);
}
