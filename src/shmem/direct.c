/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives by load and store. Each member posts what it brings, if it is short, else where it is, and where it wants
 * to have what it gets. Then who needs data copies them from there. Who has posted a place stays until the others have
 * read it.
 *
 * An alltoall is less: OpenSHMEM wants dest of all PEs to be ready before any of them calls. So each puts its blocks into
 * the others' dest, and who has met all has all. Of collect and fcollect it does not want that: programs call them again
 * and again with one dest. There nobody writes to a PE's dest before that PE has come.
 *
 * In rounds (sync.h) the last to come does all for all, if that is little: the others find it done. More is done by each for
 * itself, so that all cores copy; a reduction by each for a share of the elements, which it puts into all dests, so
 * that dest may be source: nobody else reads that share. Arithmetic has the same order wherever it is done, and an
 * element is computed in one place, or everywhere in the same way: all get the same bits.
 */
#include "shmem/coll.h"

enum {
    LAST_BYTES = 64 << 10, /* so much the last to come does alone */
    REDUCE_PART = 4096     /* bytes that are reduced at a time: they stay in the nearest cache */
};

/* Most of what is copied so is one number. */
static inline void copy_short(void *to, const void *from, size_t n)
{
    if (likely(n == 8))
        memcpy(to, from, 8);
    else if (n > 0)
        memcpy(to, from, n);
}

void direct_sync(struct shmem_team *t, const char *call)
{
    sync_meet(t, call);
}

/* ---- what has been posted ---- */

/* inlined: bytes of the source that go into the line; 0: where they are. */
static void direct_post(const struct shmem_coll *c, size_t inlined)
{
    struct sync_line *line = sync_line(c->team, c->call);
    line->bytes = c->bytes;
    line->dest = sync_place_of(c->team, c->dest);
    if (inlined)
        copy_short(line->data, c->source, inlined);
    else
        line->source = sync_place_of(c->team, c->source);
    sync_post(c->team, line);
}

static const char *direct_source(const struct shmem_coll *c, int i, bool inlined)
{
    const struct sync_line *line = sync_read(c->team, i, c->call);
    return inlined ? line->data : sync_address(c->team, i, line->source);
}

static char *direct_dest(const struct shmem_coll *c, int i)
{
    return i == c->team->me ? c->dest : sync_address(c->team, i, sync_read(c->team, i, c->call)->dest);
}

static void direct_await_all(const struct shmem_coll *c)
{
    for (int i = 0; i < c->team->members.n; i++)
        if (i != c->team->me)
            sync_read(c->team, i, c->call);
}

/* Of a call in which all have heard from all. pending: others may still read this PE's source, or write to its dest. */
static void direct_end(const struct shmem_coll *c, bool pending)
{
    sync_finish(c->team, true);
    if (pending)
        sync_meet(c->team, c->call);
}

/* ---- broadcast ---- */

static void broadcast_root(const struct shmem_coll *c, bool inlined)
{
    struct sync_line *line = sync_line(c->team, c->call);
    if (inlined)
        copy_short(line->data, c->source, c->bytes);
    else
        line->source = sync_place_of(c->team, c->source);
    sync_post(c->team, line);
    sync_finish(c->team, false);
    broadcast_at_root(c);
    if (!inlined)
        sync_await_completed(c->team, c->call);
}

void direct_broadcast(const struct shmem_coll *c)
{
    bool inlined = c->bytes <= SYNC_BYTES;
    if (c->team->me == c->root) {
        broadcast_root(c, inlined);
        return;
    }
    copy_short(c->dest, direct_source(c, c->root, inlined), c->bytes);
    sync_finish(c->team, false);
}

/* ---- what all bring to all ---- */

/* What member j gets, into its dest. */
typedef void exchange_give(const struct shmem_coll *c, int j, char *dest);

/* In a round. each: bytes that one member gets. True: all is done. */
static bool exchange_round(const struct shmem_coll *c, exchange_give *give,
                           size_t each(const struct shmem_coll *c))
{
    struct shmem_team *t = c->team;
    if (!sync_arrive(t, NULL, NULL)) {
        sync_await_release(t, c->call);
        return sync_result(t)->done;
    }
    size_t n = (size_t)t->members.n, bytes = each(c);
    bool done = bytes <= LAST_BYTES / n;
    for (int j = 0; done && j < t->members.n; j++)
        give(c, j, direct_dest(c, j));
    sync_result(t)->done = done;
    sync_release(t);
    return done;
}

