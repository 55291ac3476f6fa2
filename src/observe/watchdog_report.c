/* SPDX-License-Identifier: BSD-3-Clause */
/* What the endpoints of this process are doing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observe/watchdog.h"

enum { SHOWN = 4 };
static const char head[] = "ep: watchdog: ";

/* Ranks of ep's own messages are those of the call's communicator only in some. */
static void tell_own(struct wait_info *p)
{
    if (!p->view || p->view->comm->inter || !tag_is_union(p->tag))
        p->peer = MPI_UNDEFINED;
    p->tag = MPI_UNDEFINED;
}

/* The first request that has not ended stands for all of them. */
static void tell_requests(const struct wait *w, struct wait_info *p)
{
    for (int i = 0; i < w->n; i++) {
        ep_request r = w->requests[i];
        if (!request_is_active(r) || request_is_done(r))
            continue;
        *p = (struct wait_info){r->call, request_view(r), r->peer, r->tag, r->kind == REQUEST_SEND};
        if (r->kind != REQUEST_SEND && r->kind != REQUEST_RECV)
            p->peer = MPI_UNDEFINED;
        else if (r->tag != MPI_ANY_TAG && !tag_is_user(r->tag)) /* a message of a collective call */
            tell_own(p);
        return;
    }
}

static struct wait_info wait_info_of(const struct wait *w)
{
    struct wait_info p = {"a call of ep", NULL, MPI_UNDEFINED, 0, false};
    if (w->tell)
        w->tell(w, &p);
    else
        tell_requests(w, &p);
    if (p.call == NULL)
        p.call = "a call of ep";
    return p;
}

/* ---- text ---- */

static const char *tag_text(int tag, char *buffer, size_t room)
{
    if (tag == MPI_ANY_TAG)
        snprintf(buffer, room, "any tag");
    else if (tag_is_user(tag))
        snprintf(buffer, room, "tag %d", tag);
    else
        snprintf(buffer, room, "a tag of ep's own");
    return buffer;
}

static const char *peer_text(const struct wait_info *p, char *buffer, size_t room)
{
    char tag[40];
    const char *way = p->sends ? "to" : "from";
    if (p->peer == MPI_UNDEFINED)
        buffer[0] = '\0';
    else if (p->peer == MPI_ANY_SOURCE)
        snprintf(buffer, room, " from any source with %s", tag_text(p->tag, tag, sizeof tag));
    else if (p->tag == MPI_UNDEFINED)
        snprintf(buffer, room, ", for rank %d", p->peer);
    else
        snprintf(buffer, room, " %s %d with %s", way, p->peer, tag_text(p->tag, tag, sizeof tag));
    return buffer;
}

static void print_posted(FILE *f, const struct matcher *m)
{
    struct request_recv *list[SHOWN];
    char tag[40];
    int n = match_list_posted(m, list, SHOWN);
    if (m->nposted == 0)
        return;
    fprintf(f, "%s    posted receives: %u;", head, m->nposted);
    for (int i = 0; i < n; i++) {
        fprintf(f, "%s from ", i ? "," : "");
        if (list[i]->head.peer == MPI_ANY_SOURCE)
            fprintf(f, "any source");
        else
            fprintf(f, "%d", list[i]->head.peer);
        fprintf(f, " %s", tag_text(list[i]->head.tag, tag, sizeof tag));
    }
    fprintf(f, "%s\n", m->nposted > (unsigned)n ? ", ..." : "");
}

static void print_unexpected(FILE *f, const struct matcher *m)
{
    ep_message list[SHOWN];
    char tag[40];
    int n = match_list_unexpected(m, list, SHOWN);
    if (n == 0)
        return;
    fprintf(f, "%s    unexpected messages: %u;", head, m->nunexpected);
    for (int i = 0; i < n; i++)
        fprintf(f, "%s from %d %s, %zu bytes", i ? "," : "", list[i]->source,
                tag_text(list[i]->tag, tag, sizeof tag), list[i]->arrival.bytes);
    fprintf(f, "%s\n", m->nunexpected > (unsigned)n ? ", ..." : "");
}

/* A message from the awaited endpoint has come, with a tag that nobody has asked for. */
static void print_suspicion(FILE *f, const struct wait_info *p, const struct matcher *m)
{
    enum { LOOKED_AT = 64 };
    ep_message list[LOOKED_AT];
    int n = match_list_unexpected(m, list, LOOKED_AT);
    if (p->sends || p->peer == MPI_UNDEFINED || p->tag == MPI_UNDEFINED || !tag_is_user(p->tag))
        return;
    for (int i = 0; i < n; i++) {
        if ((p->peer != MPI_ANY_SOURCE && list[i]->source != p->peer) || !tag_is_user(list[i]->tag))
            continue;
        fprintf(f,
                "%s    it waits for tag %d, but the message that has come from %d has tag %d: is one of them "
                "wrong?\n",
                head, p->tag, list[i]->source, list[i]->tag);
        return;
    }
}

