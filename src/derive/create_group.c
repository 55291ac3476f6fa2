/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective over a group alone: the other endpoints of the communicator know nothing of it. */
#include <stdlib.h>

#include "derive/derive.h"
#include "derive/whole.h"

static uint64_t hash_ranks(const int ranks[], int n)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < n; i++)
        hash = (hash ^ (uint64_t)ranks[i]) * 0x100000001b3u;
    return hash;
}

/* position[proc of comm]: among the leaders. NULL without memory. */
static int *create_group_invert(const struct leaders *p)
{
    int *position = malloc((size_t)p->comm->nproc * sizeof *position);
    for (int v = 0; position && v < p->n; v++)
        position[p->proc[v]] = v;
    return position;
}

static int create_group_make(struct leaders *p, struct comm_builder *d, const int ranks[], int n)
{
    struct comm_member *members = malloc((size_t)n * sizeof *members);
    const struct process_info **passes = leaders_process_infos(p);
    int *position = create_group_invert(p), local = 0, index, rc = MPI_ERR_NO_MEM;
    for (int i = 0; members && position && i < n; i++) {
        int proc = rankmap_proc(&p->comm->map, ranks[i], &index);
        members[i] = (struct comm_member){.who = group_map_at(p->comm->group[0], ranks[i]),
                                          .proc = position[proc],
                                          .slot = proc == p->comm->proc ? p->gather->slot[local++] : NULL};
    }
    if (members && passes && position)
        rc = builder_make(d, members, n, 0, passes, p->n, p->me, NULL, p->ticket);
    free(members);
    free(passes);
    free(position);
    return rc;
}

static void create_group_lead(struct gather *m, ep_comm leader, const int ranks[], int n, uint64_t hash)
{
    struct leaders p;
    struct comm_builder d = builder_blank();
    leaders_group(&p, m, leader, m->tag, ranks, n);
    int rc = leaders_exchange(&p, 0, hash);
    if (rc == MPI_SUCCESS)
        rc = create_group_make(&p, &d, ranks, n);
    builders_finish(&p, &d, 1, rc);
    leaders_free(&p);
}

int derive_create_group(struct where w, const int ranks[], int n, int mine, int tag, ep_comm *newcomm)
{
    struct comm *c = w.view->comm;
    struct gather_slot s = {
        .call = w.call, .view = w.view, .errhandler = errhandler_take(&w.view->errhandler)};
    uint64_t hash = hash_ranks(ranks, n);
    int size = 0, position = 0, index;
    for (int i = 0; i < n; i++)
        if (comm_is_near(c, ranks[i], &index)) {
            position += i < mine;
            size++;
        }
    struct gather *m = gather_join(tag_of_kind(KIND_GROUP, tag), hash, size, position, 0, &s);
    if (m) {
        create_group_lead(m, w.view, ranks, n, hash);
        gather_end(m);
    }
    errhandler_drop(s.errhandler);
    endpoints_retire();
    *newcomm = s.result;
    return slot_raise(w, &s);
}
