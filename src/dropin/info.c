/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of hints that are longer than the caller's room are cut (MPI 9); MPICH calls them an error. */
#include <ep_calls.h>

#include <string.h>

#include "api/api.h"
#include "dropin/passed.h"

static int get_cut(MPI_Info info, const char *key, int valuelen, char *value, int *flag, int length)
{
    char whole[MPI_MAX_INFO_VAL + 1];
    int rc = MPI_Info_get(info, key, length, whole, flag);
    if (rc || !*flag)
        return rc;
    memcpy(value, whole, (size_t)valuelen);
    value[valuelen] = '\0';
    return MPI_SUCCESS;
}

int ep_PMPI_Info_get(MPI_Info info, const char *key, int valuelen, char *value, int *flag)
{
    struct where w = {thread_world(), "MPI_Info_get"};
    int length = 0, is_set = 0;
    int rc = passed_info(w, info, "info", false);
    if (rc || (rc = check_pointer(w, key, "key")) || (rc = check_pointer(w, value, "value")) ||
        (rc = check_pointer(w, flag, "flag")))
        return rc;
    rc = MPI_Info_get_valuelen(info, key, &length, &is_set);
    if (rc == MPI_SUCCESS && is_set && valuelen >= 0 && valuelen < length)
        return passed(w, get_cut(info, key, valuelen, value, flag, length));
    return passed(w, rc ? rc : MPI_Info_get(info, key, valuelen, value, flag));
}
