/* SPDX-License-Identifier: BSD-3-Clause */
/* The progress function that waiting threads call (crt_set_poll). */
#ifndef EP_CRT_POLL_H
#define EP_CRT_POLL_H

#include <stdbool.h>

bool poll_is_set(void);
/* True if the poll function achieved something. */
bool poll_call(void);

#endif
