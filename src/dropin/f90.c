/* SPDX-License-Identifier: BSD-3-Clause */
/* Types by precision and range (MPI 17.1.9), which all ranks of the process share. Open MPI 4.1 keeps those that it has made in
 * tables without a lock, and gives a type its number without one when that is first asked for: two at a time make two. */
#include <ep_calls.h>
#include <pthread.h>

#include "dropin/passed.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

MPI_Fint passed_type_number(MPI_Datatype type)
{
    pthread_mutex_lock(&lock);
    MPI_Fint number = MPI_Type_c2f(type);
    pthread_mutex_unlock(&lock);
    return number;
}

#define UNDER_LOCK(name, parameters, ...)                                                                    \
    int ep_P##name parameters                                                                                \
    {                                                                                                        \
        struct where w = {thread_world(), #name};                                                            \
        int rc = check_pointer(w, newtype, "newtype");                                                       \
        if (rc)                                                                                              \
            return rc;                                                                                       \
        pthread_mutex_lock(&lock);                                                                           \
        rc = name(__VA_ARGS__);                                                                              \
        if (rc == MPI_SUCCESS)                                                                               \
            MPI_Type_c2f(*newtype); /* before others know it */                                              \
        pthread_mutex_unlock(&lock);                                                                         \
        return passed(w, rc);                                                                                \
    }
UNDER_LOCK(MPI_Type_create_f90_real, (int p, int r, MPI_Datatype *newtype), p, r, newtype)
UNDER_LOCK(MPI_Type_create_f90_complex, (int p, int r, MPI_Datatype *newtype), p, r, newtype)
UNDER_LOCK(MPI_Type_create_f90_integer, (int r, MPI_Datatype *newtype), r, newtype)
