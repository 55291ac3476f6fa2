/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The file: trace events as Chrome and Perfetto read them, an event per line. A process has a pid, an endpoint a tid. Slices of
 * one track have to lie within each other, so calls of one endpoint that overlap, which are those of several threads or tasks,
 * are put on further tracks, as few as will do.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "observe/trace.h"

enum { LINE = 512, NOBODY = 999999999, FURTHER = 1000000000, SORT = 100 };

/* ---- text ---- */

void sink_flush(struct sink *s)
{
    if (s->n > 0)
        s->put(s, s->text, s->n);
    s->n = 0;
}

__attribute__((format(printf, 2, 3))) static void trace_write_print(struct sink *s, const char *format, ...)
{
    va_list args;
    if (sizeof s->text - s->n < LINE)
        sink_flush(s);
    va_start(args, format);
    int n = vsnprintf(s->text + s->n, LINE, format, args);
    va_end(args);
    if (n > 0 && n < LINE) /* longer ones do not exist */
        s->n += (size_t)n;
}

/* Characters of a host's name that need no escape. */
static const char *trace_write_plain(char *name)
{
    for (char *c = name; *c; c++)
        if (*c < ' ' || *c == '"' || *c == '\\' || *c > '~')
            *c = '?';
    return name;
}

/* ---- time ---- */

uint64_t trace_common_time(const struct skew *s, uint64_t own)
{
    double part = 0, span = (double)(s->at[1] - s->at[0]);
    if (s->at[1] > s->at[0])
        part = ((double)own - (double)s->at[0]) / span;
    return own - (uint64_t)(int64_t)(s->offset[0] + part * (s->offset[1] - s->offset[0]));
}

/* ---- tracks ---- */

struct lane {
    int tid;
    uint32_t who;
    uint64_t end; /* of the call that fills it at present */
};

/* The writing of one recorder. */
struct page {
    struct sink *s;
    const struct skew *skew;
    uint64_t origin;
    const struct recorder *r;
    struct lane *lanes;
    int n;
    int *further; /* tracks of the process beyond one for each recorder */
};

static void name_track(const struct page *p, int lane)
{
    char whose[32] = "no endpoint", also[32] = "";
    int tid = p->lanes[lane].tid, rank = p->r->rank, order = NOBODY;
    if (rank >= 0) {
        snprintf(whose, sizeof whose, "endpoint %d", rank);
        order = rank * SORT + (lane < SORT ? lane : SORT - 1);
    }
    if (lane > 0)
        snprintf(also, sizeof also, ", also (%d)", lane);
    trace_write_print(
        p->s, "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%d,\"tid\":%d,\"args\":{\"name\":\"%s%s\"}},\n",
        process.rank, tid, whose, also);
    trace_write_print(
        p->s,
        "{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":%d,\"tid\":%d,\"args\":{\"sort_index\":%d}},\n",
        process.rank, tid, order);
}

/* Index of a new lane; 0, which is wrong and better than nothing, without memory. */
static int add_lane(struct page *p)
{
    struct lane *more = realloc(p->lanes, (size_t)(p->n + 1) * sizeof *more);
    if (!more)
        return 0;
    p->lanes = more;
    int tid = p->r->rank < 0 ? NOBODY : p->r->rank;
    if (p->n > 0)
        tid = FURTHER + (*p->further)++;
    p->lanes[p->n] = (struct lane){.tid = tid};
    name_track(p, p->n);
    return p->n++;
}

/* A call: within one of the same thread or task (from a callback), else where nothing is; there its own last place is the best,
 * then the topmost. */
static int lane_for_call(struct page *p, const struct event *e)
{
    int vacant = -1;
    for (int i = 0; i < p->n; i++) {
        struct lane *l = &p->lanes[i];
        if (l->who == e->who && e->begin < l->end && e->end <= l->end)
            return i;
        if (l->end <= e->begin && (vacant < 0 || (l->who == e->who && p->lanes[vacant].who != e->who)))
            vacant = i;
    }
    if (vacant < 0)
        vacant = add_lane(p);
    p->lanes[vacant].who = e->who;
    p->lanes[vacant].end = e->end;
    return vacant;
}

