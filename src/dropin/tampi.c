/* SPDX-License-Identifier: BSD-3-Clause */
/* What TAMPI.h asks and sets; its communication is made of ep_ixxx and ep_iwait. */
#include <TAMPI.h>

#include "api/api.h"

static int tampi_answer(const char *call, const char *argument, int *result, int value)
{
    int rc = check_pointer((struct where){thread_world(), call}, result, argument);
    if (rc == MPI_SUCCESS)
        *result = value;
    return rc;
}

static int tampi_wrong(const char *call, int property, const char *why)
{
    return raise_error((struct where){thread_world(), call}, MPI_ERR_ARG, "argument property is %d: %s",
                       property, why);
}

int TAMPI_Init(int required, int *provided)
{
    const char *call = "TAMPI_Init";
    if (required < MPI_THREAD_SINGLE || required > MPI_TASK_MULTIPLE)
        return raise_error((struct where){thread_world(), call}, MPI_ERR_ARG,
                           "argument required is %d: no thread level", required);
    return tampi_answer(call, "provided", provided,
                        required == MPI_TASK_MULTIPLE && !mode_is_task() ? MPI_THREAD_MULTIPLE : required);
}

int TAMPI_Finalize(void)
{
    return MPI_SUCCESS;
}

int TAMPI_Property_get(int property, int *value)
{
    const char *call = "TAMPI_Property_get";
    switch (property) {
    case TAMPI_PROPERTY_BLOCKING_MODE:
    case TAMPI_PROPERTY_NONBLOCKING_MODE:
        return tampi_answer(call, "value", value, mode_is_task());
    case TAMPI_PROPERTY_THREAD_TASKAWARENESS:
        return tampi_answer(call, "value", value, mode_is_task() && crt_get_task_aware());
    default:
        return tampi_wrong(call, property, "no property");
    }
}

int TAMPI_Property_set(int property, int value)
{
    const char *call = "TAMPI_Property_set";
    if (property == TAMPI_PROPERTY_BLOCKING_MODE || property == TAMPI_PROPERTY_NONBLOCKING_MODE)
        return tampi_wrong(call, property,
                           "it is decided before MPI starts (MPI_TASK_MULTIPLE, OMP_EXTERNAL)");
    if (property != TAMPI_PROPERTY_THREAD_TASKAWARENESS)
        return tampi_wrong(call, property, "no property");
    crt_set_task_aware(value);
    return MPI_SUCCESS;
}

int TAMPI_Blocking_enabled(int *flag)
{
    return tampi_answer("TAMPI_Blocking_enabled", "flag", flag, mode_is_task());
}

int TAMPI_Nonblocking_enabled(int *flag)
{
    return tampi_answer("TAMPI_Nonblocking_enabled", "flag", flag, mode_is_task());
}
