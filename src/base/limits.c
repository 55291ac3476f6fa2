/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/limits.h"

#include <limits.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>

bool file_may_have(size_t bytes)
{
    struct rlimit limit;
    if (bytes > (size_t)LONG_MAX)
        return false;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur;
}

size_t memory_at_most(void)
{
    struct sysinfo s;
    struct rlimit limit;
    size_t most = SIZE_MAX;
    if (sysinfo(&s) == 0 && __builtin_mul_overflow(s.totalram + s.totalswap, s.mem_unit, &most))
        most = SIZE_MAX;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < most)
        most = limit.rlim_cur;
    return most;
}