/* What this PE has is posted; true: all have met, and what is little has been done. Else each is to read all lines. */
static bool exchange_post(const struct shmem_coll *c, size_t inlined, exchange_give *give,
                          size_t each(const struct shmem_coll *c))
{
    direct_post(c, inlined);
    return !c->team->sync.flat && exchange_round(c, give, each);
}

/* ---- collect ---- */

static bool collect_is_inlined(size_t bytes)
{
    return bytes > 0 && bytes <= SYNC_BYTES;
}

/* pending: some have posted a place. */
static size_t collect_bytes(const struct shmem_coll *c, bool *pending)
{
    size_t all = 0;
    *pending = false;
    for (int i = 0; i < c->team->members.n; i++) {
        size_t bytes = sync_read(c->team, i, c->call)->bytes;
        *pending |= bytes > SYNC_BYTES;
        all += bytes;
    }
    return all;
}

/* SIZE_MAX: more than there is room for, of which each tells the program. */
static size_t collect_each(const struct shmem_coll *c)
{
    bool pending;
    size_t all = collect_bytes(c, &pending);
    return all == 0 || shmem_reach(&c->pe->reach, c->dest, all, c->pe->reach.me) ? all : SIZE_MAX;
}

/* Beginning with the own block, so that not all read the same one at a time. */
static void collect_give(const struct shmem_coll *c, int j, char *dest)
{
    int n = c->team->members.n;
    size_t at = 0;
    for (int i = 0; i < j; i++)
        at += sync_read(c->team, i, c->call)->bytes;
    for (int k = 0; k < n; k++) {
        int i = j + k < n ? j + k : j + k - n;
        size_t bytes = sync_read(c->team, i, c->call)->bytes;
        at = i == 0 ? 0 : at;
        if (bytes)
            copy_short(dest + at, direct_source(c, i, collect_is_inlined(bytes)), bytes);
        at += bytes;
    }
}

int direct_collect(const struct shmem_coll *c)
{
    size_t inlined = collect_is_inlined(c->bytes) ? c->bytes : 0;
    bool done = exchange_post(c, inlined, collect_give, collect_each), pending = false;
    bool fits = done || collect_fits(c, collect_bytes(c, &pending));
    if (fits && !done)
        collect_give(c, c->team->me, c->dest);
    direct_end(c, pending);
    return fits ? 0 : MPI_ERR_BUFFER;
}

/* ---- blocks of one size ---- */

static size_t blocks_bytes(const struct shmem_coll *c)
{
    return (size_t)c->team->members.n * c->bytes;
}

static void fcollect_give(const struct shmem_coll *c, int j, char *dest)
{
    int n = c->team->members.n;
    bool inlined = collect_is_inlined(c->bytes);
    for (int k = 0; k < n; k++) {
        int i = j + k < n ? j + k : j + k - n;
        copy_short(dest + (size_t)i * c->bytes, direct_source(c, i, inlined), c->bytes);
    }
}

void direct_fcollect(const struct shmem_coll *c)
{
    if (c->bytes == 0) {
        sync_meet(c->team, c->call);
        return;
    }
    size_t inlined = collect_is_inlined(c->bytes) ? c->bytes : 0;
    bool done = exchange_post(c, inlined, fcollect_give, blocks_bytes);
    if (!done)
        fcollect_give(c, c->team->me, c->dest);
    direct_end(c, !done && !inlined);
}

/* ---- alltoall ---- */

/* What fits into lines goes through them where a meeting is by lines: they travel anyway. */
static bool alltoall_is_inlined(const struct shmem_coll *c)
{
    return c->team->sync.flat && c->width == 0 && c->bytes > 0 &&
           c->bytes <= SYNC_BYTES / (size_t)c->team->members.n;
}

static void alltoall_inlined(const struct shmem_coll *c)
{
    size_t me = (size_t)c->team->me;
    direct_post(c, blocks_bytes(c));
    for (int i = 0; i < c->team->members.n; i++)
        copy_short(c->dest + (size_t)i * c->bytes, direct_source(c, i, true) + me * c->bytes, c->bytes);
    direct_end(c, false);
}

