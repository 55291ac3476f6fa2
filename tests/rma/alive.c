/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alive.c: processes that are busy with windows still do what others wait for (MPI 11.7.3). The watchdog ends what hangs.
 *
 * Catches: calls on near memory that make no progress, so that loops of them never see what others put there; messages
 * that nobody looks for while others stream; windows that a failed operation keeps, or handles of those that are gone.
 */
#include "share.h"
#include <stdatomic.h>

/* ---- Loops of calls that wait for nobody ---- */

/* The first word of the memory becomes 1 one day, the second stays. */
typedef struct {
    ep_win win;
    ep_group self;
    int rank, other; /* the one who puts the 1 */
    MPI_Aint second;
    long got;
} loop;

static void get(loop *l)
{
    EXPECT_OK(ep_get(&l->got, 1, MPI_LONG, l->rank, l->second, 1, MPI_LONG, l->win));
}

static void lock(loop *l)
{
    EXPECT_OK(ep_win_lock(MPI_LOCK_SHARED, l->rank, 0, l->win));
    get(l);
    EXPECT_OK(ep_win_unlock(l->rank, l->win));
}

static void lock_nobody(loop *l)
{
    EXPECT_OK(ep_win_lock(MPI_LOCK_SHARED, MPI_PROC_NULL, 0, l->win));
    EXPECT_OK(ep_win_unlock(MPI_PROC_NULL, l->win));
}

static void lock_unchecked(loop *l)
{
    EXPECT_OK(ep_win_lock(MPI_LOCK_SHARED, l->other, MPI_MODE_NOCHECK, l->win));
    EXPECT_OK(ep_win_unlock(l->other, l->win));
}

static void lock_all(loop *l)
{
    EXPECT_OK(ep_win_lock_all(0, l->win));
    get(l);
    EXPECT_OK(ep_win_unlock_all(l->win));
}

static void fence(loop *l)
{
    EXPECT_OK(ep_win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED, l->win));
}

static void with_oneself(loop *l)
{
    EXPECT_OK(ep_win_post(l->self, 0, l->win));
    EXPECT_OK(ep_win_start(l->self, 0, l->win));
    get(l);
    EXPECT_OK(ep_win_complete(l->win));
    EXPECT_OK(ep_win_wait(l->win));
}

static void sync_memory(loop *l)
{
    EXPECT_OK(ep_win_sync(l->win));
}

static void wait_for_get(loop *l)
{
    ep_request r;
    EXPECT_OK(ep_rget(&l->got, 1, MPI_LONG, l->rank, l->second, 1, MPI_LONG, l->win, &r));
    EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
}

static void test_get(loop *l)
{
    ep_request r;
    int flag = 0;
    EXPECT_OK(ep_rget(&l->got, 1, MPI_LONG, l->rank, l->second, 1, MPI_LONG, l->win, &r));
    while (!flag && EXPECT_OK(ep_test(&r, &flag, EP_STATUS_IGNORE))) {
    }
}

static void flush_far(loop *l)
{
    EXPECT_OK(ep_win_flush(l->other, l->win));
}

static void flush_own(loop *l)
{
    get(l);
    EXPECT_OK(ep_win_flush_local(l->rank, l->win));
}

static void flush_all(loop *l)
{
    EXPECT_OK(ep_win_flush_local_all(l->win));
}

static const struct {
    void (*turn)(loop *l);
    int in_epoch; /* of lock_all */
} loops[] = {{lock, 0},         {lock_nobody, 0}, {lock_unchecked, 0}, {lock_all, 0},     {fence, 0},
             {with_oneself, 0}, {sync_memory, 0}, {sync_memory, 1},    {wait_for_get, 1}, {test_get, 1},
             {flush_far, 1},    {flush_own, 1},   {flush_all, 1}};

/* Nobody else of the process is in a call that waits. */
static void turn_until_told(const share *a, loop l, int i)
{
    _Atomic long *told = (_Atomic long *)a->base;
    if (loops[i].in_epoch)
        EXPECT_OK(ep_win_lock_all(0, l.win));
    EXPECT_OK(ep_send(&i, 1, MPI_INT, l.other, 1, a->comm));
    while (!atomic_load(told))
        loops[i].turn(&l);
    if (loops[i].in_epoch)
        EXPECT_OK(ep_win_unlock_all(l.win));
    EXPECT_EQ(atomic_load(told), 1);
    EXPECT_EQ(l.got, 0);
    atomic_store(told, 0);
}

static void tell_all(const share *a, int i)
{
    const long one = 1;
    int got;
    for (int r = 0; r < a->rank; r++) {
        EXPECT_OK(ep_recv(&got, 1, MPI_INT, r, 1, a->comm, EP_STATUS_IGNORE));
        EXPECT_EQ(got, i);
    }
    for (int r = 0; r < a->rank; r++) {
        EXPECT_OK(ep_win_lock(MPI_LOCK_SHARED, r, 0, a->win));
        EXPECT_OK(ep_accumulate(&one, 1, MPI_LONG, r, share_at(a, r, 0), 1, MPI_LONG, MPI_REPLACE, a->win));
        EXPECT_OK(ep_win_unlock(r, a->win));
    }
}

