/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * across_cancel.c: when sends to other processes are complete, and sends that are taken back.
 *
 * Catches: synchronous sends that end before they are received, cancelled ones that are received after all or lost together
 * with the next, waits after a cancel that need the receiver, a crash where a cancel meets who pushes the send or takes it.
 */
#include "across.h"

enum { TAG = 1, TAG_GO = 2, TAG_END = 3, LARGE = 200000, CROWD = 3000, STRIKES = 400 };

static MPI_Comm still; /* of all processes */
static int shared;

static int is_done(ep_request *r)
{
    int flag = 0;
    for (int i = 0; i < 20 && !flag; i++)
        EXPECT_OK(ep_test(r, &flag, EP_STATUS_IGNORE));
    return flag;
}

static int cancelled(ep_request *r)
{
    ep_status status;
    int flag = -1;
    EXPECT_OK(ep_wait(r, &status));
    EXPECT_OK(ep_test_cancelled(&status, &flag));
    return flag;
}

/* ---- complete when received ---- */

static void pair_late(team_t *t, int partner, void *arg)
{
    static const int sizes[] = {0, 24, 1000, 5000, 65536, LARGE};
    char *out = xmalloc(LARGE), *in = xmalloc(LARGE);
    ep_request sends[12];
    int lent = shared && !team_near(t, partner); /* near the receiver may copy for itself while it waits */
    (void)arg;
    fill(out, LARGE, (unsigned)t->rank);
    for (int i = 0; i < 12; i++)
        EXPECT_OK(
            (i < 6 ? ep_issend : ep_isend)(out, sizes[i % 6], MPI_BYTE, partner, TAG, t->comm, &sends[i]));
    say(t, partner, TAG_GO);
    hear(t, partner, TAG_GO); /* all is there, nothing received */
    for (int i = 0; i < 12; i++) {
        if (i < 6 || (lent && sizes[i % 6] > 65536))
            EXPECT(!is_done(&sends[i]));
        else if (lent && across_setting("EP_EAGER", 65536) >= 65536)
            EXPECT(is_done(&sends[i]));
    }
    say(t, partner, TAG_GO);
    hear(t, partner, TAG_GO);
    for (int i = 0; i < 12; i++) {
        EXPECT_OK(ep_recv(in, LARGE, MPI_BYTE, partner, TAG, t->comm, EP_STATUS_IGNORE));
        EXPECT_FILLED(in, (size_t)sizes[i % 6], (unsigned)partner);
    }
    EXPECT_OK(ep_waitall(12, sends, EP_STATUSES_IGNORE));
    free(in);
    free(out);
}

static void late(team_t *t, void *arg)
{
    for_pairs(t, pair_late, arg);
}

static void complete_when_received(void)
{
    shared = across_by_memory();
    team_run(late, NULL);
}

/* ---- nobody receives meanwhile ---- */

/* Many numbered sends, of which most stay at home; every so often three that are cancelled, one of them persistent. */
static void crowd(team_t *t, int to, int number[], char *big, ep_request sends[], ep_request *again)
{
    ep_request taken[3];
    for (int i = 0; i < CROWD; i++) {
        number[i] = i;
        EXPECT_OK(ep_isend(&number[i], 1, MPI_INT, to, TAG, t->comm, &sends[i]));
        if (i % 500 != 499)
            continue;
        EXPECT_OK(ep_issend(big, 1, MPI_INT, to, TAG, t->comm, &taken[0]));
        EXPECT_OK(ep_isend(big, LARGE, MPI_BYTE, to, TAG, t->comm, &taken[1]));
        EXPECT_OK(ep_start(again));
        taken[2] = *again;
        int first = i / 500 % 3; /* from the end of those at home, and not */
        for (int k = 0; k < 3; k++)
            EXPECT_OK(ep_cancel(&taken[(first + k) % 3]));
        for (int k = 0; k < 3; k++)
            EXPECT_EQ(cancelled(&taken[k]), 1);
    }
    memset(big, 'x', LARGE); /* nobody reads it any more */
}

static void receive_crowd(team_t *t, int from)
{
    int value;
    ep_status status;
    for (int i = 0; i <= CROWD; i++) {
        EXPECT_OK(ep_recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, TAG, t->comm, &status));
        EXPECT_EQ(status.MPI_SOURCE, from);
        if (!EXPECT_EQ(value, i))
            break;
    }
}

