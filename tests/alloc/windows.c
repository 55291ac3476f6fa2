/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory runs out while windows are made and used. */
#include "trial.h"

#include <stdlib.h>

enum { N = 64 };

static int at_end(struct trial *x, int rc, ep_win *win)
{
    if (rc == MPI_SUCCESS) {
        int got = ep_win_free(win);
        wrong_if(x, got != MPI_SUCCESS, "the window cannot be freed");
    }
    return rc;
}

static int create(struct trial *x)
{
    static _Thread_local long memory[N];
    ep_win win;
    int rc = MPI_SUCCESS;
    note(x, &rc, ep_win_create(memory, sizeof memory, sizeof(long), MPI_INFO_NULL, x->comm, &win));
    return at_end(x, rc, &win);
}

static int allocate(struct trial *x)
{
    long *memory;
    ep_win win;
    int rc = MPI_SUCCESS;
    note(x, &rc, ep_win_allocate(N * sizeof(long), sizeof(long), MPI_INFO_NULL, x->comm, &memory, &win));
    return at_end(x, rc, &win);
}

static int allocate_shared(struct trial *x)
{
    long *memory;
    ep_win win;
    int rc = MPI_SUCCESS;
    note(x, &rc, ep_win_allocate_shared(N * sizeof(long), sizeof(long), MPI_INFO_NULL, x->comm, &memory, &win));
    return at_end(x, rc, &win);
}

static int dynamic(struct trial *x)
{
    ep_win win;
    int rc = MPI_SUCCESS;
    note(x, &rc, ep_win_create_dynamic(MPI_INFO_NULL, x->comm, &win));
    return at_end(x, rc, &win);
}

/* ---- what is done with one ---- */

struct use {
    struct trial *x;
    ep_win win;
    long *memory;
    int rc;
};

/* Made with memory; what follows is the scenario. */
static struct use begin(struct trial *x, size_t n)
{
    struct use u = {.x = x};
    trial_quiet(x);
    wrong_if(x,
             ep_win_allocate((MPI_Aint)(n * sizeof(long)), sizeof(long), MPI_INFO_NULL, x->comm, &u.memory, &u.win) !=
                 MPI_SUCCESS,
             "no window");
    ep_win_set_errhandler(u.win, EP_ERRORS_RETURN);
    for (size_t i = 0; i < n; i++)
        u.memory[i] = 0;
    ep_barrier(x->comm);
    trial_arm(x);
    return u;
}

static int end(struct use *u)
{
    trial_quiet(u->x);
    at_end(u->x, MPI_SUCCESS, &u->win);
    return u->rc;
}

/* A call that failed is made again, with memory. */
static bool ok(struct use *u, int got)
{
    note(u->x, &u->rc, got);
    return got == MPI_SUCCESS;
}

