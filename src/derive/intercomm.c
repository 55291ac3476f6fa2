/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Joining two groups by an intercommunicator. Each group has leaders (leaders.h), one in each of its
 * processes, whose root is the leader that the user named. The leaders of a group exchange what its members
 * are, the two roots exchange that over the peer communicator, and give what they got to the leaders of their
 * groups. Then everybody knows both groups; the group whose leader has the lower rank in the peer
 * communicator is the lower one (side 0). A process that has members of one group makes its part of the
 * communicator; where both groups live two leaders make one (intercomm_shared.h). Votes are summed up over
 * the leaders of both.
 */
#include <stdlib.h>
#include <string.h>

#include "derive/intercomm_cross.h"
#include "derive/derive.h"
#include "derive/intercomm_shared.h"
#include "derive/whole.h"
#include "p2p/p2p.h"

/* What roots tell each other first. */
struct summary {
    int size, nproc; /* endpoints and processes of the group */
    int peer_rank;   /* of the leader */
    int leader;      /* rank in its group */
    int rc;
    int unused;
    struct ticket ticket;
};

/* A member of a group, by rank. */
struct face {
    struct identity who; /* first, for group_map_from */
    int proc;            /* position among its leaders */
};

_Static_assert(2 * sizeof(struct summary) <= NOTICE_MAX, "all learn both, or none does");
_Static_assert(sizeof(struct summary) % TREE_GRAIN == 0 && sizeof(struct face) % TREE_GRAIN == 0,
               "they go by trees");

/* A group as everybody knows it in the end. */
struct intercomm_side {
    struct summary summary;
    struct process_info *passes; /* by position */
    struct face *faces;          /* by rank; in one piece with passes */
    size_t bytes;                /* of both */
};

struct join {
    struct root_link root_link; /* in the leader */
    int leader;                 /* rank of this group's leader */
    int peer_rank;              /* in the leader: its own in the peer communicator */
};

int root_link_exchange(const struct root_link *b, const void *out, size_t out_bytes, void *in,
                       size_t in_bytes)
{
    int tag = tag_of_kind(KIND_BRIDGE, b->tag);
    struct send s = {.view = b->peer,
                     .data = span_packed(out, out_bytes),
                     .dest = b->rank,
                     .tag = tag,
                     .call = "ep_intercomm_create"};
    struct recv v = {.view = b->peer,
                     .data = span_packed(in, in_bytes),
                     .source = b->rank,
                     .tag = tag,
                     .call = "ep_intercomm_create"};
    ep_request sent, got;
    int rc = p2p_isend(&s, &sent);
    if (rc != MPI_SUCCESS) { /* the other root waits for it */
        s.data = span_packed(NULL, 0);
        p2p_notice(&s);
    }
    got = p2p_post(&v); /* not before: without memory it waits for the message */
    if (rc == MPI_SUCCESS) {
        p2p_wait(sent);
        rc = p2p_finish(&sent, EP_STATUS_IGNORE, "ep_intercomm_create");
    }
    p2p_wait(got);
    bool came = got->out.arrived == in_bytes;
    int rc2 = p2p_finish(&got, EP_STATUS_IGNORE, "ep_intercomm_create");
    rc2 = rc2 || came ? rc2 : MPI_ERR_NO_MEM;
    return rc ? rc : rc2;
}

/* ---- getting to know each other ---- */

static bool side_room(struct intercomm_side *s)
{
    size_t passes = (size_t)s->summary.nproc * sizeof(struct process_info);
    s->bytes = passes + (size_t)s->summary.size * sizeof(struct face);
    s->passes = calloc(1, s->bytes);
    s->faces = (struct face *)(void *)((char *)s->passes + passes);
    return s->passes;
}

/* Own group, from the exchange. */
static int side_own(struct intercomm_side *s, const struct leaders *p, const struct join *j, int rc)
{
    s->summary = (struct summary){.size = p->comm->map.size,
                                  .nproc = p->n,
                                  .peer_rank = j->peer_rank,
                                  .leader = j->leader,
                                  .ticket = p->ticket};
    if (rc != MPI_SUCCESS)
        return rc;
    if (!side_room(s))
        return MPI_ERR_NO_MEM;
    for (int v = 0; v < p->n; v++) {
        s->passes[v] = *leaders_process_info(p, v);
        for (int i = 0; i < p->count[v]; i++) {
            int rank = rankmap_rank(&p->comm->map, p->proc[v], i);
            s->faces[rank] = (struct face){*(const struct identity *)leaders_item(p, v, i), v};
        }
    }
    return MPI_SUCCESS;
}

