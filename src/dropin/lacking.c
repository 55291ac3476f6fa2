/* SPDX-License-Identifier: BSD-3-Clause */
/* What a call of something that ep does not have does in a program that was linked with epcc --missing=run. */
#include "dropin/dropin.h"

#include "api/api.h"

int ep_lacking(const char *call)
{
    return raise_error((struct where){thread_world(), call}, MPI_ERR_UNSUPPORTED_OPERATION,
                       "ep does not have this");
}