#define TWICE(u, call)                                                                                       \
    do {                                                                                                     \
        if (!ok(u, call))                                                                                    \
            wrong_if((u)->x, (call) != MPI_SUCCESS, #call);                                                  \
    } while (0)

static int fence(struct trial *x)
{
    enum { M = 3000 };
    struct use u = begin(x, 2 * M);
    int to = (x->rank + 1) % x->size, from = (x->rank + x->size - 1) % x->size;
    long *out = xmalloc(M * sizeof *out);
    for (int i = 0; i < M; i++)
        out[i] = x->rank + 1;
    TWICE(&u, ep_win_fence(0, u.win));
    TWICE(&u, ep_put(out, M, MPI_LONG, to, 0, M, MPI_LONG, u.win));
    TWICE(&u, ep_win_fence(0, u.win));
    for (int i = 0; i < M; i++)
        if (u.memory[i] != from + 1) {
            wrong_if(x, true, "what was put is wrong");
            break;
        }
    free(out);
    return end(&u);
}

/* Blocks of a datatype, there and back. */
static int typed(struct trial *x)
{
    enum { M = 500 };
    struct use u = begin(x, 2 * M);
    int to = (x->rank + 1) % x->size;
    long *out = xmalloc(2 * M * sizeof *out), *in = xmalloc(2 * M * sizeof *in);
    MPI_Datatype type;
    MPI_Type_vector(M, 1, 2, MPI_LONG, &type);
    MPI_Type_commit(&type);
    for (int i = 0; i < 2 * M; i++) {
        out[i] = 1000 * x->rank + i;
        in[i] = -1;
    }
    TWICE(&u, ep_win_lock(MPI_LOCK_EXCLUSIVE, to, 0, u.win));
    TWICE(&u, ep_put(out, 1, type, to, 0, 1, type, u.win));
    TWICE(&u, ep_win_flush(to, u.win));
    TWICE(&u, ep_get(in, 1, type, to, 0, 1, type, u.win));
    TWICE(&u, ep_win_unlock(to, u.win));
    for (int i = 0; i < 2 * M - 1; i++)
        if (in[i] != (i % 2 ? -1 : 1000L * x->rank + i)) {
            wrong_if(x, true, "what came back is wrong");
            break;
        }
    MPI_Type_free(&type);
    free(out);
    free(in);
    return end(&u);
}

static int atomics(struct trial *x)
{
    struct use u = begin(x, N);
    long one = 1, got = -1, sums[20], zero = 0;
    int to = (x->rank + 1) % x->size;
    for (int i = 0; i < 20; i++)
        sums[i] = i;
    TWICE(&u, ep_win_lock(MPI_LOCK_SHARED, to, 0, u.win));
    TWICE(&u, ep_accumulate(sums, 20, MPI_LONG, to, 10, 20, MPI_LONG, MPI_SUM, u.win));
    TWICE(&u, ep_fetch_and_op(&one, &got, MPI_LONG, to, 0, MPI_SUM, u.win));
    TWICE(&u, ep_win_flush(to, u.win));
    wrong_if(x, got != 0, "a fetch and op is wrong");
    TWICE(&u, ep_compare_and_swap(&zero, &one, &got, MPI_LONG, to, 0, u.win));
    TWICE(&u, ep_win_unlock(to, u.win));
    wrong_if(x, got != 1, "a compare and swap is wrong");
    trial_quiet(x);
    for (int i = 0; i < 20; i++)
        wrong_if(x, u.memory[10 + i] != i, "an accumulate is wrong");
    return end(&u);
}

static int requests(struct trial *x)
{
    enum { M = 20000 };
    struct use u = begin(x, M);
    int to = (x->rank + 1) % x->size;
    long *out = xmalloc(M * sizeof *out), *in = xmalloc(M * sizeof *in);
    ep_request r = EP_REQUEST_NULL;
    for (int i = 0; i < M; i++)
        out[i] = 7L * x->rank + i;
    TWICE(&u, ep_win_lock_all(0, u.win));
    TWICE(&u, ep_rput(out, M, MPI_LONG, to, 0, M, MPI_LONG, u.win, &r));
    TWICE(&u, ep_wait(&r, EP_STATUS_IGNORE));
    TWICE(&u, ep_win_flush_all(u.win));
    TWICE(&u, ep_rget(in, M, MPI_LONG, to, 0, M, MPI_LONG, u.win, &r));
    TWICE(&u, ep_wait(&r, EP_STATUS_IGNORE));
    TWICE(&u, ep_win_unlock_all(u.win));
    for (int i = 0; i < M; i++)
        if (in[i] != out[i]) {
            wrong_if(x, true, "what came back is wrong");
            break;
        }
    free(out);
    free(in);
    return end(&u);
}

static int post_and_start(struct trial *x)
{
    struct use u = begin(x, N);
    int to = (x->rank + 1) % x->size, from = (x->rank + x->size - 1) % x->size;
    long one = x->rank + 1;
    ep_group all, target, origin;
    trial_quiet(x);
    wrong_if(x, ep_comm_group(x->comm, &all) != MPI_SUCCESS, "no group");
    ep_group_incl(all, 1, &to, &target);
    ep_group_incl(all, 1, &from, &origin);
    trial_arm(x);
    TWICE(&u, ep_win_post(origin, 0, u.win));
    TWICE(&u, ep_win_start(target, 0, u.win));
    TWICE(&u, ep_put(&one, 1, MPI_LONG, to, 0, 1, MPI_LONG, u.win));
    TWICE(&u, ep_win_complete(u.win));
    TWICE(&u, ep_win_wait(u.win));
    wrong_if(x, u.memory[0] != from + 1, "what was put is wrong");
    ep_group_free(&all);
    ep_group_free(&target);
    ep_group_free(&origin);
    return end(&u);
}

static int attach(struct trial *x)
{
    enum { REGIONS = 40 };
    static _Thread_local long memory[2 * REGIONS];
    ep_win win;
    struct use u = {.x = x};
    trial_quiet(x);
    wrong_if(x, ep_win_create_dynamic(MPI_INFO_NULL, x->comm, &win) != MPI_SUCCESS, "no window");
    ep_win_set_errhandler(win, EP_ERRORS_RETURN);
    trial_arm(x);
    for (int i = 0; i < REGIONS; i++)
        TWICE(&u, ep_win_attach(win, &memory[2 * i], sizeof memory[0]));
    for (int i = 0; i < REGIONS; i++)
        TWICE(&u, ep_win_detach(win, &memory[2 * i]));
    u.win = win;
    return end(&u);
}

static const struct scenario list[] = {
    {.name = "win create", .run = create, .agrees = true},
    {.name = "win allocate", .run = allocate, .agrees = true},
    {.name = "win allocate shared", .run = allocate_shared, .agrees = true, .also = MPI_ERR_RMA_SHARED},
    {.name = "win create dynamic", .run = dynamic, .agrees = true},
    {.name = "fence and put", .run = fence},
    {.name = "scattered put and get", .run = typed},
    {.name = "atomics", .run = atomics},
    {.name = "requests", .run = requests},
    {.name = "post and start", .run = post_and_start},
    {.name = "attach", .run = attach}};

static void all(void)
{
    TRIALS(list);
}

static const harness_test tests[] = {{"windows", NULL, all}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "alloc windows", tests);
}
