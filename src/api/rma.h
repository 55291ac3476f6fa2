/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the bindings of all communication calls of windows share. Inline, and one comparison after the other without a
 * call: a put of 8 bytes within the process takes some ten nanoseconds. What is wrong is looked for out of line. All
 * raise the error and return its class, or MPI_SUCCESS. Whether the data fit, and element types, is rma's to know.
 */
#ifndef EP_API_RMA_H
#define EP_API_RMA_H

#include "api/win.h"

/* Which of the buffers of a call. */
enum rma_buffer { SIDE_ORIGIN, SIDE_RESULT, SIDE_TARGET };

__attribute__((cold, noinline)) int check_span_failed(struct where w, enum rma_buffer side,
                                                      const struct span *s, int count);
__attribute__((cold, noinline)) int check_target_failed(struct where w, ep_win win, int target,
                                                        MPI_Aint disp);

/* Buffers are set by check_span; those that a call has not are left as they are, since clearing them takes as long as
 * a put. */
static inline void access_init(struct access_call *a, const char *call, ep_win win, int target, MPI_Aint disp,
                               MPI_Op op, bool passive)
{
    a->w = (struct where){NULL, call};
    a->win = win;
    a->target = target;
    a->disp = disp;
    a->op = op;
    a->passive = passive;
}

/* A null buffer is none, unless a derived type has addresses in it (MPI_BOTTOM). At the target there is no buffer. */
static inline int check_span(struct where w, enum rma_buffer side, const void *addr, int count,
                             MPI_Datatype datatype, struct span *s)
{
    *s = (struct span){(char *)(uintptr_t)addr, (size_t)count, type_find(datatype), datatype};
    if (unlikely(count < 0) || unlikely(!s->type) ||
        unlikely(!addr && side != SIDE_TARGET && count > 0 && s->type->named && s->type->size > 0))
        return check_span_failed(w, side, s, count);
    return MPI_SUCCESS;
}

static inline int check_target(struct where w, ep_win win, int target, MPI_Aint disp)
{
    if (likely((unsigned)target < (unsigned)w.view->size) && likely(disp >= 0))
        return MPI_SUCCESS;
    return check_target_failed(w, win, target, disp);
}

/* Only calls that give a request are for passive target epochs alone. */
static inline int check_wants_request(const struct access_call *a, const ep_request *request)
{
    return unlikely(a->passive) ? check_pointer(a->w, request, "request") : MPI_SUCCESS;
}

/* The target is MPI_PROC_NULL. */
int access_nobody(const struct access_call *a, ep_request *request);

#endif
