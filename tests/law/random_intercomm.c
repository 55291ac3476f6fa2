/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * random_intercomm.c: intercommunicators of random groups that share processes, 200 draws. Each is made from a random part of
 * the endpoints in random order with random leaders, all send to all, it is merged and all send again; then the same once
 * more, from what was merged, and all is freed in any order.
 *
 * Catches: hangs of handshakes that depend on who leads where, and ranks that are right in simple cases only.
 */
#include "inter_plan.h"
#include <stdio.h>
#include <string.h>

typedef struct {
    team_t *t;
    uint64_t common; /* the same in all endpoints */
    ep_comm turned;  /* the team in another order; place[r] is the rank of endpoint r in it */
    int place[TRAFFIC_MAX];
} lottery;

static int any_of_side(lottery *l, const inter_plan *b, int s)
{
    int k = random_below(&l->common, b->n[s]), r = 0;
    for (; r < b->size; r++)
        if (b->side[r] == s && k-- == 0)
            break;
    return r;
}

static void draw(lottery *l, inter_plan *b)
{
    team_t *t = l->t;
    int side[TRAFFIC_MAX], n[2];
    do {
        int out = random_below(&l->common, 3), even = 1 + random_below(&l->common, 4);
        n[0] = n[1] = 0;
        for (int r = 0; r < t->size; r++) {
            side[r] = random_below(&l->common, 4) < out ? NEITHER : random_below(&l->common, 5) < even;
            if (side[r] != NEITHER)
                n[side[r]]++;
        }
    } while (!n[0] || !n[1]);
    inter_set_sides(t, b, side);
    for (int s = 0; s < 2; s++) {
        b->n[s] = n[s];
        b->leader[s] = any_of_side(l, b, s);
    }
    for (int r = 0; r < t->size; r++)
        b->key[r] = random_below(&l->common, 5) - 2;
    b->tag = random_below(&l->common, 32768);
    if (random_below(&l->common, 2)) {
        b->peer = l->turned;
        memcpy(b->peer_rank, l->place, sizeof l->place);
    }
}

/* high as drawn; where both groups give the same, either may be first. Returns the number of members, 0 if wrong. */
static int merge(lottery *l, inter_plan *b, ep_comm *merged, int members[])
{
    int high[2] = {random_below(&l->common, 2), random_below(&l->common, 2)}, rank = -1, first;
    team_t *t = l->t;
    if (b->mine == NEITHER)
        return 0;
    if (!EXPECT_OK(ep_intercomm_merge(b->inter, high[b->mine], merged)))
        return 0;
    EXPECT_OK(ep_comm_rank(*merged, &rank));
    first = high[0] != high[1]                                        ? high[0]
            : rank == find(b->ranks[b->mine], b->n[b->mine], t->rank) ? b->mine
                                                                      : !b->mine;
    int n = inter_merged(b, first, members);
    return expect_members(t, *merged, members, n, NULL, 0) ? n : 0;
}

/* The merged communicator is cut in two again at a random place and joined, over itself. */
static void once_more(lottery *l, ep_comm merged, const int members[], int n)
{
    uint64_t random = l->common;
    team_t *t = l->t;
    int cut = 1 + random_below(&random, n - 1), rank = find(members, n, t->rank), mine = rank >= cut;
    int lead[2] = {random_below(&random, cut), random_below(&random, n - cut)};
    int high = random_below(&random, 2), back[TRAFFIC_MAX];
    ep_comm part = EP_COMM_NULL, inter = EP_COMM_NULL, whole = EP_COMM_NULL;
    if (!EXPECT_OK(ep_comm_split(merged, mine, 0, &part)) ||
        !EXPECT_OK(ep_intercomm_create(part, lead[mine], merged, mine ? lead[0] : cut + lead[1], 0, &inter)))
        return;
    if (random_below(&t->random, 2))
        EXPECT_OK(ep_comm_free(&part));
    if (!expect_members(t, inter, members + (mine ? cut : 0), mine ? n - cut : cut,
                        members + (mine ? 0 : cut), mine ? cut : n - cut))
        return;
    traffic(t, inter, members + (mine ? 0 : cut), TRAFFIC_SHORT);
    if (!EXPECT_OK(ep_intercomm_merge(inter, mine ^ high, &whole)))
        return;
    for (int i = 0; i < n; i++)
        back[i] = members[high ? (i + cut) % n : i];
    if (expect_members(t, whole, back, n, NULL, 0))
        traffic(t, whole, back, TRAFFIC_SHORT);
    if (part != EP_COMM_NULL)
        EXPECT_OK(ep_comm_free(&part));
    EXPECT_OK(ep_comm_free(&whole));
    EXPECT_OK(ep_comm_free(&inter));
}

/* Each endpoint frees what it has in its own order. */
static void free_all(lottery *l, inter_plan *b, ep_comm *merged)
{
    ep_comm *all[3] = {&b->local, &b->inter, merged};
    int from = random_below(&l->t->random, 3), step = 1 + random_below(&l->t->random, 2);
    for (int i = 0; i < 3; i++)
        if (*all[(from + i * step) % 3] != EP_COMM_NULL)
            EXPECT_OK(ep_comm_free(all[(from + i * step) % 3]));
}

static void draws(team_t *t, void *arg)
{
    lottery l = {.t = t, .common = harness_seed(), .turned = EP_COMM_NULL};
    int count = 200 / harness_slowness(), keys[TRAFFIC_MAX], colors[TRAFFIC_MAX] = {0}, order[TRAFFIC_MAX];
    (void)arg;
    for (int r = 0; r < t->size; r++)
        keys[r] = random_below(&l.common, 1000);
    in_order(t->size, colors, keys, 0, order);
    for (int i = 0; i < t->size; i++)
        l.place[order[i]] = i;
    if (!EXPECT_OK(ep_comm_split(t->comm, 0, keys[t->rank], &l.turned)) ||
        !expect_members(t, l.turned, order, t->size, NULL, 0))
        return;
    for (int i = 0; i < count; i++) {
        inter_plan b;
        ep_comm merged = EP_COMM_NULL;
        int members[TRAFFIC_MAX], n = 0, ok;
        draw(&l, &b);
        ok = inter_build(t, &b);
        if (ok)
            traffic(t, b.inter, inter_peers(&b), i % 20 ? TRAFFIC_SHORT : TRAFFIC_LONG);
        else if (b.mine != NEITHER)
            return; /* the failure is recorded; the others would wait */
        uint64_t before = l.common;
        n = merge(&l, &b, &merged, members);
        l.common = before + 1; /* those on neither side have drawn nothing */
        if (b.mine != NEITHER && !n)
            return;
        if (n) {
            traffic(t, merged, members, i % 20 ? TRAFFIC_SHORT : TRAFFIC_LONG);
            once_more(&l, merged, members, n);
        }
        free_all(&l, &b, &merged);
    }
    EXPECT_OK(ep_comm_free(&l.turned));
}

static const harness_test tests[] = {{"draws", draws, NULL}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "random_intercomm", tests);
}
