/* SPDX-License-Identifier: BSD-3-Clause */
#include "crt/real.h"

#include <dlfcn.h>

struct real real_table;
_Atomic bool real_loaded;

/* The next library with libgomp's functions; in a program that loads libgomp later, for a plug-in, that one. */
static void *find(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    void *libgomp = found ? NULL : dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);
    return libgomp ? dlsym(libgomp, name) : found;
}

void real_load(void)
{
    /* A pointer to an object is stored as one to a function: ISO C has no cast for that. */
#define OURS(result, name, parameters) *(void **)(void *)&real_table.name = find(#name);
#define USED OURS
#include "crt/real.def"
#undef USED
#undef OURS
    store_release(&real_loaded, real_table.GOMP_parallel != NULL);
}

/* A program that is linked with the static library gets all entry points, not only those it calls: its shared libraries
 * may call others. */
__attribute__((used)) static void (*const all_of_ours[])(void) = {
#define OURS(result, name, parameters) (void (*)(void)) name,
#define USED(result, name, parameters)
#include "crt/real.def"
#undef USED
#undef OURS
};

/* Is this function, where all libraries of the program find it, in the library or program that this file is in? */
static bool is_ours(void *program, const char *name)
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
    return is_ours(program, "GOMP_task") && is_ours(program, "crt_wait");
}
