/* SPDX-License-Identifier: BSD-3-Clause */
/* Do the calls of all endpoints fit together? Each record is compared with one that stands for all, then what
 * is sent with what is received, pair by pair. The first thing that does not fit is the result. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coll/check/check.h"

struct check_compare {
    const struct comm *comm;
    int n, lower;                             /* endpoints; of them in the lower group */
    const struct check_record **check_record; /* by union rank */
    struct check_result *check_result;
};

/* ---- ranks ---- */

static bool is_upper(const struct check_compare *j, int rank)
{
    return rank >= j->lower;
}

/* Number of an endpoint among the peers of another. */
static int peer_number(const struct check_compare *j, int rank)
{
    return is_upper(j, rank) ? rank - j->lower : rank;
}

static int peers_of(const struct check_compare *j, int rank)
{
    return !j->comm->inter ? j->n : is_upper(j, rank) ? j->lower : j->n - j->lower;
}

static bool are_peers(const struct check_compare *j, int a, int b)
{
    return !j->comm->inter || is_upper(j, a) != is_upper(j, b);
}

/* ---- what records say ---- */

static bool is_rooted(const struct check_record *c)
{
    return c->kind == COLL_BCAST || c->kind == COLL_GATHER || c->kind == COLL_SCATTER ||
           c->kind == COLL_REDUCE;
}

/* Bytes of a reduction or broadcast, wherever they are significant. */
static uint64_t check_compare_bytes_of(const struct check_record *c)
{
    return c->give != CHECK_RECORD_NOTHING ? c->give : c->take;
}

/* The numbers of a reduction. */
static struct family family_of_check_record(const struct check_record *c)
{
    return c->give != CHECK_RECORD_NOTHING ? c->given : c->taken;
}

static struct signature signature_of_check_record(const struct check_record *c)
{
    return c->give != CHECK_RECORD_NOTHING ? c->gives : c->takes;
}

static const struct portion *check_compare_varying(const struct check_record *c)
{
    return (const struct portion *)(const void *)(c + 1);
}

static struct portion check_compare_gives(const struct check_compare *j, int from, int to)
{
    const struct check_record *c = j->check_record[from];
    return c->give == CHECK_RECORD_VARYING ? check_compare_varying(c)[peer_number(j, to)]
                                           : (struct portion){c->give, c->gives};
}

static struct portion check_compare_takes(const struct check_compare *j, int to, int from)
{
    const struct check_record *c = j->check_record[to];
    if (c->take != CHECK_RECORD_VARYING)
        return (struct portion){c->take, c->takes};
    int before = c->give == CHECK_RECORD_VARYING ? peers_of(j, to) : 0;
    return check_compare_varying(c)[before + peer_number(j, from)];
}

/* ---- words ---- */

struct words {
    char text[112];
    const char *gap; /* before the next */
};

__attribute__((format(printf, 2, 3))) static void check_compare_say(struct words *w, const char *format, ...)
{
    size_t used = strlen(w->text);
    va_list args;
    used += (size_t)snprintf(w->text + used, sizeof w->text - used, "%s", w->gap);
    va_start(args, format);
    if (used < sizeof w->text)
        vsnprintf(w->text + used, sizeof w->text - used, format, args);
    va_end(args);
    w->gap = ", ";
}

/* "endpoint 5 called ep_reduce(root 1, MPI_SUM": the rest of the arguments and the bracket are to follow. */
static struct words check_compare_begin(const struct check_compare *j, const struct check_record *c)
{
    struct words w = {.gap = ""};
    const char *group = !j->comm->inter ? "" : is_upper(j, c->rank) ? " (upper group)" : " (lower group)";
    check_compare_say(&w, "endpoint %d%s called %s(", peer_number(j, c->rank), group, c->name);
    w.gap = "";
    if (is_rooted(c) && c->said == MPI_ROOT)
        check_compare_say(&w, "root MPI_ROOT");
    else if (is_rooted(c) && c->said == MPI_PROC_NULL)
        check_compare_say(&w, "root MPI_PROC_NULL");
    else if (is_rooted(c))
        check_compare_say(&w, "root %d", c->said);
    if (c->operation != CHECK_RECORD_NO_OPERATOR)
        check_compare_say(&w, "%s", check_record_operator_name(c->operation));
    return w;
}

