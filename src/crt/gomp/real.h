/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libgomp's entry points behind ours. Ours are found first (libraries of the user come before -lgomp); the real
 * ones are what dlsym(RTLD_NEXT) finds. One that libgomp lacks is NULL.
 *
 * real.def lists them.
 */
#ifndef EP_CRT_REAL_H
#define EP_CRT_REAL_H

#include "base/base.h"

struct real {
#define OURS(result, name, parameters) result(*name) parameters;
#define USED OURS
#include "crt/gomp/real.def"
#undef USED
#undef OURS
};

/* Prototypes of ours: exported, and in no header of the user's. */
#pragma GCC visibility push(default)
#define OURS(result, name, parameters) result name parameters;
#define USED(result, name, parameters)
#include "crt/gomp/real.def"
#undef USED
#undef OURS
#pragma GCC visibility pop

extern struct real real_table;
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
