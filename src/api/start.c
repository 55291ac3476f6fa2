/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests that the program starts: persistent ones (MPI 3.9) and generalized ones (MPI 12.2). */
#include "api/check.h"

static int start_start(struct where w, ep_request r, int index)
{
    if (!r || r->life != LIFE_PERSISTENT)
        return raise_error(w, MPI_ERR_REQUEST, "request %d is %s", index,
                           r ? "not persistent" : "EP_REQUEST_NULL");
    w.view = request_view(r);
    if (r->active)
        return raise_error(w, MPI_ERR_REQUEST, "request %d is active already", index);
    int rc = p2p_start(r);
    if (rc == MPI_ERR_BUFFER)
        return raise_error(
            w, rc,
            "request %d: %zu bytes for endpoint %d (tag %d) and EP_BSEND_OVERHEAD do not fit into the "
            "attached buffer, or none is attached",
            index, request_bytes(r), r->peer, r->tag);
    return rc == MPI_SUCCESS
               ? rc
               : raise_error(w, rc, "request %d (%zu bytes for endpoint %d, tag %d) could not be started",
                             index, request_bytes(r), r->peer, r->tag);
}

static int start_all(struct where w, int count, ep_request requests[])
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < count && rc == MPI_SUCCESS; i++)
        rc = start_start(w, requests[i], i);
    return rc;
}

static int complete_general(struct where w, ep_request request)
{
    if (!request || request->kind != REQUEST_GENERAL || request_is_done(request))
        return raise_error(w, MPI_ERR_REQUEST, "argument request is not a pending generalized request");
    general_complete(request);
    return MPI_SUCCESS;
}

#include "api/start.inc"