static int intercomm_spread(struct leaders *p, void *data, size_t bytes)
{
    if (p->at_odds)
        return MPI_ERR_ARG;
    tree_bcast(&p->tree, data, bytes);
    return tree_run(&p->tree);
}

/* Summaries through the roots; that of the own root is told to all, too, for the leader's peer rank. An
 * error is everybody's then. */
static int swap_summaries(struct intercomm_side *own, struct intercomm_side *other, struct leaders *p)
{
    struct summary both[2] = {own->summary};
    if (p->root_link) {
        int rc =
            root_link_exchange(p->root_link, &own->summary, sizeof own->summary, &both[1], sizeof both[1]);
        if (rc != MPI_SUCCESS)
            both[1].rc = rc;
    }
    int rc = intercomm_spread(p, both, sizeof both);
    own->summary = both[0];
    other->summary = both[1];
    return rc ? rc : both[0].rc ? both[0].rc : both[1].rc;
}

/* The members of the other group, through the roots. Who has no memory helps the others nevertheless. */
static int swap_members(struct intercomm_side *own, struct intercomm_side *other, struct leaders *p)
{
    int rc = side_room(other) ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    if (p->root_link) {
        int rc2 = root_link_exchange(p->root_link, own->passes, own->bytes, other->passes,
                                     other->passes ? other->bytes : 0);
        rc = rc ? rc : rc2;
    }
    int rc2 = intercomm_spread(p, other->passes, other->bytes);
    return rc ? rc : rc2;
}

static struct group_map *members_of(const struct intercomm_side *s)
{
    return group_map_from(s->faces, sizeof *s->faces, s->summary.size);
}

/* MPI_ERR_COMM if an endpoint is in both. */
static int intercomm_check_disjoint(const struct intercomm_side *a, const struct intercomm_side *b)
{
    int rc = MPI_ERR_NO_MEM;
    struct group_map *x = members_of(a), *y = members_of(b);
    int *at = malloc((size_t)a->summary.size * sizeof *at);
    if (x && y && at) {
        group_map_locate(x, y, at);
        rc = MPI_SUCCESS;
        for (int i = 0; i < a->summary.size; i++)
            if (at[i] >= 0)
                rc = MPI_ERR_COMM;
    }
    group_map_drop(x);
    group_map_drop(y);
    free(at);
    return rc;
}

/* ---- building ---- */

/* Processes of both groups, each once: those of the lower group, then the others.
 * number[side][position]. */
static int list_union(const struct intercomm_side *side[2], const struct process_info *list[], int *number[2])
{
    int n = 0;
    for (int s = 0; s < 2; s++)
        for (int v = 0; v < side[s]->summary.nproc; v++) {
            const struct process_info *pass = &side[s]->passes[v];
            int at = s == 0 ? n : 0;
            while (at < n && list[at]->process != pass->process)
                at++;
            if (at == n)
                list[n++] = pass;
            number[s][v] = at;
        }
    return n;
}

/* Slots of a group's members in this process come in the order of their ranks. */
static void intercomm_enlist(struct comm_member to[], const struct intercomm_side *s, const int number[],
                             int me, struct gather *m)
{
    int local = 0;
    for (int i = 0; i < s->summary.size; i++) {
        int proc = number[s->faces[i].proc];
        to[i] = (struct comm_member){s->faces[i].who, proc, proc == me && m ? m->slot[local++] : NULL};
    }
}

static int intercomm_build(struct comm_builder *d, const struct intercomm_side *side[2],
                           struct gather *const gathers[2], struct intercomm_cross *intercomm_cross,
                           struct ticket ticket)
{
    int lower = side[0]->summary.size, upper = side[1]->summary.size, rc = MPI_ERR_NO_MEM;
    int np[2] = {side[0]->summary.nproc, side[1]->summary.nproc};
    struct comm_member *members = malloc((size_t)(lower + upper) * sizeof *members);
    const struct process_info **list = malloc((size_t)(np[0] + np[1]) * sizeof *list);
    int *number[2] = {malloc((size_t)(np[0] + np[1]) * sizeof(int)), NULL};
    if (members && list && number[0]) {
        const int leaders[2] = {side[0]->summary.leader, side[1]->summary.leader};
        number[1] = number[0] + np[0];
        int n = list_union(side, list, number), me = 0;
        while (list[me]->process != process_random_id())
            me++;
        intercomm_enlist(members, side[0], number[0], me, gathers[0]);
        intercomm_enlist(members + lower, side[1], number[1], me, gathers[1]);
        rc = intercomm_cross_prepare(intercomm_cross, d, side[0]->passes, np[0], side[1]->passes, np[1]);
        if (rc == MPI_SUCCESS)
            rc = builder_make(d, members, lower, upper, list, n, me, leaders, ticket);
    }
    free(members);
    free(list);
    free(number[0]);
    return rc;
}

