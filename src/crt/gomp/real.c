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
    struct real found;
    void *from = next_library();
    /* A pointer to an object is stored as one to a function: ISO C has no cast for that. */
#define OURS(result, name, parameters) *(void **)(void *)&found.name = from ? dlsym(from, #name) : NULL;
#define USED OURS
#include "crt/gomp/real.def"
#undef USED
#undef OURS
    lock_acquire(&loading);
    if (!load_relaxed(&real_loaded))
        real_table = found;
    store_release(&real_loaded, real_table.GOMP_parallel != NULL);
    lock_release(&loading);
}

/* A program that is linked with the static library gets all entry points, not only those it calls: its shared libraries
 * may call others. */
__attribute__((used)) static void (*const all_of_ours[])(void) = {
#define OURS(result, name, parameters) (void (*)(void)) name,
#define USED(result, name, parameters)
#include "crt/gomp/real.def"
#undef USED
#undef OURS
};

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
