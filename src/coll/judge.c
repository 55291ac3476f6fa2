/* SPDX-License-Identifier: BSD-3-Clause */
/* Do the calls of all endpoints fit together? Each claim is compared with one that stands for all, then what is
 * sent with what is received, pair by pair. The first thing that does not fit is the verdict. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coll/claim.h"

struct court {
    const struct comm *comm;
    int n, lower;               /* endpoints; of them in the lower group */
    const struct claim **claim; /* by union rank */
    struct verdict *verdict;
};

/* ---- ranks ---- */

static bool is_upper(const struct court *j, int rank)
{
    return rank >= j->lower;
}

/* Number of an endpoint among the peers of another. */
static int peer_number(const struct court *j, int rank)
{
    return is_upper(j, rank) ? rank - j->lower : rank;
}

static int peers_of(const struct court *j, int rank)
{
    return !j->comm->inter ? j->n : is_upper(j, rank) ? j->lower : j->n - j->lower;
}

static bool are_peers(const struct court *j, int a, int b)
{
    return !j->comm->inter || is_upper(j, a) != is_upper(j, b);
}

/* ---- what claims say ---- */

static bool is_rooted(const struct claim *c)
{
    return c->kind == COLL_BCAST || c->kind == COLL_GATHER || c->kind == COLL_SCATTER ||
           c->kind == COLL_REDUCE;
}

/* Bytes of a reduction or broadcast, wherever they are significant. */
static uint64_t bytes_of(const struct claim *c)
{
    return c->give != CLAIM_NOTHING ? c->give : c->take;
}

/* The numbers of a reduction. */
static struct family family_of_claim(const struct claim *c)
{
    return c->give != CLAIM_NOTHING ? c->given : c->taken;
}

static struct signature signature_of_claim(const struct claim *c)
{
    return c->give != CLAIM_NOTHING ? c->gives : c->takes;
}

static const struct portion *varying(const struct claim *c)
{
    return (const struct portion *)(const void *)(c + 1);
}

static struct portion gives(const struct court *j, int from, int to)
{
    const struct claim *c = j->claim[from];
    return c->give == CLAIM_VARYING ? varying(c)[peer_number(j, to)] : (struct portion){c->give, c->gives};
}

static struct portion takes(const struct court *j, int to, int from)
{
    const struct claim *c = j->claim[to];
    if (c->take != CLAIM_VARYING)
        return (struct portion){c->take, c->takes};
    int before = c->give == CLAIM_VARYING ? peers_of(j, to) : 0;
    return varying(c)[before + peer_number(j, from)];
}

/* ---- words ---- */

struct words {
    char text[112];
    const char *gap; /* before the next */
};

__attribute__((format(printf, 2, 3))) static void say(struct words *w, const char *format, ...)
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
static struct words begin(const struct court *j, const struct claim *c)
{
    struct words w = {.gap = ""};
    const char *group = !j->comm->inter ? "" : is_upper(j, c->rank) ? " (upper group)" : " (lower group)";
    say(&w, "endpoint %d%s called %s(", peer_number(j, c->rank), group, c->name);
    w.gap = "";
    if (is_rooted(c) && c->said == MPI_ROOT)
        say(&w, "root MPI_ROOT");
    else if (is_rooted(c) && c->said == MPI_PROC_NULL)
        say(&w, "root MPI_PROC_NULL");
    else if (is_rooted(c))
        say(&w, "root %d", c->said);
    if (c->operation != CLAIM_NO_OPERATOR)
        say(&w, "%s", claim_operator_name(c->operation));
    return w;
}

static void say_bytes(struct words *w, const struct claim *c)
{
    bool one = c->kind == COLL_BCAST || c->kind >= COLL_REDUCE;
    if (one && bytes_of(c) < CLAIM_VARYING)
        say(w, "%llu bytes", (unsigned long long)bytes_of(c));
    if (one)
        return;
    if (c->give < CLAIM_VARYING)
        say(w, "sends %llu bytes", (unsigned long long)c->give);
    if (c->take < CLAIM_VARYING)
        say(w, "receives %llu bytes", (unsigned long long)c->take);
}

/* What two endpoints gave. Of several kinds of numbers there is but a hash. */
static void say_families(struct words *a, struct family f, struct words *b, struct family g)
{
    char one[FAMILY_WORDS], other[FAMILY_WORDS];
    family_words(f, one);
    family_words(g, other);
    say(a, "%s", one);
    say(b, strcmp(one, other) != 0 ? "%s" : "%s that are others, or in another order", other);
}

static void accuse(struct court *j, int rc, const struct words *a, const struct words *b)
{
    j->verdict->rc = rc;
    snprintf(j->verdict->text, sizeof j->verdict->text, "%s), %s)", a->text, b->text);
}

static void accuse_calls(struct court *j, int rc, const struct claim *a, const struct claim *b)
{
    struct words one = begin(j, a), other = begin(j, b);
    say_bytes(&one, a);
    say_bytes(&other, b);
    if (rc == MPI_ERR_TYPE)
        say_families(&one, family_of_claim(a), &other, family_of_claim(b));
    accuse(j, rc, &one, &other);
}

/* ---- comparing ---- */

static bool root_differs(const struct court *j, const struct claim *a, const struct claim *b)
{
    if (a->root == b->root)
        return false;
    return b->root != CLAIM_NO_ROOT || b->rank == a->root || is_upper(j, b->rank) != is_upper(j, a->root);
}

