/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libgomp's entry points behind ours. Ours are found first (libraries of the user come before -lgomp); the real
 * ones are what dlsym(RTLD_NEXT) finds. One that libgomp lacks is NULL.
 *
 * entries.txt lists them; entries.h, made from it, has struct real and the prototypes of ours, which are in no header of
 * the user's.
 */
#ifndef EP_CRT_GOMP_REAL_H
#define EP_CRT_GOMP_REAL_H

#include "base/base.h"
#include "crt/gomp/entries.h"

extern struct real real_table;
extern const char *const real_names[REAL_FUNCTIONS];
extern _Atomic bool real_loaded; /* release real_load, acquire real_function */

void real_load(void);

/* Also right in constructors that run before ours. */
static inline const struct real *real_function(void)
{
    if (unlikely(!load_acquire(&real_loaded)))
        real_load();
    return &real_table;
}

/* Are our entry points the ones that the program calls? Else task mode cannot work. */
bool real_ours_first(void);

#endif
