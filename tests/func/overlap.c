/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overlap.c: which side a process that two groups share is given to, and who leads. For every way to spread two groups
 * over the processes, and every choice of leaders, what ep_comm_get_mpi_comm and the info keys show is compared with the
 * rules, written down here once more; process 0 prints one line for each kind of case.
 *
 * A is the group with the smaller peer rank. A process with endpoints of both is given
 *   (1) to B, if it has no leader;
 *   (2) to the group whose leader is in it;
 *   (3) if both are in it: (3a) A has other processes: its lead moves to the lowest of these, and B gets the shared one;
 *       (3b) else, if B has others: the lead of B moves, and A gets it;
 *       (3c) else there is nothing to join: an intracommunicator of that process.
 *
 * Catches: shared processes that are in both groups or in none, that depend on who asks, a group left without processes,
 * a classic intercommunicator that cannot be used.
 */
#include "inter_plan.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROCESSES = 8, NONE = -1 };

/* Groups and processes as the rules see them: index 0 is A, 1 is B. */
typedef struct {
    int processes;
    int has[2][PROCESSES]; /* does the group have endpoints there */
    int home[2];           /* processes of the leaders */
} spread;

typedef struct {
    const char *name;
    int owner[PROCESSES]; /* 0, 1 or NONE */
    int lead[2];          /* processes */
} ruling;

/* Lowest process of a group other than one; NONE if there is no other. */
static int other_process(const spread *s, int group, int but)
{
    for (int p = 0; p < s->processes; p++)
        if (s->has[group][p] && p != but)
            return p;
    return NONE;
}

static ruling rule(const spread *s)
{
    ruling r = {.name = "0", .lead = {s->home[0], s->home[1]}};
    int shared_home = s->home[0] == s->home[1], mover = NONE;
    if (shared_home) {
        mover = other_process(s, 0, s->home[0]) != NONE   ? 0
                : other_process(s, 1, s->home[1]) != NONE ? 1
                                                          : NONE;
        r.name = mover == 0 ? "3a" : mover == 1 ? "3b" : "3c";
        if (mover != NONE)
            r.lead[mover] = other_process(s, mover, s->home[0]);
    }
    for (int p = 0; p < s->processes; p++) {
        int both = s->has[0][p] && s->has[1][p];
        r.owner[p] = s->has[0][p] ? 0 : s->has[1][p] ? 1 : NONE;
        if (!both)
            continue;
        r.owner[p] = p == r.lead[0] && p != r.lead[1] ? 0 : 1;
        if (shared_home)
            continue;
        if (p == r.lead[0] || p == r.lead[1])
            r.name = "2";
        else if (strcmp(r.name, "0") == 0)
            r.name = "1";
    }
    return r;
}

/* ---- What a plan looks like ---- */

static spread spread_of(const team_t *t, const inter_plan *b, int a)
{
    spread s = {.processes = t->processes};
    for (int r = 0; r < t->size; r++)
        if (b->side[r] != NEITHER)
            s.has[b->side[r] ^ a][team_process_of(t, r)] = 1;
    s.home[0] = team_process_of(t, b->leader[a]);
    s.home[1] = team_process_of(t, b->leader[!a]);
    return s;
}

static int same_list(const int a[], int n, const int b[], int m)
{
    return n == m && (n == 0 || memcmp(a, b, (size_t)n * sizeof *a) == 0);
}

static int owned(const ruling *r, int processes, int owner, int list[])
{
    int n = 0;
    for (int p = 0; p < processes; p++)
        if (r->owner[p] == owner)
            list[n++] = p;
    return n;
}

/* Members of an MPI group as ranks of MPI_COMM_WORLD, ascending. Frees the group. */
static int members_of(MPI_Group *group, int list[])
{
    MPI_Group world;
    int n = 0, size, ranks[PROCESSES], got[PROCESSES];
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_size(*group, &size);
    size = size < PROCESSES ? size : PROCESSES;
    for (int i = 0; i < size; i++)
        ranks[i] = i;
    MPI_Group_translate_ranks(*group, size, ranks, world, got);
    for (int i = 0; i < size; i++) {
        int at = n++;
        for (; at > 0 && list[at - 1] > got[i]; at--)
            list[at] = list[at - 1];
        list[at] = got[i];
    }
    MPI_Group_free(&world);
    MPI_Group_free(group);
    return n;
}

static void expect_info(ep_comm inter, const char *key, const char *want)
{
    MPI_Info info = MPI_INFO_NULL;
    char value[64] = "";
    int flag = 0;
    if (!EXPECT_OK(ep_comm_get_info(inter, &info)))
        return;
    MPI_Info_get(info, (char *)(uintptr_t)key, 60, value, &flag);
    if (EXPECT(flag))
        EXPECT_STR(value, want);
    MPI_Info_free(&info);
}

