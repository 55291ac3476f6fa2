/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of each rank, all on one window within one lock_all: atomic sums, gets, puts and requests of
 * their own. */
#include "rma.h"

#include <pthread.h>

enum { THREADS = 3, ROUNDS = 40 };

static struct area a;

static void *work(void *arg)
{
    int me = *(int *)arg;
    long one = 1, old, mine, back;
    MPI_Request r;

    for (int i = 0; i < ROUNDS; i++) {
        int t = (a.rank + i + me) % a.size, place = 2 + a.rank * THREADS + me;

        CALL(MPI_Fetch_and_op(&one, &old, MPI_LONG, t, area_at(&a, t, 0), MPI_SUM, a.win));
        mine = 1000 * me + i;
        CALL(MPI_Rput(&mine, 1, MPI_LONG, t, area_at(&a, t, place), 1, MPI_LONG, a.win, &r));
        CALL(MPI_Wait(&r, MPI_STATUS_IGNORE));
        CALL(MPI_Win_flush(t, a.win));
        CHECK(old >= 0);
        CALL(MPI_Rget(&back, 1, MPI_LONG, t, area_at(&a, t, place), 1, MPI_LONG, a.win, &r));
        CALL(MPI_Wait(&r, MPI_STATUS_IGNORE));
        expect_int("got back", back, mine);
        CALL(MPI_Accumulate(&one, 1, MPI_LONG, t, area_at(&a, t, 0), 1, MPI_LONG, MPI_SUM, a.win));
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    int ids[THREADS];
    long sum;

    conform_init_thread(&argc, &argv, MPI_THREAD_MULTIPLE);
    for (int flavor = 0; flavor < FLAVORS; flavor++) {
        area_make(&a, flavor, 2 + THREADS * size_of(MPI_COMM_WORLD), 0, MPI_COMM_WORLD);
        CALL(MPI_Win_lock_all(0, a.win));
        for (int i = 0; i < THREADS; i++) {
            ids[i] = i;
            pthread_create(&threads[i], NULL, work, &ids[i]);
        }
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        CALL(MPI_Win_unlock_all(a.win));
        CALL(MPI_Barrier(a.comm));
        sum = area_read(&a, a.rank, 0);
        CALL(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_LONG, MPI_SUM, a.comm));
        expect_int("sum", sum, 2L * THREADS * ROUNDS * a.size);
        area_free(&a);
    }
    return conform_end(0);
}
