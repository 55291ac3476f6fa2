/* SPDX-License-Identifier: BSD-3-Clause */
/* EP_CHAOS: random yields at the places where another thread could get in between. */
#ifndef EP_BASE_CHAOS_H
#define EP_BASE_CHAOS_H

#include "base/atomics.h"
#include "base/settings.h"

void chaos_yield(void);
/* Each thread has its own sequence. */
uint64_t chaos_random(void);

#define chaos_point() (unlikely(settings.chaos) ? chaos_yield() : (void)0)

#endif
