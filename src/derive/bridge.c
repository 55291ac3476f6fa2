/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Joining two groups by an intercommunicator. Each group is a party whose root is its leader. The parties
 * exchange what their own members are, the two roots exchange that over the peer communicator, and give
 * what they got to their parties. Then everybody knows both groups; the group whose leader has the lower
 * rank in the peer communicator is the lower one (side 0). A process that has members of one group makes
 * its part of the communicator; where both groups live two heads make one (joint.h). Votes are summed up
 * over both parties.
 */
#include <stdlib.h>
#include <string.h>

#include "derive/cross.h"
#include "derive/derive.h"
#include "derive/joint.h"
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
    struct identity who; /* first, for roster_of */
    int proc;            /* position in its party */
};

_Static_assert(2 * sizeof(struct summary) <= NOTICE_MAX, "all learn both, or none does");
_Static_assert(sizeof(struct summary) % TREE_GRAIN == 0 && sizeof(struct face) % TREE_GRAIN == 0,
               "they go by trees");

/* A group as everybody knows it in the end. */
struct side {
    struct summary summary;
    struct passport *passes; /* by position */
    struct face *faces;      /* by rank; in one piece with passes */
    size_t bytes;            /* of both */
};

struct join {
    struct bridge bridge; /* in the leader */
    int leader;           /* rank of this group's leader */
    int peer_rank;        /* in the leader: its own in the peer communicator */
};

int bridge_swap(const struct bridge *b, const void *out, size_t out_bytes, void *in, size_t in_bytes)
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

static bool side_room(struct side *s)
{
    size_t passes = (size_t)s->summary.nproc * sizeof(struct passport);
    s->bytes = passes + (size_t)s->summary.size * sizeof(struct face);
    s->passes = calloc(1, s->bytes);
    s->faces = (struct face *)(void *)((char *)s->passes + passes);
    return s->passes;
}

/* Own group, from the exchange. */
static int side_own(struct side *s, const struct party *p, const struct join *j, int rc)
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
        s->passes[v] = *party_passport(p, v);
        for (int i = 0; i < p->count[v]; i++) {
            int rank = rankmap_rank(&p->comm->map, p->proc[v], i);
            s->faces[rank] = (struct face){*(const struct identity *)party_item(p, v, i), v};
        }
    }
    return MPI_SUCCESS;
}

static int spread(struct party *p, void *data, size_t bytes)
{
    if (p->at_odds)
        return MPI_ERR_ARG;
    tree_bcast(&p->tree, data, bytes);
    return tree_run(&p->tree);
}

/* Summaries through the roots; that of the own root is told to all, too, for the leader's peer rank. An
 * error is everybody's then. */
static int swap_summaries(struct side *own, struct side *other, struct party *p)
{
    struct summary both[2] = {own->summary};
    if (p->bridge) {
        int rc = bridge_swap(p->bridge, &own->summary, sizeof own->summary, &both[1], sizeof both[1]);
        if (rc != MPI_SUCCESS)
            both[1].rc = rc;
    }
    int rc = spread(p, both, sizeof both);
    own->summary = both[0];
    other->summary = both[1];
    return rc ? rc : both[0].rc ? both[0].rc : both[1].rc;
}

/* The members of the other group, through the roots. Who has no memory helps the others nevertheless. */
static int swap_members(struct side *own, struct side *other, struct party *p)
{
    int rc = side_room(other) ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    if (p->bridge) {
        int rc2 =
            bridge_swap(p->bridge, own->passes, own->bytes, other->passes, other->passes ? other->bytes : 0);
        rc = rc ? rc : rc2;
    }
    int rc2 = spread(p, other->passes, other->bytes);
    return rc ? rc : rc2;
}

static struct roster *members_of(const struct side *s)
{
    return roster_of(s->faces, sizeof *s->faces, s->summary.size);
}

/* MPI_ERR_COMM if an endpoint is in both. */
static int check_disjoint(const struct side *a, const struct side *b)
{
    int rc = MPI_ERR_NO_MEM;
    struct roster *x = members_of(a), *y = members_of(b);
    int *at = malloc((size_t)a->summary.size * sizeof *at);
    if (x && y && at) {
        roster_locate(x, y, at);
        rc = MPI_SUCCESS;
        for (int i = 0; i < a->summary.size; i++)
            if (at[i] >= 0)
                rc = MPI_ERR_COMM;
    }
    roster_drop(x);
    roster_drop(y);
    free(at);
    return rc;
}

/* ---- building ---- */

/* Processes of both groups, each once: those of the lower group, then the others.
 * number[side][position]. */
