/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts and gets that MPI carries from memory to memory: by its windows, or as messages without a copy. */
#include "rma/native.h"
#include "rma/transfer.h"

static int large_carry(const struct access_call *a, const struct reach *r, size_t bytes, bool put,
                       bool native, ep_request pending)
{
    if (native)
        return put ? native_put(a, r->offset, pending) : native_get(a, r->offset, pending);
    return transfer_bulk(a->win, a->target, span_start(&a->origin), bytes, r->offset + a->remote.type->lb,
                         put, pending);
}

/* In an epoch that the target takes part in it makes calls. Then a message through memory has less to do than MPI, which has to
 * be told to complete what it began. */
static bool large_is_better_told(const struct access_call *a, size_t bytes)
{
    uint8_t access = load_relaxed(&a->win->access);
    return bytes <= AM_DATA_MAX && settings.rma == RMA_AUTO && a->win->window->exposed[a->target].lock &&
           (access == ACCESS_FENCE_USED || access == ACCESS_START);
}

/* Other datatypes than contiguous ones are not MPI's: docs/rma.md, traps. */
bool large_goes(const struct access_call *a, const struct reach *r, size_t bytes, bool put,
                ep_request *request, int *rc)
{
    const struct window *x = a->win->window;
    if (!a->origin.type->contiguous || !a->remote.type->contiguous)
        return false;
    bool native =
        native_fits(x, bytes) && span_bytes(&a->origin) == r->bytes && !large_is_better_told(a, bytes);
    if (!native && !transfer_fits(x, bytes))
        return false;
    ep_request pending = request_under_way(a, request);
    *rc = request && !pending ? MPI_ERR_NO_MEM : large_carry(a, r, bytes, put, native, pending);
    if (unlikely(*rc != MPI_SUCCESS)) {
        request_give_up(request);
        raise_error(a->w, *rc, "%zu bytes could not be %s rank %d", bytes, put ? "put to" : "got from",
                    a->target);
    }
    return true;
}