static void at_home(team_t *t, void *arg)
{
    int last = t->size - 1, *number = xmalloc((CROWD + 1) * sizeof *number);
    char *big = xmalloc(LARGE);
    ep_request *sends = xmalloc((CROWD + 1) * sizeof *sends);
    (void)arg;
    memset(big, 'b', LARGE);
    if (t->rank == 0)
        EXPECT_OK(ep_ssend_init(&number[CROWD], 1, MPI_INT, last, TAG, t->comm, &sends[CROWD]));
    for (int round = 0; round < 2; round++) {
        still_barrier(t, still);
        if (t->rank == 0)
            crowd(t, last, number, big, sends, &sends[CROWD]);
        still_barrier(t, still);
        if (t->rank == 0) {
            number[CROWD] = CROWD;
            EXPECT_OK(ep_start(&sends[CROWD])); /* cancelled many times, and now it comes */
            EXPECT_OK(ep_waitall(CROWD + 1, sends, EP_STATUSES_IGNORE));
        } else if (t->rank == last) {
            receive_crowd(t, 0);
        }
        team_barrier(t);
    }
    if (t->rank == 0)
        EXPECT_OK(ep_request_free(&sends[CROWD]));
    free(sends);
    free(big);
    free(number);
}

static void cancel_at_home(void)
{
    if (!across_by_memory()) /* MPI takes nothing back without the receiver */
        return;
    MPI_Comm_dup(MPI_COMM_WORLD, &still);
    team_run(at_home, NULL);
    MPI_Comm_free(&still);
}

/* ---- somebody receives meanwhile ---- */

/* Each round is received or cancelled, never both, never neither; and the receiver sees the same. */
static void strike(team_t *t, int to, char *buf, int strikes)
{
    int *taken = xmalloc((size_t)strikes * sizeof *taken);
    ep_request r;
    for (int i = 0; i < strikes; i++) {
        int length = 4 + (i % 3 ? random_below(&t->random, 100) : random_below(&t->random, LARGE - 4));
        memcpy(buf, &i, sizeof i);
        EXPECT_OK((i % 5 ? ep_issend : ep_isend)(buf, length, MPI_BYTE, to, TAG, t->comm, &r));
        for (int k = random_below(&t->random, 200); k > 0; k--)
            __asm__ volatile("" ::: "memory");
        if (i % 4 == 3)
            is_done(&r);
        if (r != EP_REQUEST_NULL)
            EXPECT_OK(ep_cancel(&r));
        taken[i] = r != EP_REQUEST_NULL && cancelled(&r) == 1;
    }
    EXPECT_OK(ep_send(taken, strikes, MPI_INT, to, TAG_END, t->comm));
    free(taken);
}

/* Many at once: while the first are cancelled others are pushed from home. */
static void volley(team_t *t, int to, int strikes)
{
    int *taken = xmalloc((size_t)strikes * sizeof *taken),
        *number = xmalloc((size_t)strikes * sizeof *number);
    ep_request *r = xmalloc((size_t)strikes * sizeof *r);
    for (int i = 0; i < strikes; i++) {
        number[i] = i;
        EXPECT_OK((i % 50 ? ep_isend : ep_issend)(&number[i], 1, MPI_INT, to, TAG, t->comm, &r[i]));
    }
    for (int i = strikes - 1; i >= 0; i--)
        EXPECT_OK(ep_cancel(&r[i]));
    for (int i = 0; i < strikes; i++)
        taken[i] = cancelled(&r[i]);
    EXPECT_OK(ep_send(taken, strikes, MPI_INT, to, TAG_END, t->comm));
    free(r);
    free(number);
    free(taken);
}

/* What came before the end is here. */
static void receive_rest(team_t *t, int from, char *buf, int seen[])
{
    int number, flag;
    for (;;) {
        EXPECT_OK(ep_iprobe(from, TAG, t->comm, &flag, EP_STATUS_IGNORE));
        if (!flag)
            return;
        EXPECT_OK(ep_recv(buf, LARGE, MPI_BYTE, from, TAG, t->comm, EP_STATUS_IGNORE));
        memcpy(&number, buf, sizeof number);
        seen[number]++;
    }
}

