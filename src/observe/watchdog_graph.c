/* SPDX-License-Identifier: BSD-3-Clause */
/* A cycle of endpoints that wait for each other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observe/watchdog.h"

static bool watchdog_graph_follows(const struct arc *a, const struct arc *b)
{
    return a->of == b->who && a->of_origin == b->origin;
}

/* Index of an arc that begins where arc `at` ends, -1 if none. An endpoint whose threads wait for several goes by the
 * first: if it is not the one, the others are found from their ends. */
static int watchdog_graph_next_of(const struct arc arc[], int n, int at)
{
    for (int i = 0; i < n; i++)
        if (watchdog_graph_follows(&arc[at], &arc[i]))
            return i;
    return -1;
}

/* The lowest arc of a cycle, -1 if there is none. */
static int watchdog_graph_find(const struct arc arc[], int n)
{
    for (int start = 0; start < n; start++) {
        int at = start;
        for (int steps = 0; steps < n && at >= 0; steps++) {
            at = watchdog_graph_next_of(arc, n, at);
            if (at == start)
                return start;
        }
    }
    return -1;
}

static int watchdog_graph_by_rank(const void *a, const void *b)
{
    const struct arc *x = a, *y = b;
    return x->origin != y->origin ? (x->origin > y->origin) - (x->origin < y->origin)
                                  : (x->who > y->who) - (x->who < y->who);
}

enum { TEXT = 2000 };

/* The cycle from arc start on, in words; *sum differs if it is made of other calls. */
static void watchdog_graph_describe(const struct arc arc[], int n, int start, char text[TEXT], uint64_t *sum)
{
    size_t used = 0;
    int at = start;
    *sum = 0;
    text[0] = '\0';
    do {
        if (used < TEXT - 200)
            used += (size_t)snprintf(text + used, TEXT - used, "%s%d waits for %d %s", used ? "; " : "",
                                     arc[at].who, arc[at].of, arc[at].what);
        *sum = *sum * 31 + (uint64_t)arc[at].since * 7 + (uint64_t)arc[at].who;
        at = watchdog_graph_next_of(arc, n, at);
    } while (at != start);
}

/* The watchdog's thread alone comes here. */
static void watchdog_graph_consider(const char *text, uint64_t sum)
{
    static char last[TEXT];
    static uint64_t last_sum;
    static bool printed;
    bool same = sum == last_sum && strcmp(text, last) == 0;
    if (same && !printed && text[0]) {
        char line[TEXT + 100];
        snprintf(line, sizeof line, "ep: watchdog: a cycle: %s\n", text);
        log_text(line);
    }
    printed = same;
    snprintf(last, sizeof last, "%s", text);
    last_sum = sum;
}

void watchdog_cycle(const struct arc arc[], int n)
{
    struct arc *sorted = malloc(((size_t)n + 1) * sizeof *sorted);
    if (!sorted)
        return;
    if (n > 0)
        memcpy(sorted, arc, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, watchdog_graph_by_rank);
    char text[TEXT] = "";
    uint64_t sum = 0;
    int start = watchdog_graph_find(sorted, n);
    if (start >= 0)
        watchdog_graph_describe(sorted, n, start, text, &sum);
    watchdog_graph_consider(text, sum);
    free(sorted);
}
