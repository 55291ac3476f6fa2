/* SPDX-License-Identifier: BSD-3-Clause */
/* Types by precision and range (MPI 17.2.5). Open MPI 4.1 keeps those that it has made in tables without a
 * lock. */
#include <ep_calls.h>
#include <pthread.h>

#include "dropin/passed.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int ep_PMPI_Type_create_f90_real(int p, int r, MPI_Datatype *newtype)
{
    struct where w = {thread_world(), "MPI_Type_create_f90_real"};
    int rc = check_pointer(w, newtype, "newtype");
    if (rc)
        return rc;
    pthread_mutex_lock(&lock);
    rc = MPI_Type_create_f90_real(p, r, newtype);
    pthread_mutex_unlock(&lock);
    return passed(w, rc);
}

int ep_PMPI_Type_create_f90_complex(int p, int r, MPI_Datatype *newtype)
{
    struct where w = {thread_world(), "MPI_Type_create_f90_complex"};
    int rc = check_pointer(w, newtype, "newtype");
    if (rc)
        return rc;
    pthread_mutex_lock(&lock);
    rc = MPI_Type_create_f90_complex(p, r, newtype);
    pthread_mutex_unlock(&lock);
    return passed(w, rc);
}

int ep_PMPI_Type_create_f90_integer(int r, MPI_Datatype *newtype)
{
    struct where w = {thread_world(), "MPI_Type_create_f90_integer"};
    int rc = check_pointer(w, newtype, "newtype");
    if (rc)
        return rc;
    pthread_mutex_lock(&lock);
    rc = MPI_Type_create_f90_integer(r, newtype);
    pthread_mutex_unlock(&lock);
    return passed(w, rc);
}
