/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recalled.c: a wait for a cancelled send returns whatever its receiver does, and the message is received or cancelled, never both,
 * never neither. Meant for messages by MPI (EP_SHARED_MEMORY=0), where a large send otherwise waits for its receive.
 */
#include "pairs.h"
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_GO = 9, LARGE = 400000, SENDS = 12, ROUNDS = 6, TAGS = 3 };

/* In unstarted: endpoints that are not the main thread's. Below 0 before the main thread counts them. */
static atomic_int at_work;

static int cancel_and_wait(ep_request *r)
{
    int flag = -1;
    ep_status status;
    EXPECT_OK(ep_cancel(r));
    EXPECT_OK(ep_wait(r, &status));
    EXPECT_OK(ep_test_cancelled(&status, &flag));
    return flag;
}

/* Everything from `from` with this tag; the key of each, in order. */
static int receive_all(team_t *t, int from, int tag, unsigned char *buf, unsigned keys[])
{
    int n = 0, flag, count;
    for (;;) {
        ep_status status;
        EXPECT_OK(ep_iprobe(from, tag, t->comm, &flag, &status));
        if (!flag)
            return n;
        EXPECT_OK(ep_recv(buf, LARGE, MPI_BYTE, from, tag, t->comm, &status));
        EXPECT_OK(ep_get_count(&status, MPI_BYTE, &count));
        memcpy(&keys[n], buf, sizeof *keys);
        EXPECT_FILLED(buf + sizeof *keys, (size_t)count - sizeof *keys, keys[n]);
        n++;
    }
}

static void label(unsigned char *buf, int bytes, unsigned key)
{
    memcpy(buf, &key, sizeof key);
    fill(buf + sizeof key, (size_t)bytes - sizeof key, key);
}

/* The receiver is in a barrier till the sender has waited; then it takes what there is. */
static void pair_unreceived(team_t *t, int partner, void *arg)
{
    unsigned char *buf = arg;
    unsigned keys[SENDS];
    ep_request r[SENDS];
    int sends = t->rank < partner, mine[SENDS] = {0}, theirs[SENDS];
    if (sends) {
        for (int i = 0; i < SENDS; i++) {
            label(buf + (size_t)i * LARGE, LARGE - i, (unsigned)i);
            EXPECT_OK(
                ep_isend(buf + (size_t)i * LARGE, LARGE - i, MPI_BYTE, partner, i % TAGS, t->comm, &r[i]));
        }
        for (int i = SENDS - 1; i >= 0; i--)
            mine[i] = cancel_and_wait(&r[i]);
        EXPECT_OK(ep_send(mine, SENDS, MPI_INT, partner, TAG_GO, t->comm));
        return;
    }
    EXPECT_OK(ep_recv(theirs, SENDS, MPI_INT, partner, TAG_GO, t->comm, EP_STATUS_IGNORE));
    for (int tag = 0; tag < TAGS; tag++) {
        int n = receive_all(t, partner, tag, buf, keys), at = 0;
        for (int i = tag; i < SENDS; i += TAGS)
            if (!theirs[i])
                EXPECT(at < n && keys[at++] == (unsigned)i);
        EXPECT_EQ(at, n);
    }
}

static void unreceived(team_t *t, void *arg)
{
    unsigned char *buf = xmalloc((size_t)SENDS * LARGE);
    (void)arg;
    for_pairs(t, pair_unreceived, buf);
    free(buf);
}

/* All at once, persistent; started again afterwards. */
static void pair_persistent(team_t *t, int partner, void *arg)
{
    unsigned char *buf = arg;
    unsigned keys[2 * SENDS];
    ep_request r[4];
    ep_status status[4];
    int flag;
    if (t->rank > partner) {
        hear(t, partner, TAG_GO);
        receive_all(t, partner, 1, buf, keys);
        say(t, partner, TAG_GO);
        hear(t, partner, TAG_GO);
        receive_all(t, partner, 1, buf, keys);
        return;
    }
    for (int i = 0; i < 4; i++) {
        label(buf + (size_t)i * LARGE, LARGE, (unsigned)i);
        EXPECT_OK(ep_send_init(buf + (size_t)i * LARGE, LARGE, MPI_BYTE, partner, 1, t->comm, &r[i]));
    }
    for (int round = 0; round < 2; round++) {
        EXPECT_OK(ep_startall(4, r));
        for (int i = 0; i < 4; i++)
            EXPECT_OK(ep_cancel(&r[i]));
        EXPECT_OK(ep_waitall(4, r, status));
        for (int i = 0; i < 4; i++) {
            EXPECT_OK(ep_test_cancelled(&status[i], &flag));
            EXPECT(flag == 0 || flag == 1);
        }
        say(t, partner, TAG_GO);
        if (round == 0)
            hear(t, partner, TAG_GO);
    }
    for (int i = 0; i < 4; i++)
        EXPECT_OK(ep_request_free(&r[i]));
}

static void persistent(team_t *t, void *arg)
{
    unsigned char *buf = xmalloc((size_t)SENDS * LARGE);
    (void)arg;
    for_pairs(t, pair_persistent, buf);
    free(buf);
}

