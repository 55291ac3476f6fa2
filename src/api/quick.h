/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arguments of messages that go the quick way (p2p/quick.h): what most are given, looked at in the fewest
 * instructions. On all that is unusual these functions give up, with nothing done, and the general way finds out what it is: wrong
 * arguments, constants in place of handles, null for the buffer, derived datatypes, far peers, intercommunicators, long messages.
 */
#ifndef EP_API_QUICK_H
#define EP_API_QUICK_H

#include <limits.h>

#include "api/check.h"

/* Neither null nor MPI_IN_PLACE. */
static inline bool quick_pointer(const void *buf)
{
    return likely(buf != NULL) && likely(buf != MPI_IN_PLACE);
}

/* May so many bytes, more than fit into one line, go by quick_put_long? */
static inline bool quick_is_long(size_t bytes, size_t most)
{
    return bytes <= most && bytes <= (size_t)settings.eager;
}

/* Send in standard mode: the receiver's view, to whom evcount_wants is to be asked; NULL if nothing was done. Then *longer is the
 * receiver's view if all that is unusual is that *size bytes do not fit into one line, else NULL. */
static inline ep_comm quick_send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
                                 ep_comm comm, ep_comm *longer, size_t *size)
{
    *longer = NULL;
    if (unlikely(!pool_holds(comm, VIEW_LIVE)) || unlikely(!quick_pointer(buf)))
        return NULL;
    const struct comm *c = comm->comm;
    unsigned index = (unsigned)dest - (unsigned)c->first_local;
    if (unlikely(index >= c->quick))
        return NULL;
    const struct type_slot *type = type_find_named(datatype);
    if (unlikely(!type) || unlikely((unsigned)tag > (unsigned)c->tags.ub))
        return NULL;
    size_t bytes = (size_t)(unsigned)count * type->plain; /* many, if count is negative */
    ep_comm to = c->local[index];
    if (unlikely(bytes > FIRST_PAYLOAD)) {
        *longer = to;
        *size = bytes;
        return NULL;
    }
    if (unlikely(!quick_put(comm, to, tag, buf, bytes)))
        return NULL;
    return to;
}

/* May a receive into buf take what quick_take finds? Then *room is the buffer's size. Source and tag were not looked at: those of
 * a message are right. */
static inline bool quick_receives(const void *buf, int count, MPI_Datatype datatype, ep_comm comm,
                                  size_t *room)
{
    if (unlikely(!pool_holds(comm, VIEW_LIVE)) || unlikely(!quick_pointer(buf)))
        return false;
    const struct type_slot *type = type_find_named(datatype);
    if (unlikely(!type))
        return false;
    *room = (size_t)(unsigned)count * type->plain; /* more than that, if count is negative */
    return likely(*room <= INT_MAX);
}

/* Must what comes from that source be sent by this process? */
static inline bool quick_from_near(ep_comm view, int source)
{
    const struct comm *c = view->comm;
    return (unsigned)source - (unsigned)c->first_local < c->quick ||
           (source == MPI_ANY_SOURCE && c->quick == (unsigned)view->peers);
}

/* Are they what a receive may ask for? */
static inline bool quick_envelope(ep_comm view, int source, int tag)
{
    return (likely((unsigned)source < (unsigned)view->peers) || source == MPI_ANY_SOURCE) &&
           (likely((unsigned)tag <= (unsigned)view->comm->tags.ub) || tag == MPI_ANY_TAG);
}

#endif