static int list_union(const struct side *side[2], const struct passport *list[], int *number[2])
{
    int n = 0;
    for (int s = 0; s < 2; s++)
        for (int v = 0; v < side[s]->summary.nproc; v++) {
            const struct passport *pass = &side[s]->passes[v];
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
static void enlist(struct recruit to[], const struct side *s, const int number[], int me, struct meeting *m)
{
    int local = 0;
    for (int i = 0; i < s->summary.size; i++) {
        int proc = number[s->faces[i].proc];
        to[i] = (struct recruit){s->faces[i].who, proc, proc == me && m ? m->slot[local++] : NULL};
    }
}

static int build(struct draft *d, const struct side *side[2], struct meeting *const meetings[2],
                 struct cross *cross, struct ticket ticket)
{
    int lower = side[0]->summary.size, upper = side[1]->summary.size, rc = MPI_ERR_NO_MEM;
    int np[2] = {side[0]->summary.nproc, side[1]->summary.nproc};
    struct recruit *members = malloc((size_t)(lower + upper) * sizeof *members);
    const struct passport **list = malloc((size_t)(np[0] + np[1]) * sizeof *list);
    int *number[2] = {malloc((size_t)(np[0] + np[1]) * sizeof(int)), NULL};
    if (members && list && number[0]) {
        const int leaders[2] = {side[0]->summary.leader, side[1]->summary.leader};
        number[1] = number[0] + np[0];
        int n = list_union(side, list, number), me = 0;
        while (list[me]->process != turn_process())
            me++;
        enlist(members, side[0], number[0], me, meetings[0]);
        enlist(members + lower, side[1], number[1], me, meetings[1]);
        rc = cross_prepare(cross, d, side[0]->passes, np[0], side[1]->passes, np[1]);
        if (rc == MPI_SUCCESS)
            rc = draft_make(d, members, lower, upper, list, n, me, leaders, ticket);
    }
    free(members);
    free(list);
    free(number[0]);
    return rc;
}

static bool is_shared(const struct side *other)
{
    for (int v = 0; v < other->summary.nproc; v++)
        if (other->passes[v].process == turn_process())
            return true;
    return false;
}

/* In a shared process: come together with the other head. */
static struct joint *join_up(struct party *p, const struct side *side[2], bool upper,
                             struct meeting *meetings[2], bool *builds)
{
    uint64_t key[2] = {side[0]->summary.ticket.process ^ side[0]->summary.ticket.time << 32,
                       side[0]->summary.ticket.serial ^ side[1]->summary.ticket.serial << 32};
    struct joint *j = joint_come(key, upper, p->meeting, p->tree.view->port, builds);
    if (j && *builds)
        meetings[!upper] = j->meeting[!upper];
    return j;
}

/* Both groups are known, unless rc says that something went wrong here. */
static void unite(struct party *p, const struct side *own, const struct side *other, int rc)
{
    bool upper = own->summary.peer_rank > other->summary.peer_rank, builds = true;
    const struct side *side[2] = {upper ? other : own, upper ? own : other};
    struct meeting *meetings[2] = {NULL, NULL};
    struct joint *joint = NULL;
    struct draft d = draft_blank();
    struct cross cross = {.bridge = p->bridge};
    meetings[upper] = p->meeting;
    p->ticket = side[side[0]->summary.ticket.time < side[1]->summary.ticket.time]->summary.ticket;
    turn_saw(p->ticket.time);
    if (rc == MPI_SUCCESS && is_shared(other) && !(joint = join_up(p, side, upper, meetings, &builds)))
        rc = MPI_ERR_NO_MEM;
    for (int s = 0; s < 2; s++)
        cross.comm[s] = meetings[s] ? meetings[s]->first->view->comm : NULL;
    if (rc == MPI_SUCCESS && builds)
        rc = build(&d, side, meetings, &cross, p->ticket);
    rc = party_vote(p, rc, drafts_far(&d, 1));
    if (joint && !joint_voted(joint, builds, rc))
        joint = NULL;
    drafts_conclude(p, &d, 1, rc);
    cross_clean(&cross);
    if (joint && builds)
        joint_end(joint);
    else if (joint)
        joint_wait(joint);
}

static void act(struct party *p, void *arg)
{
    struct side own = {0}, other = {0};
    int mine = side_own(&own, p, arg, party_exchange(p, sizeof(struct identity), 0));
    own.summary.rc = mine;
    int rc = swap_summaries(&own, &other, p);
    if (rc == MPI_SUCCESS) {
        rc = swap_members(&own, &other, p);
        rc = mine ? mine : rc;
        if (rc == MPI_SUCCESS && (rc = check_disjoint(&own, &other)) == MPI_ERR_COMM)
            party_fail(p, rc, "an endpoint is in both groups");
        unite(p, &own, &other, rc);
    } else {
        party_fail(p, rc, NULL);
    }
    free(own.passes);
    free(other.passes);
}

int derive_intercomm(struct where w, const struct meet_at *at, int rc, ep_comm *newcomm)
{
    struct identity me = view_identity(w.view);
    struct join j = {.leader = at->local_leader};
    struct slot s = {.view = w.view,
                     .data = &me,
                     .rc = rc,
                     .raised = rc != MPI_SUCCESS,
                     .errhandler = errhandler_take(&w.view->errhandler)};
    struct whole call = {.slot = &s, .root = at->local_leader, .act = act, .arg = &j};
    if (w.view->rank == at->local_leader && rc == MPI_SUCCESS) {
        j.bridge = (struct bridge){at->peer, at->remote_leader, at->tag};
        j.peer_rank = view_union_rank(at->peer);
        call.bridge = &j.bridge;
    }
    rc = whole_call(w, &call);
    errhandler_drop(s.errhandler);
    *newcomm = s.result;
    return rc;
}