/* Cancels race with receives. */
static void pair_race(team_t *t, int partner, void *arg)
{
    unsigned char *buf = arg;
    static const int sizes[] = {8, 1000, 5000, 70000, LARGE};
    if (t->rank < partner) {
        ep_request r[SENDS];
        int cancelled[SENDS] = {0};
        for (int i = 0; i < SENDS; i++) {
            int bytes = sizes[random_below(&t->random, 5)];
            label(buf + (size_t)i * LARGE, bytes, (unsigned)i);
            EXPECT_OK((random_below(&t->random, 6) ? ep_isend : ep_issend)(
                buf + (size_t)i * LARGE, bytes, MPI_BYTE, partner, 1, t->comm, &r[i]));
            int which = random_below(&t->random, i + 1);
            if (random_below(&t->random, 2))
                EXPECT_OK(ep_cancel(&r[which]));
        }
        ep_status status[SENDS];
        say(t, partner, TAG_GO);
        EXPECT_OK(ep_waitall(SENDS, r, status));
        for (int i = 0; i < SENDS; i++)
            EXPECT_OK(ep_test_cancelled(&status[i], &cancelled[i]));
        EXPECT_OK(ep_send(cancelled, SENDS, MPI_INT, partner, TAG_GO, t->comm));
        return;
    }
    int last = -1, seen[SENDS] = {0}, cancelled[SENDS], over = 0;
    unsigned keys[SENDS];
    ep_request end;
    hear(t, partner, TAG_GO);
    EXPECT_OK(ep_irecv(cancelled, SENDS, MPI_INT, partner, TAG_GO, t->comm, &end));
    for (int more = 1; more;) {
        more = !over;
        if (!over)
            EXPECT_OK(ep_test(&end, &over, EP_STATUS_IGNORE));
        int n = receive_all(t, partner, 1, buf, keys);
        for (int i = 0; i < n; i++) {
            EXPECT((int)keys[i] > last);
            last = (int)keys[i];
            seen[keys[i]]++;
        }
    }
    for (int i = 0; i < SENDS; i++)
        EXPECT_EQ(seen[i], !cancelled[i]);
}

static void race(team_t *t, void *arg)
{
    unsigned char *buf = xmalloc((size_t)SENDS * LARGE);
    (void)arg;
    for (int i = 0; i < ROUNDS; i++)
        for_pairs(t, pair_race, buf);
    free(buf);
}

static void pair_unstarted(team_t *t, int partner, unsigned char *buf)
{
    static const int sizes[] = {8, 5000, 70000, LARGE};
    unsigned char *got = xmalloc(LARGE);
    ep_request r[SENDS];
    for (int i = 0; i < SENDS; i++) {
        int bytes = sizes[i % 4];
        label(buf + (size_t)i * LARGE, bytes, (unsigned)i);
        EXPECT_OK((i % 2 ? ep_issend : ep_isend)(buf + (size_t)i * LARGE, bytes, MPI_BYTE, partner, 1, t->comm,
                                                 &r[i]));
    }
    for (int i = 0; i < SENDS; i++)
        if (i % 3)
            EXPECT_EQ(cancel_and_wait(&r[5 * i % SENDS]), 1);
    atomic_fetch_sub(&at_work, 1);
    for (unsigned i = 0; i < SENDS; i += 3) {
        unsigned key = SENDS;
        EXPECT_OK(ep_recv(got, LARGE, MPI_BYTE, partner, 1, t->comm, EP_STATUS_IGNORE));
        memcpy(&key, got, sizeof key);
        EXPECT_EQ(key, i);
    }
    EXPECT_OK(ep_waitall(SENDS, r, EP_STATUSES_IGNORE));
    free(got);
}

/* With MPI_THREAD_FUNNELED no send by MPI leaves before the main thread looks, which it does not here: those of others are
 * taken back, synchronous ones, too, and those between them stay and keep their order. */
static void unstarted(team_t *t, void *arg)
{
    unsigned char *buf = xmalloc((size_t)SENDS * LARGE);
    int level;
    (void)arg;
    MPI_Query_thread(&level);
    if (level == MPI_THREAD_FUNNELED && t->index == 0) {
        atomic_fetch_add(&at_work, t->local - 1);
        while (atomic_load(&at_work))
            sched_yield();
    } else if (level == MPI_THREAD_FUNNELED) {
        pair_unstarted(t, pair_of(t, PAIR_HALF), buf);
    }
    team_barrier(t);
    free(buf);
}

/* Nobody ever receives them, and the communicator goes. */
static void left_over(team_t *t, void *arg)
{
    ep_comm all = t->comm, copy;
    unsigned char *buf = xmalloc(LARGE);
    ep_request r;
    (void)arg;
    EXPECT_OK(ep_comm_dup(all, &copy));
    fill(buf, LARGE, 1);
    EXPECT_OK(ep_isend(buf, LARGE, MPI_BYTE, (t->rank + t->size / 2) % t->size, 1, copy, &r));
    cancel_and_wait(&r);
    EXPECT_OK(ep_barrier(copy));
    EXPECT_OK(ep_comm_free(&copy));
    free(buf);
    EXPECT_OK(ep_barrier(all));
}

int main(int argc, char **argv)
{
    static const harness_test tests[] = {{"unreceived", unreceived, NULL},
                                         {"persistent", persistent, NULL},
                                         {"race", race, NULL},
                                         {"unstarted", unstarted, NULL},
                                         {"left_over", left_over, NULL}};
    return HARNESS_MAIN(argc, argv, "recalled", tests);
}
