/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffered sends (MPI 3.6). */
#ifndef EP_P2P_BUFFERED_H
#define EP_P2P_BUFFERED_H

#include "p2p/send.h"

/* Attach a buffer to the thread's endpoint, or to the thread if it is not bound. MPI_ERR_BUFFER if there is
 * one. */
int buffered_attach(void *buffer, size_t size);
/* Wait until everything in it is delivered; NULL and 0 if there was none. */
void buffered_detach(void **buffer, size_t *size);

/* The endpoint goes: its buffer becomes the calling thread's, to be detached there; if that has one, wait
 * as detach does. */
void buffered_orphan(struct endpoint *endpoint);

/* Copy s's data into the buffer and send from there. MPI_ERR_BUFFER without room. */
int buffered_send(const struct send *s);

#endif