static void say_bytes(struct words *w, const struct check_record *c)
{
    bool one = c->kind == COLL_BCAST || c->kind >= COLL_REDUCE;
    if (one && check_compare_bytes_of(c) < CHECK_RECORD_VARYING)
        check_compare_say(w, "%llu bytes", (unsigned long long)check_compare_bytes_of(c));
    if (one)
        return;
    if (c->give < CHECK_RECORD_VARYING)
        check_compare_say(w, "sends %llu bytes", (unsigned long long)c->give);
    if (c->take < CHECK_RECORD_VARYING)
        check_compare_say(w, "receives %llu bytes", (unsigned long long)c->take);
}

/* What two endpoints gave. Of several kinds of numbers there is but a hash. */
static void say_families(struct words *a, struct family f, struct words *b, struct family g)
{
    char one[FAMILY_WORDS], other[FAMILY_WORDS];
    family_words(f, one);
    family_words(g, other);
    check_compare_say(a, "%s", one);
    check_compare_say(b, strcmp(one, other) != 0 ? "%s" : "%s that are others, or in another order", other);
}

static void check_compare_accuse(struct check_compare *j, int rc, const struct words *a,
                                 const struct words *b)
{
    j->check_result->rc = rc;
    snprintf(j->check_result->text, sizeof j->check_result->text, "%s), %s)", a->text, b->text);
}

static void accuse_calls(struct check_compare *j, int rc, const struct check_record *a,
                         const struct check_record *b)
{
    struct words one = check_compare_begin(j, a), other = check_compare_begin(j, b);
    say_bytes(&one, a);
    say_bytes(&other, b);
    if (rc == MPI_ERR_TYPE)
        say_families(&one, family_of_check_record(a), &other, family_of_check_record(b));
    check_compare_accuse(j, rc, &one, &other);
}

/* ---- comparing ---- */

static bool root_differs(const struct check_compare *j, const struct check_record *a,
                         const struct check_record *b)
{
    if (a->root == b->root)
        return false;
    return b->root != CHECK_RECORD_NO_ROOT || b->rank == a->root ||
           is_upper(j, b->rank) != is_upper(j, a->root);
}

/* The first endpoint, or one that knows the root. */
static const struct check_record *check_compare_standard(const struct check_compare *j)
{
    for (int r = 0; r < j->n; r++)
        if (j->check_record[r]->root != CHECK_RECORD_NO_ROOT)
            return j->check_record[r];
    return j->check_record[0];
}

/* Data of one length. What is of one family each needs no more than those. */
static bool kinds_differ(struct family a, struct family b, struct signature s, struct signature t)
{
    return a.is_known && b.is_known ? family_differs(a, b) : signature_differs(s, t);
}

static int compare_records_of(const struct check_compare *j, const struct check_record *a,
                              const struct check_record *b)
{
    if (strcmp(a->name, b->name) != 0)
        return MPI_ERR_ARG;
    if (is_rooted(a) && a->root != CHECK_RECORD_NO_ROOT && root_differs(j, a, b))
        return MPI_ERR_ROOT;
    if (a->operation != b->operation && b->operation != CHECK_RECORD_NO_OPERATOR)
        return MPI_ERR_OP;
    if (a->kind < COLL_REDUCE)
        return MPI_SUCCESS;
    uint64_t x = check_compare_bytes_of(a), y = check_compare_bytes_of(b);
    bool same_group = is_upper(j, a->rank) == is_upper(j, b->rank);
    if ((x != y && x != CHECK_RECORD_NOTHING && y != CHECK_RECORD_NOTHING) ||
        (same_group && a->counts != b->counts))
        return MPI_ERR_COUNT;
    if (x > 0 && x == y && x != CHECK_RECORD_NOTHING &&
        kinds_differ(family_of_check_record(a), family_of_check_record(b), signature_of_check_record(a),
                     signature_of_check_record(b)))
        return MPI_ERR_TYPE;
    return MPI_SUCCESS;
}