/* Beginning with itself, so that not all write to the same one at a time. */
static void alltoall_put(const struct shmem_coll *c)
{
    size_t n = (size_t)c->team->members.n, me = (size_t)c->team->me;
    ptrdiff_t width = (ptrdiff_t)c->width, to = c->dst * width, from = c->sst * width;
    sync_place place = sync_place_of(c->team, c->dest);
    for (size_t k = 0; k < n && c->bytes; k++) {
        size_t j = me + k < n ? me + k : me + k - n;
        char *dest = j == me ? c->dest : sync_address(c->team, (int)j, place);
        if (width)
            copy_strided(dest + (ptrdiff_t)(me * c->nelems) * to, to,
                         c->source + (ptrdiff_t)(j * c->nelems) * from, from, c->nelems, c->width);
        else
            copy_short(dest + me * c->bytes, c->source + j * c->bytes, c->bytes);
    }
}

void direct_alltoall(const struct shmem_coll *c)
{
    if (alltoall_is_inlined(c)) {
        alltoall_inlined(c);
        return;
    }
    alltoall_put(c);
    sync_meet(c->team, c->call);
}

/* ---- reductions ---- */

/* Elements of all sources into all dests. */
static void reduce_elements(const struct shmem_coll *c, size_t first, size_t n)
{
    _Alignas(CACHE_LINE) char part[REDUCE_PART];
    size_t most = REDUCE_PART / c->width;
    int members = c->team->members.n;
    for (size_t at = first, k; at < first + n; at += k) {
        k = first + n - at < most ? first + n - at : most;
        memcpy(part, direct_source(c, 0, false) + at * c->width, k * c->width);
        for (int i = 1; i < members; i++)
            c->kernel(direct_source(c, i, false) + at * c->width, part, k);
        for (int i = 0; i < members; i++)
            memcpy(direct_dest(c, i) + at * c->width, part, k * c->width);
    }
}

/* Member i's share: cache lines are not shared. */
static void reduce_share(const struct shmem_coll *c)
{
    size_t n = (size_t)c->team->members.n, me = (size_t)c->team->me, line = CACHE_LINE / c->width;
    size_t share = (c->nelems + n - 1) / n;
    line = line ? line : 1;
    share = (share + line - 1) / line * line;
    size_t first = me * share < c->nelems ? me * share : c->nelems;
    reduce_elements(c, first, c->nelems - first < share ? c->nelems - first : share);
}

static bool reduce_round(const struct shmem_coll *c)
{
    struct shmem_team *t = c->team;
    if (!sync_arrive(t, NULL, NULL)) {
        sync_await_release(t, c->call);
        return sync_result(t)->done;
    }
    bool done = c->bytes <= LAST_BYTES / (size_t)t->members.n;
    if (done)
        reduce_elements(c, 0, c->nelems);
    sync_result(t)->done = done;
    sync_release(t);
    return done;
}

static void reduce_long(const struct shmem_coll *c)
{
    bool done = false;
    direct_post(c, 0);
    if (c->team->sync.flat)
        direct_await_all(c);
    else
        done = reduce_round(c);
    if (!done)
        reduce_share(c);
    direct_end(c, !done);
}

/* What is under a node: sync_fold. */
static void reduce_fold(const void *arg, struct shmem_team *t, int level, int first, int n, int step)
{
    const struct shmem_coll *c = arg;
    bool top = step * SYNC_RADIX >= t->members.n;
    char *to = top ? sync_result(t)->result : sync_column(t, first)->node[level].partial;
    for (int i = 0; i < n; i++) {
        int member = first + i * step;
        const char *from = level == 0 ? sync_read(t, member, c->call)->data
                                      : sync_column(t, member)->node[level - 1].partial;
        if (i == 0)
            copy_short(to, from, c->bytes);
        else
            c->kernel(from, to, c->nelems);
    }
}

static void reduce_short(const struct shmem_coll *c)
{
    struct shmem_team *t = c->team;
    _Alignas(16) char value[SYNC_BYTES];
    direct_post(c, c->bytes);
    if (t->sync.flat) {
        for (int i = 0; i < t->members.n; i++)
            if (i == 0)
                copy_short(value, direct_source(c, i, true), c->bytes);
            else
                c->kernel(direct_source(c, i, true), value, c->nelems);
        copy_short(c->dest, value, c->bytes);
    } else {
        if (sync_arrive(t, reduce_fold, c))
            sync_release(t);
        else
            sync_await_release(t, c->call);
        copy_short(c->dest, sync_result(t)->result, c->bytes);
    }
    direct_end(c, false);
}

void direct_reduce(const struct shmem_coll *c)
{
    if (c->bytes <= SYNC_BYTES)
        reduce_short(c);
    else
        reduce_long(c);
}
