/* SPDX-License-Identifier: BSD-3-Clause */
/* What MPI this is (MPI 8.1), where the rank comes from, profiling control (MPI 14.2.4). */
#include <ep_calls.h>
#include <stdio.h>
#include <string.h>

#include "api/api.h"

int ep_PMPI_Get_version(int *version, int *subversion)
{
    struct where w = {thread_world(), "MPI_Get_version"};
    int rc = check_pointer(w, version, "version");
    if (rc || (rc = check_pointer(w, subversion, "subversion")))
        return rc;
    *version = 3;
    *subversion = 1;
    return MPI_SUCCESS;
}

int ep_PMPI_Get_library_version(char *version, int *resultlen)
{
    struct where w = {thread_world(), "MPI_Get_library_version"};
    int rc = check_pointer(w, version, "version"), length = 0;
    if (rc || (rc = check_pointer(w, resultlen, "resultlen")) || !version) /* the last for gcc, which warns */
        return rc;
    char below[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Get_library_version(below, &length);
    snprintf(version, MPI_MAX_LIBRARY_VERSION_STRING, "ep %d.%d.%d (MPI endpoints) over ", EP_VERSION_MAJOR,
             EP_VERSION_MINOR, EP_VERSION_PATCH);
    size_t used = strlen(version);
    snprintf(version + used, MPI_MAX_LIBRARY_VERSION_STRING - used, "%s", below);
    *resultlen = (int)strlen(version);
    return MPI_SUCCESS;
}

/* No rank is spawned. */
int ep_PMPI_Comm_get_parent(ep_comm *parent)
{
    int rc = check_pointer((struct where){thread_world(), "MPI_Comm_get_parent"}, parent, "parent");
    if (rc == MPI_SUCCESS)
        *parent = EP_COMM_NULL;
    return rc;
}

/* No profiler listens here; one that is part of the program defines MPI_Pcontrol itself. */
int ep_PMPI_Pcontrol(const int level, ...)
{
    (void)level;
    return MPI_SUCCESS;
}

int ep_MPI_Pcontrol(const int level, ...)
{
    return ep_PMPI_Pcontrol(level);
}
