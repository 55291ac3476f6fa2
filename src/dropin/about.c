/* SPDX-License-Identifier: BSD-3-Clause */
/* What MPI this is (MPI 8.1), where the rank comes from, profiling control (MPI 14.2.4), the tool
 * interface. */
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

/*
 * Starting and ending the tool interface (MPI 14.3.4). There is one for all ranks of the process. MPI counts
 * how often it is started, but not every library does so when several threads come at a time. So it is
 * started once, for all, with the highest thread level, and goes on until the process ends.
 */
static struct lock tool_lock = LOCK_FREE(TOOL);
static bool tool_started; /* under tool_lock */
static int tool_level;    /* constant once started */

int ep_PMPI_T_init_thread(int required, int *provided)
{
    (void)required;
    lock_acquire(&tool_lock);
    int rc = tool_started ? MPI_SUCCESS : MPI_T_init_thread(MPI_THREAD_MULTIPLE, &tool_level);
    tool_started = rc == MPI_SUCCESS;
    lock_release(&tool_lock);
    if (rc == MPI_SUCCESS && provided)
        *provided = tool_level;
    return rc;
}

int ep_PMPI_T_finalize(void)
{
    lock_acquire(&tool_lock);
    int rc = tool_started ? MPI_SUCCESS : MPI_T_ERR_NOT_INITIALIZED;
    lock_release(&tool_lock);
    return rc;
}
