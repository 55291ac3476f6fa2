/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.c: see memory.h. */
#include "memory.h"
#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAVE_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAVE_SANITIZER 1
#endif

#if defined(HAVE_SANITIZER)

long memory_allocated(void)
{
    return 0;
}

long memory_resident(void)
{
    return 0;
}

#else

long memory_allocated(void)
{
    struct mallinfo2 m = mallinfo2();
    return (long)(m.uordblks + m.hblkhd);
}

long memory_resident(void)
{
    long pages = 0, total = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f)
        return 0;
    if (fscanf(f, "%ld %ld", &total, &pages) != 2)
        pages = 0;
    fclose(f);
    return pages * sysconf(_SC_PAGESIZE);
}

#endif
