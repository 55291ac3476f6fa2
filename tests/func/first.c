/* SPDX-License-Identifier: BSD-3-Clause */
/* first.c: ep makes communicators of the user's: of MPI_COMM_SELF in its first call, and of the parent of endpoints. If MPI has none left, or
 * another of ep's calls on it fails, that is ep's error, not one for the user's handler in MPI, which stays as it was. */
#include <ep.h>
#include <stdbool.h>
#include <stdio.h>

static MPI_Comm watched;
static int calls, fails_at; /* of the calls on watched the one that fails */
static int handled, failed;

/* As MPI does. */
static bool fails(MPI_Comm comm)
{
    if (comm != watched || ++calls != fails_at)
        return false;
    PMPI_Comm_call_errhandler(comm, MPI_ERR_INTERN);
    return true;
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made)
{
    *made = MPI_COMM_NULL;
    return fails(comm) ? MPI_ERR_INTERN : PMPI_Comm_split(comm, color, key, made);
}

int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return fails(comm) ? MPI_ERR_INTERN : PMPI_Allreduce(in, out, count, type, op, comm);
}

int MPI_Bcast(void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    return fails(comm) ? MPI_ERR_INTERN : PMPI_Bcast(buf, count, type, root, comm);
}

int MPI_Comm_set_attr(MPI_Comm comm, int key, void *value)
{
    return fails(comm) ? MPI_ERR_INTERN : PMPI_Comm_set_attr(comm, key, value);
}

static void handle(MPI_Comm *comm, int *rc, ...)
{
    (void)comm, (void)rc;
    handled++;
}

static void expect(bool is, const char *what)
{
    if (is)
        return;
    printf("not as it should be: %s\n", what);
    failed = 1;
}

/* True if there is an n-th call on comm that can fail: with MPI_ERRORS_ARE_FATAL the job would end there. */
static bool refuse(MPI_Comm comm, int n)
{
    ep_comm two[2];
    watched = comm;
    calls = 0;
    fails_at = n;
    int rc = ep_comm_create_endpoints(MPI_COMM_WORLD, 2, MPI_INFO_NULL, two);
    expect(handled == 0, "the user's handler was called");
    expect(rc == MPI_SUCCESS || (rc == MPI_ERR_INTERN && calls >= n), "another error");
    expect(rc != MPI_SUCCESS || n > 1, "endpoints without MPI's communicators");
    for (int i = 0; i < 2 && rc == MPI_SUCCESS; i++)
        ep_comm_free(&two[i]);
    return calls >= n;
}

int main(int argc, char **argv)
{
    int provided, n = 1;
    MPI_Errhandler users, found;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_create_errhandler(handle, &users);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, users);
    ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN);
    refuse(MPI_COMM_SELF, 1);
    refuse(MPI_COMM_SELF, 2); /* the attribute whose end is MPI's */
    refuse(MPI_COMM_WORLD, 1);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &found);
    expect(found == MPI_ERRORS_ARE_FATAL, "MPI_COMM_WORLD has lost its handler");
    MPI_Errhandler_free(&found);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, users);
    while (refuse(MPI_COMM_WORLD, n))
        n++;
    MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_OTHER);
    MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
    expect(handled == 2, "MPI_COMM_SELF or MPI_COMM_WORLD has lost the user's handler");
    MPI_Errhandler_free(&users);
    MPI_Finalize();
    return failed;
}
