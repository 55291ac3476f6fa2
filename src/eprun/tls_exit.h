/* SPDX-License-Identifier: BSD-3-Clause */
/* Destructors of the calling thread's thread_local objects. */
#ifndef EP_EPRUN_TLS_EXIT_H
#define EP_EPRUN_TLS_EXIT_H

/* Call those that are still to be called. */
void tls_exit_run(void);

#endif
