/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting persistent requests (MPI 3.9). */
#include "api/check.h"

static int start(struct where w, ep_request r, int index)
{
    if (!r || !r->persistent)
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
            index, r->bytes, r->peer, r->tag);
    return rc == MPI_SUCCESS
               ? rc
               : raise_error(w, rc, "request %d (%zu bytes for endpoint %d, tag %d) could not be started",
                             index, r->bytes, r->peer, r->tag);
}

int ep_start(ep_request *request)
{
    struct where w = {NULL, "ep_start"};
    int rc = check_pointer(w, request, "request");
    if (rc || (rc = check_request(w, *request)))
        return rc;
    return start(w, *request, 0);
}

int ep_startall(int count, ep_request requests[])
{
    struct where w = {NULL, "ep_startall"};
    int rc = check_requests(w, count, requests);
    for (int i = 0; i < count && rc == MPI_SUCCESS; i++)
        rc = start(w, requests[i], i);
    return rc;
}
