/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Duplicating without blocking. Every endpoint leaves what it brings and a request in the duplication of its process;
 * the last to come makes it a work of the leader (the first local endpoint), which goes from state to state
 * (creation.c) whenever somebody makes progress for it. When it is over the requests are complete. ep_comm_dup waits
 * for its request.
 *
 * MPI's calls are the blocking ones, with the creation lock of the process, under the leader's endpoint lock. They wait
 * until every other process makes progress in ep, too; that is all that ever blocks here. MPI_Comm_idup would
 * not, but in Open MPI 4.1 it hangs when other threads are inside MPI.
 *
 * The parent may be freed meanwhile; it is held for every endpoint that came (endpoint_hold).
 */
#include <stdlib.h>
#include <string.h>

#include "derive/creation.h"
#include "derive/derive.h"
#include "p2p/p2p.h"

/* What one endpoint brings, until all is over. */
struct idup_copy {
    struct gather_slot slot;
    unsigned number;    /* of the call */
    ep_request request; /* NULL: there was no memory for one, the caller waits for slot.done */
    struct attribute *attributes;
    struct creation creation; /* used in the last to come */
};

/* Everything is over. */
static void idup_over(struct gather_slot *s)
{
    struct idup_copy *k = (struct idup_copy *)(void *)s;
    struct comm *parent = s->view->comm;
    struct endpoint *endpoint = s->view->endpoint;
    ep_request r = k->request;
    if (s->rc != MPI_SUCCESS && s->result)
        view_delete(s->result);
    errhandler_drop(s->errhandler);
    if (r) {
        char room[SLOT_TEXT];
        const char *why = slot_why(s, room);
        if (s->rc == MPI_SUCCESS)
            attr_give(s->result, k->attributes); /* there is room for them */
        else
            request_to_collective(r)->leftovers = k->attributes; /* p2p_finish calls back */
        request_to_collective(r)->why = why ? strdup(why) : NULL;
        r->out.error = s->rc;
        r->peer = s->culprit;
        reserve_free(k);
        request_complete(r);
    } else {
        store_release(&s->done, true);
        evcount_notify(&endpoint->evcount);
    }
    endpoint_let_go(parent);
}

static int idup_plan(struct creation *c)
{
    struct comm_builder *d = creation_add(c);
    return d ? builder_copy(d, c->leaders) : MPI_ERR_NO_MEM;
}

static void idup_come(struct idup_copy *k)
{
    static const struct creation_kind kind = {.plan = idup_plan};
    ep_comm view = k->slot.view;
    int tag = whole_tag(view, k->number);
    bool last;
    struct gather *m = gather_enter(tag, 0, view->comm->nlocal, view->index, &k->slot, &last);
    if (last)
        creation_start(&k->creation, m, m->mixed ? NULL : &kind);
}

/* All know whether they call the same. */
static void idup_compared(void *arg, int rc, char *why)
{
    struct idup_copy *k = arg;
    if (rc == MPI_SUCCESS) {
        idup_come(k);
    } else {
        k->slot.rc = rc;
        k->slot.why = why;
        k->slot.culprit = -1;
        idup_over(&k->slot);
    }
    free(why);
}

/* Until idup_over k's endpoint holds the parent. */
static void idup_start(struct idup_copy *k)
{
    ep_comm view = k->slot.view;
    k->number = whole_number(view);
    endpoint_hold(view->comm);
    if (likely(!view->comm->checks)) {
        idup_come(k);
    } else if (!k->request || !whole_compare_later(view, k->number, k->slot.call, idup_compared, k)) {
        char *why;
        int rc = whole_compare(view, k->number, k->slot.call, &why);
        idup_compared(k, rc, why);
    }
}

int derive_idup(ep_comm view, ep_comm newview, struct attribute *copies, int rc, const char *call,
                ep_request *request)
{
    struct idup_copy *k = newview ? reserve_calloc(sizeof *k) : NULL, poor;
    ep_request r = k ? request_new_collective(view, call) : NULL;
    struct gather_slot slot = {.call = call, .view = view, .result = newview, .rc = rc, .over = idup_over};
    slot.errhandler = errhandler_take(&view->errhandler);
    if (r) {
        k->slot = slot;
        k->attributes = copies;
        k->request = *request = r;
        idup_start(k);
        return MPI_SUCCESS;
    }
    reserve_free(k);
    slot.rc = MPI_ERR_NO_MEM;
    poor = (struct idup_copy){.slot = slot};
    idup_start(&poor);
    wait_flag(view->endpoint, &poor.slot.done, POLICY_ELSEWHERE); /* it goes on in the leader's endpoint */
    return MPI_ERR_NO_MEM;
}

int derive_duplicate(struct where w, int told, ep_comm *view)
{
    ep_request request = EP_REQUEST_NULL;
    ep_comm v = view_new();
    char text[MPI_MAX_ERROR_STRING] = "";
    if (told && error_message(told))
        strcpy(text, error_message(told));
    int rc = derive_idup(w.view, v, NULL, told ? told : v ? MPI_SUCCESS : MPI_ERR_NO_MEM, w.call, &request);
    if (rc == MPI_SUCCESS) {
        p2p_wait(request);
        rc = p2p_finish(&request, EP_STATUS_IGNORE, w.call);
    }
    endpoints_retire();
    if (text[0])
        note_error((struct where){NULL, NULL}, told, "%s", text);
    *view = rc == MPI_SUCCESS ? v : NULL;
    return rc;
}
