/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file_limit.h"

#include <limits.h>
#include <sys/resource.h>

bool file_may_have(size_t bytes)
{
    struct rlimit limit;
    if (bytes > (size_t)LONG_MAX)
        return false;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur;
}
