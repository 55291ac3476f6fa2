/* SPDX-License-Identifier: BSD-3-Clause */
/* first.c: the first call of ep makes a communicator of MPI_COMM_SELF. If MPI has none left, that is ep's error, not one for the user's
 * handler of MPI_COMM_SELF, which stays as it was. */
#include <ep.h>
#include <stdbool.h>
#include <stdio.h>

static bool fails;
static int handled, failed;

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made)
{
    if (!fails || comm != MPI_COMM_SELF)
        return PMPI_Comm_split(comm, color, key, made);
    *made = MPI_COMM_NULL;
    PMPI_Comm_call_errhandler(comm, MPI_ERR_INTERN); /* as MPI does */
    return MPI_ERR_INTERN;
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

int main(int argc, char **argv)
{
    int provided;
    ep_comm two[2];
    MPI_Errhandler users;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_create_errhandler(handle, &users);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, users);
    ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN);
    fails = true;
    expect(ep_comm_create_endpoints(MPI_COMM_WORLD, 2, MPI_INFO_NULL, two) != MPI_SUCCESS, "endpoints without MPI's communicators");
    expect(handled == 0, "the user's handler was called");
    fails = false;
    expect(ep_comm_create_endpoints(MPI_COMM_WORLD, 2, MPI_INFO_NULL, two) == MPI_SUCCESS, "no endpoints");
    for (int i = 0; i < 2; i++)
        ep_comm_free(&two[i]);
    MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_OTHER);
    expect(handled == 1, "MPI_COMM_SELF has lost the user's handler");
    MPI_Errhandler_free(&users);
    MPI_Finalize();
    return failed;
}