static void print_communicator(FILE *f, ep_comm v)
{
    fprintf(f, ", as rank %d of %d", v->rank, v->size);
    lock_acquire(&v->lock);
    if (v->extras && v->extras->name[0])
        fprintf(f, " in %s", v->extras->name);
    lock_release(&v->lock);
}

static void print_call(FILE *f, const struct endpoint *endpoint, const struct watched *at, long now)
{
    struct wait_info p = wait_info_of(at->wait);
    char peer[120];
    fprintf(f, "%sprocess %d: endpoint %d has waited for %ld.%ld s in %s%s", head, process.rank,
            endpoint->rank, (now - at->since) / 1000, (now - at->since) % 1000 / 100, p.call,
            peer_text(&p, peer, sizeof peer));
    if (p.view)
        print_communicator(f, p.view);
    fputc('\n', f);
    if (!p.view || !p.view->endpoint)
        return;
    print_posted(f, matcher_of(p.view));
    print_unexpected(f, matcher_of(p.view));
    print_suspicion(f, &p, matcher_of(p.view));
}

static void print_endpoint(FILE *f, struct endpoint *p, long now)
{
    uint64_t left = load_relaxed(&p->held.unexpected_now);
    if (!p->watched)
        fprintf(f, "%sprocess %d: endpoint %d does not wait in ep\n", head, process.rank, p->rank);
    for (struct watched *at = p->watched; at; at = at->next)
        print_call(f, p, at, now);
    if (left > 0)
        fprintf(f, "%s    messages on all its communicators that nobody has asked for: %llu\n", head,
                (unsigned long long)left);
}

static bool is_before(const struct endpoint *a, const struct endpoint *b)
{
    return a->rank != b->rank ? a->rank < b->rank : a < b;
}

/* The endpoint that follows in the order of ranks; the first for NULL. */
static struct endpoint *watchdog_report_after(const struct endpoint *last)
{
    struct endpoint *next = NULL;
    for (struct endpoint *p = endpoint_first(); p; p = p->next)
        if (p->rank >= 0 && load_acquire(&p->open) && (!last || is_before(last, p)) &&
            (!next || is_before(p, next)))
            next = p;
    return next;
}

void watchdog_report(void)
{
    char *text = NULL;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);
    if (!f)
        return;
    for (struct endpoint *p = watchdog_report_after(NULL); p; p = watchdog_report_after(p)) {
        if (watchdog_enter(p)) {
            print_endpoint(f, p, clock_ms());
            watchdog_leave(p);
        } else {
            fprintf(f, "%sprocess %d: endpoint %d is busy inside ep\n", head, process.rank, p->rank);
        }
    }
    shm_end_print(f, head);
    if (fclose(f) == 0)
        log_text(text);
    free(text);
}

/* ---- arcs ---- */

static void watchdog_report_add(struct arcs *e, const struct wait_info *p, long since)
{
    char tag[40];
    ep_comm v = p->view;
    if (!v || p->peer < 0 || p->peer >= v->peers || e->n == ARCS_MAX)
        return;
    struct identity me = view_identity(v);
    struct identity of = group_map_at(v->comm->inter ? view_remote_group(v) : view_group(v), p->peer);
    struct arc *arc = &e->arc[e->n++];
    memset(arc, 0, sizeof *arc);
    *arc = (struct arc){
        .origin = me.origin, .of_origin = of.origin, .since = since, .who = me.rank, .of = of.rank};
    if (p->tag == MPI_UNDEFINED)
        snprintf(arc->what, sizeof arc->what, "in %s", p->call);
    else
        snprintf(arc->what, sizeof arc->what, "in %s with %s", p->call, tag_text(p->tag, tag, sizeof tag));
}

void watchdog_arcs(struct arcs *e, long ms)
{
    long now = clock_ms();
    e->n = 0;
    for (struct endpoint *p = endpoint_first(); p; p = p->next) {
        if (p->rank < 0 || !load_acquire(&p->open) || !watchdog_enter(p))
            continue;
        for (struct watched *at = p->watched; at; at = at->next) {
            struct wait_info about = wait_info_of(at->wait);
            if (now - at->since >= ms)
                watchdog_report_add(e, &about, at->since);
        }
        watchdog_leave(p);
    }
}
