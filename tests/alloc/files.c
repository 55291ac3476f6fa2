/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory runs out while files are opened and used. */
#include "trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 500, BYTES = 8 };

static char name[64];

static int file_open_at(struct trial *x, ep_file *fh)
{
    return ep_file_open(x->comm, name, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE,
                        MPI_INFO_NULL, fh);
}

static void close_it(struct trial *x, ep_file *fh)
{
    trial_quiet(x);
    wrong_if(x, ep_file_close(fh) != MPI_SUCCESS, "the file cannot be closed");
}

static int opening(struct trial *x)
{
    ep_file fh;
    int rc = MPI_SUCCESS;
    note(x, &rc, file_open_at(x, &fh));
    if (rc == MPI_SUCCESS)
        close_it(x, &fh);
    return rc;
}

/* Blocks of BYTES, of which each endpoint has every size-th; by its own means, or together with the others. */
static int accesses(struct trial *x, int all_of_us)
{
    MPI_Datatype block, type;
    ep_file fh = EP_FILE_NULL;
    char mine[N * BYTES], got[N * BYTES];
    int rc = MPI_SUCCESS, made;
    trial_quiet(x);
    wrong_if(x, file_open_at(x, &fh) != MPI_SUCCESS, "no file");
    MPI_Type_contiguous(BYTES, MPI_CHAR, &block);
    MPI_Type_create_resized(block, 0, (MPI_Aint)(BYTES * x->size), &type);
    MPI_Type_commit(&type);
    memset(mine, 'a' + x->rank % 26, sizeof mine);
    trial_arm(x);
    made = ep_file_set_view(fh, BYTES * x->rank, MPI_CHAR, type, "native", MPI_INFO_NULL);
    note(x, &rc, made);
    if (made == MPI_SUCCESS) {
        note(x, &rc,
             all_of_us ? ep_file_write_at_all(fh, 0, mine, sizeof mine, MPI_CHAR, EP_STATUS_IGNORE)
                       : ep_file_write_at(fh, 0, mine, sizeof mine, MPI_CHAR, EP_STATUS_IGNORE));
        int wrote = rc;
        int read = all_of_us ? ep_file_read_at_all(fh, 0, got, sizeof got, MPI_CHAR, EP_STATUS_IGNORE)
                             : ep_file_read_at(fh, 0, got, sizeof got, MPI_CHAR, EP_STATUS_IGNORE);
        note(x, &rc, read);
        wrong_if(x, !wrote && !read && memcmp(mine, got, sizeof mine) != 0, "what was read is wrong");
    }
    close_it(x, &fh);
    MPI_Type_free(&block);
    MPI_Type_free(&type);
    return rc;
}

static int alone(struct trial *x)
{
    return accesses(x, 0);
}

static int together(struct trial *x)
{
    return accesses(x, 1);
}

static const struct scenario list[] = {{.name = "file open", .run = opening, .agrees = true},
                                       {.name = "file view and access", .run = alone},
                                       {.name = "file view and collective access", .run = together}};

static void all(void)
{
    int number = (int)getpid();
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    snprintf(name, sizeof name, "/tmp/ep_alloc_%d", number);
    TRIALS(list);
}

static const harness_test tests[] = {{"files", NULL, all}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "alloc files", tests);
}