/* The first endpoint, or one that knows the root. */
static const struct claim *standard(const struct court *j)
{
    for (int r = 0; r < j->n; r++)
        if (j->claim[r]->root != CLAIM_NO_ROOT)
            return j->claim[r];
    return j->claim[0];
}

/* Data of one length. What is of one family each needs no more than those. */
static bool kinds_differ(struct family a, struct family b, struct signature s, struct signature t)
{
    return a.is_known && b.is_known ? family_differs(a, b) : signature_differs(s, t);
}

static int compare(const struct court *j, const struct claim *a, const struct claim *b)
{
    if (strcmp(a->name, b->name) != 0)
        return MPI_ERR_ARG;
    if (is_rooted(a) && a->root != CLAIM_NO_ROOT && root_differs(j, a, b))
        return MPI_ERR_ROOT;
    if (a->operation != b->operation && b->operation != CLAIM_NO_OPERATOR)
        return MPI_ERR_OP;
    if (a->kind < COLL_REDUCE)
        return MPI_SUCCESS;
    uint64_t x = bytes_of(a), y = bytes_of(b);
    bool same_group = is_upper(j, a->rank) == is_upper(j, b->rank);
    if ((x != y && x != CLAIM_NOTHING && y != CLAIM_NOTHING) || (same_group && a->counts != b->counts))
        return MPI_ERR_COUNT;
    if (x > 0 && x == y && x != CLAIM_NOTHING &&
        kinds_differ(family_of_claim(a), family_of_claim(b), signature_of_claim(a), signature_of_claim(b)))
        return MPI_ERR_TYPE;
    return MPI_SUCCESS;
}

/* Numbers that are sent as one kind and received as another. Bytes pass as what they are. */
static void compare_kinds(struct court *j, int from, int to, struct signature given, struct signature taken)
{
    struct family out = j->claim[from]->given, in = j->claim[to]->taken;
    if (!kinds_differ(out, in, given, taken) || (out.width == 1 && in.width == 1))
        return;
    struct words one = begin(j, j->claim[from]), other = begin(j, j->claim[to]);
    say_families(&one, out, &other, in);
    say(&one, "for rank %d", peer_number(j, to));
    say(&other, "from rank %d", peer_number(j, from));
    accuse(j, MPI_ERR_TYPE, &one, &other);
}

static void compare_pair(struct court *j, int from, int to)
{
    struct portion given = gives(j, from, to), taken = takes(j, to, from);
    uint64_t out = given.bytes, in = taken.bytes;
    if (out == CLAIM_NOTHING || in == CLAIM_NOTHING || !are_peers(j, from, to))
        return;
    if (out == in && out > 0)
        compare_kinds(j, from, to, given.signature, taken.signature);
    if (out == in)
        return;
    struct words one = begin(j, j->claim[from]), other = begin(j, j->claim[to]);
    say(&one, "%llu bytes for rank %d", (unsigned long long)out, peer_number(j, to));
    say(&other, "%llu bytes from rank %d", (unsigned long long)in, peer_number(j, from));
    accuse(j, out > in ? MPI_ERR_TRUNCATE : MPI_ERR_COUNT, &one, &other);
}

/* What is sent against what is received; rooted calls: by the root or to the root. */
static void compare_blocks(struct court *j, const struct claim *a)
{
    bool from_root = a->kind == COLL_BCAST || a->kind == COLL_SCATTER, to_root = a->kind == COLL_GATHER;
    if (a->kind <= COLL_BARRIER || a->kind >= COLL_REDUCE || (is_rooted(a) && a->root == CLAIM_NO_ROOT))
        return;
    for (int from = 0; from < j->n; from++)
        for (int to = 0; to < j->n && j->verdict->rc == MPI_SUCCESS; to++)
            if ((!from_root || from == a->root) && (!to_root || to == a->root))
                compare_pair(j, from, to);
}

static void hold_court(struct court *j)
{
    const struct claim *a = standard(j);
    for (int r = 0; r < j->n && j->verdict->rc == MPI_SUCCESS; r++) {
        int rc = compare(j, a, j->claim[r]);
        if (rc != MPI_SUCCESS)
            accuse_calls(j, rc, a->rank < r ? a : j->claim[r], a->rank < r ? j->claim[r] : a);
    }
    if (j->verdict->rc == MPI_SUCCESS)
        compare_blocks(j, a);
}

static bool call_witnesses(struct court *j, char *const claims[])
{
    for (int p = 0; p < j->comm->nproc; p++) {
        const char *at = claims[p];
        for (int i = 0; i < rankmap_count(&j->comm->map, p); i++) {
            const struct claim *c = (const struct claim *)(const void *)at;
            if (!at)
                return false;
            j->claim[c->rank] = c;
            int lists = (c->give == CLAIM_VARYING) + (c->take == CLAIM_VARYING);
            at = (const char *)(varying(c) + (size_t)lists * (size_t)peers_of(j, c->rank));
        }
    }
    return true;
}

void claims_judge(const struct comm *c, char *const claims[], struct verdict *v)
{
    struct court j = {.comm = c, .n = c->map.size, .lower = c->group[0]->size, .verdict = v};
    *v = (struct verdict){.rc = MPI_SUCCESS};
    j.claim = calloc((size_t)j.n, sizeof *j.claim);
    if (j.claim && call_witnesses(&j, claims)) {
        hold_court(&j);
    } else {
        v->rc = MPI_ERR_NO_MEM;
        snprintf(v->text, sizeof v->text, "no memory to compare the calls of the endpoints (EP_CHECK)");
    }
    free(j.claim);
}