static void endure(team_t *t, int from, char *buf, int strikes)
{
    int *taken = xmalloc((size_t)strikes * sizeof *taken);
    int *seen = calloc((size_t)strikes, sizeof *seen), number, flag = 0;
    ep_request end, r;
    ep_message message;
    ep_status status;
    EXPECT_OK(ep_irecv(taken, strikes, MPI_INT, from, TAG_END, t->comm, &end));
    while (!flag) {
        EXPECT_OK(ep_improbe(from, TAG, t->comm, &flag, &message, &status));
        if (flag && random_below(&t->random, 2)) {
            EXPECT_OK(ep_mrecv(buf, LARGE, MPI_BYTE, &message, &status));
        } else if (flag) {
            EXPECT_OK(ep_imrecv(buf, LARGE, MPI_BYTE, &message, &r));
            EXPECT_OK(ep_wait(&r, &status));
        } else {
            EXPECT_OK(ep_test(&end, &flag, EP_STATUS_IGNORE));
            continue;
        }
        flag = 0;
        memcpy(&number, buf, sizeof number);
        if (EXPECT(number >= 0 && number < strikes))
            seen[number]++;
    }
    receive_rest(t, from, buf, seen);
    for (int i = 0; i < strikes; i++)
        if (!EXPECT_EQ(seen[i], !taken[i]))
            break;
    free(seen);
    free(taken);
}

/* The same with receives that wait posted. */
static void endure_posted(team_t *t, int from, char *buf, int strikes)
{
    int *taken = xmalloc((size_t)strikes * sizeof *taken);
    int *seen = calloc((size_t)strikes, sizeof *seen), number, which = 1, flag;
    ep_request r[2] = {EP_REQUEST_NULL, EP_REQUEST_NULL};
    ep_status status;
    EXPECT_OK(ep_irecv(taken, strikes, MPI_INT, from, TAG_END, t->comm, &r[0]));
    for (;;) {
        if (r[1] == EP_REQUEST_NULL)
            EXPECT_OK(ep_irecv(buf, LARGE, MPI_BYTE, MPI_ANY_SOURCE, TAG, t->comm, &r[1]));
        if (!EXPECT_OK(ep_waitany(2, r, &which, &status)) || which != 1)
            break;
        memcpy(&number, buf, sizeof number);
        if (EXPECT(number >= 0 && number < strikes))
            seen[number]++;
    }
    EXPECT_OK(ep_cancel(&r[1]));
    EXPECT_OK(ep_wait(&r[1], &status));
    EXPECT_OK(ep_test_cancelled(&status, &flag));
    if (!flag) {
        memcpy(&number, buf, sizeof number);
        seen[number]++;
    }
    receive_rest(t, from, buf, seen);
    for (int i = 0; i < strikes; i++)
        if (!EXPECT_EQ(seen[i], !taken[i]))
            break;
    free(seen);
    free(taken);
}

static void pair_race(team_t *t, int partner, void *arg)
{
    char *buf = xmalloc(LARGE);
    (void)arg;
    int strikes = STRIKES / harness_slowness(), many = CROWD / harness_slowness();
    for (int turn = 0; turn < 6; turn++) {
        int n = turn < 4 ? strikes : many;
        if ((turn % 2 == 0) != (t->rank < partner))
            (turn < 2 ? endure : endure_posted)(t, partner, buf, n);
        else if (turn < 4)
            strike(t, partner, buf, n);
        else
            volley(t, partner, n);
    }
    free(buf);
}

static void race(team_t *t, void *arg)
{
    for_pairs(t, pair_race, arg);
}

/* What a matching probe has taken cannot be taken back. */
static void pair_matched(team_t *t, int partner, void *arg)
{
    static const int sizes[] = {0, 100, 5000, LARGE};
    char *buf = xmalloc(LARGE);
    ep_message message;
    ep_request r;
    ep_status status;
    (void)arg;
    for (int i = 0; i < 8; i++) {
        if ((i < 4) == (t->rank < partner)) {
            fill(buf, LARGE, (unsigned)i);
            EXPECT_OK(ep_issend(buf, sizes[i % 4], MPI_BYTE, partner, TAG, t->comm, &r));
            hear(t, partner, TAG_GO);
            EXPECT_OK(ep_cancel(&r));
            EXPECT_EQ(cancelled(&r), 0);
        } else {
            int count = -1;
            EXPECT_OK(ep_mprobe(MPI_ANY_SOURCE, TAG, t->comm, &message, &status));
            EXPECT_EQ(status.MPI_SOURCE, partner);
            EXPECT_OK(ep_get_count(&status, MPI_BYTE, &count));
            EXPECT_EQ(count, sizes[i % 4]);
            say(t, partner, TAG_GO);
            EXPECT_OK(ep_imrecv(buf, LARGE, MPI_BYTE, &message, &r));
            EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
            EXPECT_FILLED(buf, (size_t)sizes[i % 4], (unsigned)i);
        }
    }
    free(buf);
}

static void matched(team_t *t, void *arg)
{
    for_pairs(t, pair_matched, arg);
}

static const harness_test tests[] = {
    {"complete when received", NULL, complete_when_received},
    {"at home", NULL, cancel_at_home},
    {"race", race, NULL},
    {"matched", matched, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "across_cancel", tests);
}
