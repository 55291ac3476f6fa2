/* SPDX-License-Identifier: BSD-3-Clause */
/* strtok, and the one hash table of hsearch. */
#include <search.h>
#include <string.h>

#include "image/image.h"

static char *rest;
static struct hsearch_data table;

WEAK char *strtok(char *restrict text, const char *restrict separators)
{
    return strtok_r(text, separators, &rest);
}

WEAK int hcreate(size_t elements)
{
    return hcreate_r(elements, &table);
}

WEAK void hdestroy(void)
{
    hdestroy_r(&table);
}

WEAK ENTRY *hsearch(ENTRY item, ACTION action)
{
    ENTRY *found = NULL;
    hsearch_r(item, action, &found, &table);
    return found;
}
