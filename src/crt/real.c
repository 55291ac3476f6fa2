/* SPDX-License-Identifier: BSD-3-Clause */
#include "crt/real.h"

#include <dlfcn.h>

struct real real_table;
_Atomic bool real_loaded;

/* A pointer to an object as one to a function, which ISO C has no cast for. */
static void find(void *slot, const char *name)
{
    *(void **)slot = dlsym(RTLD_NEXT, name);
}

void real_load(void)
{
#define OURS(result, name, parameters) find(&real_table.name, #name);
#define USED OURS
#include "crt/real.def"
#undef USED
#undef OURS
    store_release(&real_loaded, true);
}

/* Does the program get this function from the library that this file is in? */
static bool is_ours(const char *name)
{
    Dl_info theirs, ours;
    void *found = dlsym(RTLD_DEFAULT, name);
    return found && dladdr(found, &theirs) && dladdr(&real_table, &ours) &&
           theirs.dli_fbase == ours.dli_fbase;
}

bool real_ours_first(void)
{
    /* crt_wait: the program may have loaded libep and libcrt; only the first of them acts. */
    return is_ours("GOMP_task") && is_ours("crt_wait");
}
