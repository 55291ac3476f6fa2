/* SPDX-License-Identifier: BSD-3-Clause */
/* Module ep: what completes a task, whose status is written later; buffers of buffered sends. */
#include "fortran/native/native.h"

static ep_status *status_later(MPI_Fint *status)
{
    return status_is_ignored(status) ? EP_STATUS_IGNORE : (ep_status *)(void *)status;
}

void ep_iwait_f08_(MPI_Fint *request, MPI_Fint *status, MPI_Fint *ierror)
{
    ep_request request_c = request_f2c(*request);
    int rc = ep_iwait(&request_c, status_later(status));
    request_gone(request, request_c);
    ierror_set(ierror, rc);
}

void ep_iwait_event_f08_(MPI_Fint *request, MPI_Fint *status, const uintptr_t *event, MPI_Fint *ierror)
{
    ep_request request_c = request_f2c(*request);
    int rc = ep_iwait_event(&request_c, status_later(status), *event);
    request_gone(request, request_c);
    ierror_set(ierror, rc);
}

void ep_iwaitall_f08_(const MPI_Fint *count, MPI_Fint requests[], MPI_Fint *statuses, MPI_Fint *ierror)
{
    ep_request few[FEW_HANDLES];
    void *array;
    int rc = array_take(EP_COMM_NULL, "ep_iwaitall", &array, few, *count, sizeof *few);
    ep_request *all = array;
    if (rc == MPI_SUCCESS) {
        for (int i = 0; i < *count; i++)
            all[i] = request_f2c(requests[i]);
        rc = ep_iwaitall(*count, all, status_later(statuses));
        for (int i = 0; i < *count; i++)
            request_gone(&requests[i], all[i]);
    }
    array_drop(array, few);
    ierror_set(ierror, rc);
}

void ep_buffer_detach_f08_(void **buffer_addr, MPI_Fint *size, MPI_Fint *ierror)
{
    ierror_set(ierror, ep_buffer_detach(buffer_addr, size));
}
