/* SPDX-License-Identifier: BSD-3-Clause */
/* Plain loads and stores of windows. */
#ifndef EP_RMA_MOVE_H
#define EP_RMA_MOVE_H

#include <string.h>

#include "base/base.h"

/*
 * Put promises nothing about concurrent accesses, but people wait for a flag that somebody puts: elements of 4 and 8 bytes
 * are loaded and stored at once where they are aligned.
 */
static inline void move_bytes(void *to, const void *from, size_t n)
{
    uintptr_t both = (uintptr_t)to | (uintptr_t)from | n;
    if (n == 8 && both % 8 == 0)
        store_relaxed((_Atomic uint64_t *)to, load_relaxed((const _Atomic uint64_t *)from));
    else if (n == 4 && both % 4 == 0)
        store_relaxed((_Atomic uint32_t *)to, load_relaxed((const _Atomic uint32_t *)from));
    else
        memmove(to, from, n); /* origin and target may overlap */
}

#endif
