/* SPDX-License-Identifier: BSD-3-Clause */
#include "crt/gomp/real.h"

#include <dlfcn.h>

struct real real_table;
_Atomic bool real_loaded; /* release real_load, acquire real_function */

/* The next library with libgomp's functions: libgomp, or libomp. There may be none: the linker leaves libgomp out (--as-needed)
 * where all that a program calls of it is ours, and programs load plug-ins that need it. Called from entry points
 * only, so somebody wants it. */
static void *next_library(void)
{
    return dlsym(RTLD_NEXT, "GOMP_parallel") ? RTLD_NEXT : dlopen("libgomp.so.1", RTLD_LAZY);
}

void real_load(void)
{
    static struct lock loading = LOCK_FREE(LOADING);
    /* A pointer to an object is stored as one to a function: ISO C has no cast for that. */
    union {
        struct real functions;
        void *addresses[REAL_FUNCTIONS];
    } found;
    _Static_assert(sizeof found.functions == sizeof found.addresses, "struct real is a table");
    void *from = next_library();
    for (int i = 0; i < REAL_FUNCTIONS; i++)
        found.addresses[i] = from ? dlsym(from, real_names[i]) : NULL;
    lock_acquire(&loading);
    if (!load_relaxed(&real_loaded))
        real_table = found.functions;
    store_release(&real_loaded, real_table.GOMP_parallel != NULL);
    lock_release(&loading);
}

/* Is this function, where all libraries of the program find it, in the library or program that this file is in? */
static bool real_is_ours(void *program, const char *name)
{
    Dl_info theirs, ours;
    void *found = dlsym(program, name);
    if (!found)
        return true; /* not exported, because the program has it from the static library and no other does */
    return dladdr(found, &theirs) && dladdr(&real_table, &ours) && theirs.dli_fbase == ours.dli_fbase;
}

bool real_ours_first(void)
{
    /* crt_wait: the program may have loaded libep and libcrt; only the first of them acts. */
    void *program = dlopen(NULL, RTLD_LAZY);
    return real_is_ours(program, "GOMP_task") && real_is_ours(program, "crt_wait");
}
