/* SPDX-License-Identifier: BSD-3-Clause */
/* Carrying out what other processes ask for, and taking in their answers. In a poll, under the poll lock: one thread of
 * the process at a time; nothing here waits, or takes the lock of a port. */
#ifndef EP_RMA_SERVE_H
#define EP_RMA_SERVE_H

#include "rma/mail.h"

/* A message from process `source` of the universe, with what is behind its head. False: there was no memory for the answer,
 * and nothing was done; try again. */
bool serve_am(struct mail *m, int source, const struct am *am, const unsigned char *data);

/* One that is an answer. */
void serve_answer(const struct am *am, const unsigned char *data);

#endif