/* Numbers that are sent as one kind and received as another. Bytes pass as what they are. */
static void compare_kinds(struct check_compare *j, int from, int to, struct signature given,
                          struct signature taken)
{
    struct family out = j->check_record[from]->given, in = j->check_record[to]->taken;
    if (!kinds_differ(out, in, given, taken) || (out.width == 1 && in.width == 1))
        return;
    struct words one = check_compare_begin(j, j->check_record[from]),
                 other = check_compare_begin(j, j->check_record[to]);
    say_families(&one, out, &other, in);
    check_compare_say(&one, "for rank %d", peer_number(j, to));
    check_compare_say(&other, "from rank %d", peer_number(j, from));
    check_compare_accuse(j, MPI_ERR_TYPE, &one, &other);
}

static void compare_pair(struct check_compare *j, int from, int to)
{
    struct portion given = check_compare_gives(j, from, to), taken = check_compare_takes(j, to, from);
    uint64_t out = given.bytes, in = taken.bytes;
    if (out == CHECK_RECORD_NOTHING || in == CHECK_RECORD_NOTHING || !are_peers(j, from, to))
        return;
    if (out == in && out > 0)
        compare_kinds(j, from, to, given.signature, taken.signature);
    if (out == in)
        return;
    struct words one = check_compare_begin(j, j->check_record[from]),
                 other = check_compare_begin(j, j->check_record[to]);
    check_compare_say(&one, "%llu bytes for rank %d", (unsigned long long)out, peer_number(j, to));
    check_compare_say(&other, "%llu bytes from rank %d", (unsigned long long)in, peer_number(j, from));
    check_compare_accuse(j, out > in ? MPI_ERR_TRUNCATE : MPI_ERR_COUNT, &one, &other);
}

/* What is sent against what is received; rooted calls: by the root or to the root. */
static void compare_blocks(struct check_compare *j, const struct check_record *a)
{
    bool from_root = a->kind == COLL_BCAST || a->kind == COLL_SCATTER, to_root = a->kind == COLL_GATHER;
    if (a->kind <= COLL_BARRIER || a->kind >= COLL_REDUCE ||
        (is_rooted(a) && a->root == CHECK_RECORD_NO_ROOT))
        return;
    for (int from = 0; from < j->n; from++)
        for (int to = 0; to < j->n && j->check_result->rc == MPI_SUCCESS; to++)
            if ((!from_root || from == a->root) && (!to_root || to == a->root))
                compare_pair(j, from, to);
}

static void compare_records(struct check_compare *j)
{
    const struct check_record *a = check_compare_standard(j);
    for (int r = 0; r < j->n && j->check_result->rc == MPI_SUCCESS; r++) {
        int rc = compare_records_of(j, a, j->check_record[r]);
        if (rc != MPI_SUCCESS)
            accuse_calls(j, rc, a->rank < r ? a : j->check_record[r], a->rank < r ? j->check_record[r] : a);
    }
    if (j->check_result->rc == MPI_SUCCESS)
        compare_blocks(j, a);
}

static bool call_witnesses(struct check_compare *j, char *const check_records[])
{
    for (int p = 0; p < j->comm->nproc; p++) {
        const char *at = check_records[p];
        for (int i = 0; i < rankmap_count(&j->comm->map, p); i++) {
            const struct check_record *c = (const struct check_record *)(const void *)at;
            if (!at)
                return false;
            j->check_record[c->rank] = c;
            int lists = (c->give == CHECK_RECORD_VARYING) + (c->take == CHECK_RECORD_VARYING);
            at = (const char *)(check_compare_varying(c) + (size_t)lists * (size_t)peers_of(j, c->rank));
        }
    }
    return true;
}

void check_records_compare(const struct comm *c, char *const check_records[], struct check_result *v)
{
    struct check_compare j = {.comm = c, .n = c->map.size, .lower = c->group[0]->size, .check_result = v};
    *v = (struct check_result){.rc = MPI_SUCCESS};
    j.check_record = calloc((size_t)j.n, sizeof *j.check_record);
    if (j.check_record && call_witnesses(&j, check_records)) {
        compare_records(&j);
    } else {
        v->rc = MPI_ERR_NO_MEM;
        snprintf(v->text, sizeof v->text, "no memory to compare the calls of the endpoints (EP_CHECK)");
    }
    free(j.check_record);
}
