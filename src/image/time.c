/* SPDX-License-Identifier: BSD-3-Clause */
/* The results of localtime, gmtime, asctime and ctime. */
#include <time.h>

#include "image/image.h"

static struct tm broken_down;
static char text[64];

WEAK struct tm *localtime(const time_t *t)
{
    tzset();
    return localtime_r(t, &broken_down);
}

WEAK struct tm *gmtime(const time_t *t)
{
    return gmtime_r(t, &broken_down);
}

WEAK char *asctime(const struct tm *tm)
{
    return asctime_r(tm, text);
}

WEAK char *ctime(const time_t *t)
{
    tzset();
    return localtime_r(t, &broken_down) ? asctime_r(&broken_down, text) : NULL;
}
