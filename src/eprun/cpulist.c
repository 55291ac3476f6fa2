/* SPDX-License-Identifier: BSD-3-Clause */
#include "eprun/cpulist.h"

#include <ctype.h>
#include <stdlib.h>

/* A CPU's number; -1: there is none. */
static int number(const char **at)
{
    int n = 0;
    if (!isdigit((unsigned char)**at))
        return -1;
    for (; isdigit((unsigned char)**at); (*at)++)
        if ((n = 10 * n + **at - '0') >= CPU_LIMIT)
            return -1;
    return n;
}

int cpulist_read(const char *text, int **cpus)
{
    int n = 0, *list = malloc(CPU_LIMIT * sizeof *list);
    *cpus = list;
    if (!list)
        return -1;
    for (;;) {
        int first = number(&text);
        int last = first >= 0 && *text == '-' ? (text++, number(&text)) : first;
        if (first < 0 || last < first || n + last - first >= CPU_LIMIT)
            break;
        while (first <= last)
            list[n++] = first++;
        if (*text == 0)
            return n;
        if (*text++ != ',')
            break;
    }
    free(list);
    *cpus = NULL;
    return 0;
}