static void busy(team_t *t, void *arg)
{
    int last = t->size - 1;
    (void)arg;
    for (int kind = CREATED; kind <= ALLOCATED; kind++) {
        share a;
        ep_group all, self;
        if (!share_make(&a, t->comm, kind, 2 * sizeof(long)))
            return;
        EXPECT_OK(ep_comm_group(t->comm, &all));
        EXPECT_OK(ep_group_incl(all, 1, &t->rank, &self));
        loop l = {
            .win = a.win, .self = self, .rank = t->rank, .other = last, .second = share_at(&a, t->rank, 8)};
        for (int i = 0; i < (int)(sizeof loops / sizeof loops[0]); i++) {
            if (t->rank == last)
                tell_all(&a, i);
            else
                turn_until_told(&a, l, i);
            EXPECT_OK(ep_barrier(t->comm));
        }
        EXPECT_OK(ep_group_free(&self));
        EXPECT_OK(ep_group_free(&all));
        share_free(&a);
    }
}

/* ---- Messages ---- */

enum { PING = 1, PONG = 2, STOP = 3, WORDS = 256 };

/* Add to memory of rank 0 until it says stop: it takes longer to add than to send, so there is always more to do. */
static void stream(team_t *t, const share *a)
{
    MPI_Aint there = share_at(a, 0, (size_t)t->rank * WORDS * sizeof(long));
    long one[WORDS], sum[WORDS], n = 0;
    for (int i = 0; i < WORDS; i++)
        one[i] = 1;
    for (int stop = 0; !stop; n += 16) {
        for (int i = 0; i < 16; i++)
            EXPECT_OK(ep_accumulate(one, WORDS, MPI_LONG, 0, there, WORDS, MPI_LONG, MPI_SUM, a->win));
        EXPECT_OK(ep_iprobe(0, STOP, t->comm, &stop, EP_STATUS_IGNORE));
    }
    EXPECT_OK(ep_recv(NULL, 0, MPI_INT, 0, STOP, t->comm, EP_STATUS_IGNORE));
    EXPECT_OK(ep_win_flush(0, a->win));
    EXPECT_OK(ep_get(sum, WORDS, MPI_LONG, 0, there, WORDS, MPI_LONG, a->win));
    EXPECT_OK(ep_win_flush(0, a->win));
    for (int i = 0; i < WORDS; i++)
        EXPECT_EQ(sum[i], n);
}

/* Two talk, while all others keep one of them busy until it tells them to stop. */
static void streams(team_t *t, void *arg)
{
    int n = times(t, 20), last = t->size - 1, got;
    share a;
    (void)arg;
    if (!share_make(&a, t->comm, CREATED, (size_t)t->size * WORDS * sizeof(long)))
        return;
    EXPECT_OK(ep_win_lock_all(0, a.win));
    EXPECT_OK(ep_barrier(t->comm));
    if (t->rank > 0 && t->rank < last)
        stream(t, &a);
    for (int i = 0; i < n && t->rank == last; i++) {
        EXPECT_OK(ep_sendrecv(&i, 1, MPI_INT, 0, PING, &got, 1, MPI_INT, 0, PONG, t->comm, EP_STATUS_IGNORE));
        EXPECT_EQ(got, i);
    }
    for (int i = 0; i < n && t->rank == 0; i++) {
        EXPECT_OK(ep_recv(&got, 1, MPI_INT, last, PING, t->comm, EP_STATUS_IGNORE));
        EXPECT_OK(ep_send(&got, 1, MPI_INT, last, PONG, t->comm));
    }
    for (int r = 1; r < last && t->rank == 0; r++)
        EXPECT_OK(ep_send(NULL, 0, MPI_INT, r, STOP, t->comm));
    EXPECT_OK(ep_win_unlock_all(a.win));
    share_free(&a);
}

/* ---- Errors ---- */

/* An operation fails at the target after its call has returned: freeing says so, and the window is gone. */
static void freed(team_t *t, void *arg)
{
    int other = (t->rank + t->local) % t->size, far = !team_near(t, other);
    char stranger[8] = "far off", own[8] = "nothing";
    MPI_Aint mine, there = 0;
    ep_win win;
    (void)arg;
    for (int i = 0; i < 2; i++) {
        EXPECT_OK(ep_win_create_dynamic(MPI_INFO_NULL, t->comm, &win));
        EXPECT_OK(ep_win_set_errhandler(win, EP_ERRORS_RETURN));
        EXPECT_OK(MPI_Get_address(stranger, &mine));
        EXPECT_OK(ep_sendrecv(&mine, 1, MPI_AINT, (t->rank + t->size - t->local) % t->size, 1, &there, 1,
                              MPI_AINT, other, 1, t->comm, EP_STATUS_IGNORE));
        EXPECT_OK(ep_win_fence(0, win));
        EXPECT_RC(ep_put(own, 8, MPI_CHAR, other, there, 8, MPI_CHAR, win),
                  far ? MPI_SUCCESS : MPI_ERR_RMA_ATTACH);
        EXPECT_RC(ep_win_free(&win), far ? MPI_ERR_RMA_ATTACH : MPI_SUCCESS);
        EXPECT(win == EP_WIN_NULL);
        EXPECT_STR(stranger, "far off");
    }
}

static const harness_test tests[] = {
    {"busy", busy, NULL},
    {"streams", streams, NULL},
    {"freed", freed, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "rma alive", tests);
}