static int track_of_call(struct page *p, const struct event *e)
{
    int lane = lane_for_call(p, e); /* may move them */
    return p->lanes[lane].tid;
}

/* A message: in its caller's call. */
static int lane_of_message(const struct page *p, const struct event *e)
{
    for (int i = 0; i < p->n; i++)
        if (p->lanes[i].who == e->who && e->begin <= p->lanes[i].end)
            return i;
    return 0;
}

/* ---- events ---- */

static const char *time_text(const struct page *p, uint64_t own, char text[32])
{
    int64_t t = (int64_t)(trace_common_time(p->skew, own) - p->origin);
    uint64_t n = t < 0 ? -(uint64_t)t : (uint64_t)t;
    snprintf(text, 32, "%s%" PRIu64 ".%03d", t < 0 ? "-" : "", n / 1000, (int)(n % 1000));
    return text;
}

static void print_rank(struct sink *s, const char *comma, const char *name, int rank)
{
    static const struct {
        int rank;
        const char *name;
    } special[] = {{MPI_ANY_SOURCE, "any"}, {MPI_PROC_NULL, "MPI_PROC_NULL"}, {MPI_ROOT, "MPI_ROOT"}};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (rank == special[i].rank) {
            trace_write_print(s, "%s\"%s\":\"%s\"", comma, name, special[i].name);
            return;
        }
    trace_write_print(s, "%s\"%s\":%d", comma, name, rank);
}

/* What is known of a call or message, and the end of its line. */
static void print_args(struct sink *s, const struct event *e, const char *peer, bool tagged)
{
    const char *comma = e->comm != TRACE_NONE ? "," : "";
    trace_write_print(s, ",\"args\":{");
    if (e->comm != TRACE_NONE)
        trace_write_print(s, "\"comm\":\"%08x\"", (unsigned)(e->comm >> 32));
    if (peer[0]) {
        print_rank(s, comma, peer, e->peer);
        comma = ",";
    }
    if (tagged && e->tag == MPI_ANY_TAG)
        trace_write_print(s, "%s\"tag\":\"any\"", comma);
    else if (tagged)
        trace_write_print(s, "%s\"tag\":%d", comma, e->tag);
    if (e->bytes != TRACE_NONE)
        trace_write_print(s, "%s\"bytes\":%" PRIu64, tagged ? "," : comma, e->bytes);
    trace_write_print(s, "}},\n");
}

/* "ep_send", and "MPI_Send" in a program that knows that name. */
static const char *call_name(int call, char text[64])
{
    const char *name = trace_names[call].name;
    bool ranks = load_relaxed(&process.runs_ranks);
    snprintf(text, 64, "%s%s", ranks ? "MPI_" : "ep_", name);
    if (ranks && name[0] >= 'a' && name[0] <= 'z')
        text[4] = (char)(name[0] - 'a' + 'A');
    return text;
}

static void write_call(struct page *p, const struct event *e)
{
    const struct trace_name *name = &trace_names[e->call];
    char begin[32], call[64];
    int tid = track_of_call(p, e);
    uint64_t span = trace_common_time(p->skew, e->end) - trace_common_time(p->skew, e->begin);
    trace_write_print(
        p->s,
        "{\"ph\":\"X\",\"name\":\"%s\",\"cat\":\"ep\",\"pid\":%d,\"tid\":%d,\"ts\":%s,\"dur\":%" PRIu64
        ".%03d",
        call_name(e->call, call), process.rank, tid, time_text(p, e->begin, begin), span / 1000,
        (int)(span % 1000));
    print_args(p->s, e, name->peer, name->tagged);
}

