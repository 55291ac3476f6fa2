/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers for buffered sends (MPI 3.6). */
#include "api/check.h"

int ep_buffer_attach(void *buffer, int size)
{
    struct where w = {view_of(EP_COMM_WORLD), "ep_buffer_attach"};
    if (size < EP_BSEND_OVERHEAD)
        return raise_error(w, MPI_ERR_BUFFER,
                           "argument size is %d: a buffer needs at least EP_BSEND_OVERHEAD (%d) bytes", size,
                           EP_BSEND_OVERHEAD);
    if (!buffer)
        return raise_error(w, MPI_ERR_BUFFER, "argument buffer is a null pointer");
    int rc = buffered_attach(buffer, (size_t)size);
    return rc == MPI_SUCCESS ? rc : raise_error(w, rc, "a buffer is attached already");
}

int ep_buffer_detach(void *buffer_addr, int *size)
{
    struct where w = {view_of(EP_COMM_WORLD), "ep_buffer_detach"};
    void *buffer;
    size_t bytes;
    int rc = check_pointer(w, buffer_addr, "buffer_addr");
    if (rc || (rc = check_pointer(w, size, "size")))
        return rc;
    buffered_detach(&buffer, &bytes);
    *(void **)buffer_addr = buffer;
    *size = (int)bytes;
    return MPI_SUCCESS;
}
