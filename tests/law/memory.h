/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.h: how large this process is. Under sanitizers, whose malloc keeps what is freed, always 0. */
#ifndef EP_LAW_MEMORY_H
#define EP_LAW_MEMORY_H

long memory_allocated(void); /* bytes that malloc has given out */
long memory_resident(void);  /* bytes of physical memory */

#endif