static bool is_shared(const struct intercomm_side *other)
{
    for (int v = 0; v < other->summary.nproc; v++)
        if (other->passes[v].process == process_random_id())
            return true;
    return false;
}

/* In a shared process: come together with the other leader. */
static struct intercomm_shared *join_up(struct leaders *p, const struct intercomm_side *side[2], bool upper,
                                        struct gather *gathers[2], bool *builds)
{
    uint64_t key[2] = {side[0]->summary.ticket.process ^ side[0]->summary.ticket.time << 32,
                       side[0]->summary.ticket.serial ^ side[1]->summary.ticket.serial << 32};
    struct intercomm_shared *j = intercomm_shared_join(key, upper, p->gather, p->tree.view->endpoint, builds);
    if (j && *builds)
        gathers[!upper] = j->gather[!upper];
    return j;
}

/* Both groups are known, unless rc says that something went wrong here. */
static void intercomm_unite(struct leaders *p, const struct intercomm_side *own,
                            const struct intercomm_side *other, int rc)
{
    bool upper = own->summary.peer_rank > other->summary.peer_rank, builds = true;
    const struct intercomm_side *side[2] = {upper ? other : own, upper ? own : other};
    struct gather *gathers[2] = {NULL, NULL};
    struct intercomm_shared *intercomm_shared = NULL;
    struct comm_builder d = builder_blank();
    struct intercomm_cross intercomm_cross = {.root_link = p->root_link};
    gathers[upper] = p->gather;
    p->ticket = side[side[0]->summary.ticket.time < side[1]->summary.ticket.time]->summary.ticket;
    creation_clock_saw(p->ticket.time);
    if (rc == MPI_SUCCESS && is_shared(other) &&
        !(intercomm_shared = join_up(p, side, upper, gathers, &builds)))
        rc = MPI_ERR_NO_MEM;
    for (int s = 0; s < 2; s++)
        intercomm_cross.comm[s] = gathers[s] ? gathers[s]->first->view->comm : NULL;
    if (rc == MPI_SUCCESS && builds)
        rc = intercomm_build(&d, side, gathers, &intercomm_cross, p->ticket);
    rc = leaders_vote(p, rc, builders_far(&d, 1));
    if (intercomm_shared && !intercomm_shared_voted(intercomm_shared, builds, rc))
        intercomm_shared = NULL;
    builders_conclude(p, &d, 1, rc);
    intercomm_cross_clean(&intercomm_cross);
    if (intercomm_shared && builds)
        intercomm_shared_end(intercomm_shared);
    else if (intercomm_shared)
        intercomm_shared_wait(intercomm_shared);
}

static void intercomm_act(struct leaders *p, void *arg)
{
    struct intercomm_side own = {0}, other = {0};
    int mine = side_own(&own, p, arg, leaders_exchange(p, sizeof(struct identity), 0));
    own.summary.rc = mine;
    int rc = swap_summaries(&own, &other, p);
    if (rc == MPI_SUCCESS) {
        rc = swap_members(&own, &other, p);
        rc = mine ? mine : rc;
        if (rc == MPI_SUCCESS && (rc = intercomm_check_disjoint(&own, &other)) == MPI_ERR_COMM)
            leaders_fail(p, rc, "an endpoint is in both groups");
        intercomm_unite(p, &own, &other, rc);
    } else {
        leaders_fail(p, rc, NULL);
    }
    free(own.passes);
    free(other.passes);
}

int derive_intercomm(struct where w, const struct meet_at *at, int rc, ep_comm *newcomm)
{
    struct identity me = view_identity(w.view);
    struct join j = {.leader = at->local_leader};
    struct gather_slot s = {.view = w.view,
                            .data = &me,
                            .rc = rc,
                            .raised = rc != MPI_SUCCESS,
                            .errhandler = errhandler_take(&w.view->errhandler)};
    struct whole call = {.slot = &s, .root = at->local_leader, .act = intercomm_act, .arg = &j};
    if (w.view->rank == at->local_leader && rc == MPI_SUCCESS) {
        j.root_link = (struct root_link){at->peer, at->remote_leader, at->tag};
        j.peer_rank = view_union_rank(at->peer);
        call.root_link = &j.root_link;
    }
    rc = whole_call(w, &call);
    errhandler_drop(s.errhandler);
    *newcomm = s.result;
    return rc;
}
