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

static const struct scenario list[] = {
    {.name = "win create", .run = create, .agrees = true},
    {.name = "win allocate", .run = allocate, .agrees = true},
    {.name = "win allocate shared", .run = allocate_shared, .agrees = true, .also = MPI_ERR_RMA_SHARED},
    {.name = "win create dynamic", .run = dynamic, .agrees = true}};

static void all(void)
{
    TRIALS(list);
}

static const harness_test tests[] = {{"windows", NULL, all}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "alloc windows", tests);
}