/* The classic communicator's groups are the ruling's. */
static void expect_classic(const team_t *t, ep_comm inter, const ruling *r)
{
    MPI_Comm classic = MPI_COMM_NULL;
    MPI_Group group;
    int is_inter = -1, want[PROCESSES], got[PROCESSES], n, m, mine = r->owner[t->process];
    if (!EXPECT_OK(ep_comm_get_mpi_comm(inter, &classic)) || !EXPECT(classic != MPI_COMM_NULL))
        return;
    MPI_Comm_test_inter(classic, &is_inter);
    EXPECT_EQ(is_inter, strcmp(r->name, "3c") != 0);
    MPI_Comm_group(classic, &group);
    m = members_of(&group, got);
    n = owned(r, t->processes, mine, want);
    EXPECT(same_list(want, n, got, m));
    if (!is_inter)
        return;
    MPI_Comm_remote_group(classic, &group);
    m = members_of(&group, got);
    n = owned(r, t->processes, !mine, want);
    EXPECT(same_list(want, n, got, m));
}

/* One endpoint of each process uses it: a sum over the other side's processes. */
static void use_classic(const team_t *t, const inter_plan *b, const ruling *r)
{
    MPI_Comm classic = MPI_COMM_NULL;
    int first = t->rank, value = 1 << t->process, sum = -1, want = 0;
    for (int k = t->rank - t->index; k < t->rank; k++)
        if (b->side[k] != NEITHER)
            first = k;
    if (first != t->rank || !EXPECT_OK(ep_comm_get_mpi_comm(b->inter, &classic)))
        return;
    MPI_Barrier(classic);
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, classic);
    for (int p = 0; p < t->processes; p++)
        if (r->owner[p] != NONE && (r->owner[p] != r->owner[t->process]) == (strcmp(r->name, "3c") != 0))
            want |= 1 << p;
    EXPECT_EQ(sum, want);
}

/* ---- Printing ---- */

static char *listed(const int list[], int n, char *text, size_t room)
{
    int at = 0;
    text[0] = 0;
    for (int i = 0; i < n && (size_t)at + 8 < room; i++)
        at += snprintf(text + at, room - (size_t)at, i ? ",%d" : "%d", list[i]);
    return text;
}

static void print_line(const spread *s, const ruling *r)
{
    char text[4][40];
    for (int g = 0; g < 2; g++) {
        int has[PROCESSES], gets[PROCESSES], n = 0, m = owned(r, s->processes, g, gets);
        for (int p = 0; p < s->processes; p++)
            if (s->has[g][p])
                has[n++] = p;
        listed(has, n, text[g], sizeof text[g]);
        listed(gets, m, text[2 + g], sizeof text[2 + g]);
    }
    if (strcmp(r->name, "3c") == 0)
        memcpy(text[2], text[0], sizeof text[0]);
    printf("  %-4s  %-9s %-9s %d, %d     %-9s %-9s %d, %d\n", r->name, text[0], text[1], s->home[0],
           s->home[1], text[2], text[3], r->lead[0], r->lead[1]);
}

static void print_head(void)
{
    printf("  case  A has     B has     leaders  A gets    B gets    lead\n");
}

/* ---- All of them ---- */

/* State of the walk through all plans. */
typedef struct {
    team_t *t;
    ep_comm turned; /* the team backwards: peer ranks that have nothing to do with processes */
    int tried, printed;
    const char *seen[8];
    int kinds;
} walk;

/* The first of its kind gets the long treatment. */
static int is_new_kind(walk *w, const char *name)
{
    for (int i = 0; i < w->kinds; i++)
        if (strcmp(w->seen[i], name) == 0)
            return 0;
    w->seen[w->kinds++] = name;
    return 1;
}

static void long_treatment(team_t *t, inter_plan *b)
{
    ep_comm d = EP_COMM_NULL, m = EP_COMM_NULL;
    int merged[TRAFFIC_MAX], n = inter_merged(b, 1, merged);
    traffic(t, b->inter, inter_peers(b), TRAFFIC_LONG);
    if (EXPECT_OK(ep_comm_dup(b->inter, &d)) &&
        expect_members(t, d, b->ranks[b->mine], b->n[b->mine], inter_peers(b), b->n[!b->mine]))
        traffic(t, d, inter_peers(b), TRAFFIC_LONG);
    if (EXPECT_OK(ep_intercomm_merge(d, b->mine == 0, &m)) && expect_members(t, m, merged, n, NULL, 0))
        traffic(t, m, merged, TRAFFIC_LONG);
    EXPECT_OK(ep_comm_free(&d));
    EXPECT_OK(ep_comm_free(&m));
}

static void try_plan(walk *w, inter_plan *b)
{
    team_t *t = w->t;
    int a = b->peer_rank[b->leader[0]] > b->peer_rank[b->leader[1]]; /* the side that is A */
    spread s = spread_of(t, b, a);
    ruling r = rule(&s);
    char lead[40];
    int fresh = is_new_kind(w, r.name);
    w->tried++;
    if (fresh && t->rank == 0) {
        if (w->printed++ == 0)
            print_head();
        print_line(&s, &r);
    }
    if (inter_build(t, b)) {
        snprintf(lead, sizeof lead, "%d,%d", r.lead[0], r.lead[1]);
        expect_info(b->inter, "ep_intercomm_case", r.name);
        expect_info(b->inter, "ep_intercomm_leaders", lead);
        expect_classic(t, b->inter, &r);
        use_classic(t, b, &r);
        traffic(t, b->inter, inter_peers(b), TRAFFIC_SHORT);
        if (fresh)
            long_treatment(t, b);
    }
    inter_free(b);
}

