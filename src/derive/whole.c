/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of a whole communicator: how its endpoints come together, and the two that move data alone. */
#include <stdlib.h>
#include <string.h>

#include "derive/derive.h"

unsigned whole_number(ep_comm view)
{
    return view->calls++;
}

int whole_tag(ep_comm view, unsigned number)
{
    return tag_of_kind(KIND_WHOLE, (int)(number & (unsigned)view->comm->tags.ub));
}

static void whole_lead(struct gather *m, ep_comm leader, const struct whole *call)
{
    struct leaders p;
    leaders_whole(&p, m, leader, m->tag, call->root);
    call->act(&p, call->arg);
    leaders_free(&p);
}

/* With EP_CHECK: do all call this function? The slot of one that has an error of its own has told it. */
static int whole_do_compare(struct where w, const struct gather_slot *s, unsigned number)
{
    char *why = NULL;
    int rc = w.view->comm->checks ? whole_compare(w.view, number, w.call, &why) : MPI_SUCCESS;
    if (rc != MPI_SUCCESS)
        rc = s->raised ? s->rc : raise_error(w, rc, "%s", why ? why : "no memory to compare the calls");
    free(why);
    return rc;
}

int whole_call(struct where w, const struct whole *call)
{
    struct comm *c = w.view->comm;
    unsigned number = whole_number(w.view);
    int leader = 0, index, rc = whole_do_compare(w, call->slot, number);
    if (unlikely(rc))
        return rc;
    call->slot->call = w.call;
    if (rankmap_proc(&c->map, call->root, &index) == c->proc)
        leader = index;
    struct gather *m =
        gather_join(whole_tag(w.view, number), 0, c->nlocal, w.view->index, leader, call->slot);
    if (m) {
        whole_lead(m, w.view, call);
        gather_end(m);
    }
    endpoints_retire();
    return slot_raise(w, call->slot);
}

/* ---- what is brought goes to all ---- */

/* Sizes first, then the data, which travels in the order of the leaders' positions. */
static int allgather_collect(struct leaders *p, size_t **offset, char **data)
{
    int rc = leaders_exchange(p, sizeof(size_t), 0);
    if (rc != MPI_SUCCESS)
        return rc;
    *offset = malloc(((size_t)p->n + 1) * sizeof **offset);
    if (!*offset)
        return MPI_ERR_NO_MEM;
    (*offset)[0] = 0;
    for (int v = 0; v < p->n; v++) {
        (*offset)[v + 1] = (*offset)[v];
        for (int i = 0; i < p->count[v]; i++)
            (*offset)[v + 1] += *(const size_t *)leaders_item(p, v, i);
        (*offset)[v + 1] = ((*offset)[v + 1] + TREE_GRAIN - 1) / TREE_GRAIN * TREE_GRAIN;
    }
    *data = calloc(1, (*offset)[p->n] + 1);
    return *data ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

static int allgather_share(struct leaders *p, const size_t offset[], char *data)
{
    char *at = data ? data + offset[p->me] : NULL;
    for (int i = 0; i < p->gather->size; i++) {
        const struct gather_slot *s = p->gather->slot[i];
        if (s->bytes > 0)
            memcpy(at, s->extra, s->bytes);
        at += s->bytes;
    }
    tree_allgather(&p->tree, data, offset);
    return tree_run(&p->tree);
}

/* A copy for one endpoint, in the order of ranks. */
static int allgather_hand_out(const struct leaders *p, const size_t offset[], const char *data,
                              struct gather_slot *s)
{
    int size = p->comm->map.size;
    char *all = malloc(offset[p->n] + 1);
    size_t *end = calloc((size_t)size + 1, sizeof *end);
    if (!all || !end) {
        free(all);
        free(end);
        return MPI_ERR_NO_MEM;
    }
    for (int v = 0; v < p->n; v++)
        for (int i = 0; i < p->count[v]; i++)
            end[rankmap_rank(&p->comm->map, p->proc[v], i) + 1] = *(const size_t *)leaders_item(p, v, i);
    for (int r = 0; r < size; r++)
        end[r + 1] += end[r];
    for (int v = 0; v < p->n; v++) {
        const char *at = data + offset[v];
        for (int i = 0; i < p->count[v]; i++) {
            size_t bytes = *(const size_t *)leaders_item(p, v, i);
            memcpy(all + end[rankmap_rank(&p->comm->map, p->proc[v], i)], at, bytes);
            at += bytes;
        }
    }
    s->all = all;
    s->offset = end;
    return MPI_SUCCESS;
}

static void allgather_act(struct leaders *p, void *unused)
{
    size_t *offset = NULL;
    char *data = NULL;
    (void)unused;
    int rc = leaders_vote(p, allgather_collect(p, &offset, &data), false);
    if (rc == MPI_SUCCESS)
        rc = allgather_share(p, offset, data);
    for (int i = 0; i < p->gather->size && rc == MPI_SUCCESS; i++)
        rc = allgather_hand_out(p, offset, data, p->gather->slot[i]);
    rc = leaders_vote(p, rc, false);
    if (rc != MPI_SUCCESS)
        leaders_fail(p, rc, NULL);
    free(offset);
    free(data);
}

int derive_allgather(struct where w, const void *data, size_t bytes, void **all, size_t **offset)
{
    struct gather_slot s = {.view = w.view, .data = &bytes, .bytes = bytes, .extra = data};
    struct whole call = {.slot = &s, .act = allgather_act};
    int rc = whole_call(w, &call);
    if (rc != MPI_SUCCESS) {
        free(s.all);
        free(s.offset);
        s.all = NULL;
        s.offset = NULL;
    }
    *all = s.all;
    *offset = s.offset;
    return rc;
}

static void allgather_nothing(struct leaders *p, void *unused)
{
    (void)unused;
    int rc = leaders_exchange(p, 0, 0);
    if (rc != MPI_SUCCESS)
        leaders_fail(p, rc, NULL);
}

int derive_barrier(struct where w)
{
    struct gather_slot s = {.view = w.view};
    struct whole call = {.slot = &s, .act = allgather_nothing};
    return whole_call(w, &call);
}
