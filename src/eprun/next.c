/* SPDX-License-Identifier: BSD-3-Clause */
#include "eprun/next.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "eprun/eprun.h"

void *next_function(void **cache, const char *name)
{
    void *function = __atomic_load_n(cache, __ATOMIC_ACQUIRE);
    if (!function) {
        function = dlsym(RTLD_NEXT, name);
        __atomic_store_n(cache, function, __ATOMIC_RELEASE);
    }
    if (!function) {
        message("the C library has no %s", name);
        abort();
    }
    return function;
}

void *next_dlopen(const char *file, int flags)
{
    return NEXT(dlopen)(file, flags);
}