/* Sides of the endpoints of a process, by what is in it: nobody, one group, the other, both in turn. */
static int side_in(int kind, int index, int local)
{
    if (kind == 3)
        return local < 2 ? 0 : index % 2;
    return kind == 0 ? NEITHER : kind - 1;
}

/* Lowest endpoint of a side in a process, or highest; NONE if it has none there. */
static int endpoint_in(const team_t *t, const int side[], int s, int process, int highest)
{
    int found = NONE;
    for (int r = 0; r < t->size; r++)
        if (side[r] == s && team_process_of(t, r) == process && (found == NONE || highest))
            found = r;
    return found;
}

/* Two plans for each spread and each pair of leading processes: each leader has the smaller peer rank once. */
static void with_leaders(walk *w, const int side[], int home0, int home1, int variant)
{
    team_t *t = w->t;
    inter_plan b;
    for (int turned = 0; turned < 2; turned++) {
        inter_set_sides(t, &b, side);
        b.leader[0] = endpoint_in(t, side, 0, home0, variant % 2);
        b.leader[1] = endpoint_in(t, side, 1, home1, variant / 2 % 2);
        if (b.leader[0] == NONE || b.leader[1] == NONE)
            return;
        for (int r = 0; r < t->size; r++) {
            b.key[r] = variant / 4 % 2 ? -r : r;
            if (turned)
                b.peer_rank[r] = t->size - 1 - r;
        }
        if (turned)
            b.peer = w->turned;
        try_plan(w, &b);
    }
}

static int power(int base, int n)
{
    return n ? base * power(base, n - 1) : 1;
}

/* One of 4^P spreads: what is in process p is its digit p. */
static void sides_of(const team_t *t, int number, int side[])
{
    for (int r = 0; r < t->size; r++) {
        int p = team_process_of(t, r), index = r;
        for (int q = 0; q < p; q++)
            index -= t->counts[q];
        side[r] = side_in(number / power(4, p) % 4, index, t->counts[p]);
    }
}

/* 4 kinds of process, P processes, P * P pairs of leaders: all of them, or every so manieth where they are too many. */
static void all_spreads(team_t *t, void *arg)
{
    walk w = {.t = t, .turned = EP_COMM_NULL};
    int pp = t->processes * t->processes, all = power(4, t->processes) * pp;
    int most = 800 / harness_slowness(), step = all > most ? all / most | 1 : 1;
    (void)arg;
    if (!EXPECT(t->processes <= PROCESSES) || !EXPECT_OK(ep_comm_split(t->comm, 0, -t->rank, &w.turned)))
        return;
    for (int plan = 0; plan < all; plan += step) {
        int side[TRAFFIC_MAX];
        sides_of(t, plan / pp, side);
        with_leaders(&w, side, plan % t->processes, plan / t->processes % t->processes,
                     (int)((unsigned)plan * 2654435761u >> 20));
    }
    if (t->rank == 0)
        printf("  %d plans\n", w.tried);
    EXPECT(w.tried > 0);
    EXPECT_OK(ep_comm_free(&w.turned));
}

/* Every case that the processes allow came up: a table with holes would prove nothing. */
static int possible(const team_t *t, const char *name)
{
    int populated = 0, shareable = 0;
    for (int p = 0; p < t->processes; p++) {
        populated += t->counts[p] > 0;
        shareable += t->counts[p] > 1;
    }
    switch (name[0]) {
    case '0':
        return populated > 1;
    case '1':
        return populated > 2 && shareable > 0;
    case '2':
        return populated > 1 && shareable > 0;
    default:
        return shareable > 0 && (name[1] == 'c' || populated > 1);
    }
}

static void rules_reach_every_case(team_t *t, void *arg)
{
    static const char *const names[] = {"0", "1", "2", "3a", "3b", "3c"};
    int pp = t->processes * t->processes, all = power(4, t->processes) * pp, seen[6] = {0};
    (void)arg;
    for (int plan = 0; plan < all; plan++) {
        int side[TRAFFIC_MAX];
        inter_plan b;
        sides_of(t, plan / pp, side);
        inter_set_sides(t, &b, side);
        b.leader[0] = endpoint_in(t, side, 0, plan % t->processes, 0);
        b.leader[1] = endpoint_in(t, side, 1, plan / t->processes % t->processes, 0);
        if (b.leader[0] == NONE || b.leader[1] == NONE)
            continue;
        spread s = spread_of(t, &b, b.leader[0] > b.leader[1]);
        ruling r = rule(&s);
        for (int i = 0; i < 6; i++)
            seen[i] |= strcmp(r.name, names[i]) == 0;
    }
    for (int i = 0; i < 6; i++)
        EXPECT_EQ(seen[i], possible(t, names[i]));
}

static const harness_test tests[] = {
    {"rules reach every case", rules_reach_every_case, NULL},
    {"all spreads", all_spreads, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "overlap", tests);
}