static void write_message(struct page *p, const struct event *e)
{
    bool sent = e->kind == EVENT_SENT;
    char time[32];
    trace_write_print(p->s,
                      "{\"ph\":\"%s\",\"name\":\"message\",\"cat\":\"message\",\"id\":\"0x%016" PRIx64
                      "\",\"pid\":%d,\"tid\":%d,\"ts\":%s",
                      sent ? "s" : "f\",\"bp\":\"e", e->flow, process.rank,
                      p->lanes[lane_of_message(p, e)].tid, time_text(p, e->begin, time));
    print_args(p->s, e, sent ? "dest" : "source", true);
}

static void write_length(struct page *p, const struct event *e)
{
    char time[32];
    trace_write_print(p->s,
                      "{\"ph\":\"C\",\"name\":\"unexpected messages of endpoint "
                      "%d\",\"pid\":%d,\"tid\":%d,\"ts\":%s,\"args\":{\"messages\":%" PRIu64 "}},\n",
                      p->r->rank, process.rank, p->lanes[0].tid, time_text(p, e->begin, time), e->bytes);
}

/* By time; calls before what happens in them, long ones before short ones. */
static int by_time(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin > y->begin ? 1 : -1;
    if (x->kind != y->kind)
        return x->kind - y->kind;
    return x->kind == EVENT_CALL ? (x->end < y->end) - (x->end > y->end) : 0;
}

static void write_recorder(struct page *p, struct recorder *r, struct trace_totals *t)
{
    lock_acquire(&r->lock);
    uint64_t n = r->n < r->room ? r->n : r->room;
    t->events += r->n + r->lost;
    t->dropped += r->n - n + r->lost;
    t->nameless += r->nameless;
    if (n > 0) {
        qsort(r->ring, n, sizeof *r->ring, by_time);
        add_lane(p);
    }
    for (uint64_t i = 0; i < n && p->n > 0; i++) {
        const struct event *e = &r->ring[i];
        if (e->kind == EVENT_CALL)
            write_call(p, e);
        else if (e->kind == EVENT_UNEXPECTED)
            write_length(p, e);
        else
            write_message(p, e);
    }
    lock_release(&r->lock);
}

/* ---- files ---- */

void trace_write_head(struct sink *s)
{
    trace_write_print(s, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
}

void trace_write_process(struct sink *s, const struct skew *skew, uint64_t origin, struct trace_totals *t)
{
    char host[128] = "";
    gethostname(host, sizeof host - 1);
    trace_write_print(
        s,
        "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,\"tid\":0,\"args\":{\"name\":\"process %d (%s, "
        "%ld)\"}},\n",
        process.rank, process.rank, trace_write_plain(host), (long)getpid());
    trace_write_print(
        s,
        "{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":%d,\"tid\":0,\"args\":{\"sort_index\":%d}},\n",
        process.rank, process.rank);
    int further = 0;
    for (struct recorder *r = trace_first(); r; r = r->next) {
        struct page p = {.s = s, .skew = skew, .origin = origin, .r = r, .further = &further};
        write_recorder(&p, r, t);
        free(p.lanes);
    }
    sink_flush(s);
}

void trace_write_tail(struct sink *s, const struct trace_totals *t, int processes)
{
    /* an event without a comma behind it */
    trace_write_print(
        s,
        "{\"ph\":\"M\",\"name\":\"process_labels\",\"pid\":%d,\"tid\":0,\"args\":{\"labels\":\"ep\"}}\n],\n",
        process.rank);
    trace_write_print(s,
                      "\"otherData\":{\"version\":\"%d.%d.%d\",\"processes\":%d,\"events\":%" PRIu64
                      ",\"dropped_events\":%" PRIu64 ",\"messages_without_arrow\":%" PRIu64
                      ",\"cancelled_sends\":%" PRIu64 "}}\n",
                      EP_VERSION_MAJOR, EP_VERSION_MINOR, EP_VERSION_PATCH, processes, t->events, t->dropped,
                      t->nameless, t->cancelled);
    sink_flush(s);
}
