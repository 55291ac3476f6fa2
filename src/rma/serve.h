/* SPDX-License-Identifier: BSD-3-Clause */
/* Carrying out what other processes ask for, and taking in their answers: handlers of active messages (net/am.h). */
#ifndef EP_RMA_SERVE_H
#define EP_RMA_SERVE_H

#include "rma/am.h"

/* Before the first window. */
void serve_begin(void);

/* Answers (answer.c, lock_request.c). */
net_am_handler answer_ack, answer_data, answer_bulk_done, answer_grant;
/* AM_LOCK (lock_request.c). */
net_am_handler serve_lock;

/* The endpoint that a message is for. */
ep_win serve_target(const struct am *am);

#endif
