/* SPDX-License-Identifier: BSD-3-Clause */
#include "observe/stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "p2p/p2p.h"

enum { NAME = 20, COLUMNS = 10 }; /* width of a name; endpoints side by side */

static struct {
    struct lock lock;
    struct stats_row *rows; /* of endpoints that are gone */
    int n, room;
    bool everybody; /* endpoints were made on all processes at once */
} kept = {.lock = LOCK_FREE(STATS)};

/* ---- collecting ---- */

/* NULL without memory. */
static struct stats_row *row_of(int rank)
{
    lock_assert_held(&kept.lock);
    for (int i = 0; i < kept.n; i++)
        if (kept.rows[i].rank == rank)
            return &kept.rows[i];
    if (kept.n == kept.room) {
        int room = kept.room ? 2 * kept.room : 16;
        struct stats_row *rows = realloc(kept.rows, (size_t)room * sizeof *rows);
        if (!rows)
            return NULL;
        kept.rows = rows;
        kept.room = room;
    }
    struct stats_row *row = &kept.rows[kept.n++];
    *row = (struct stats_row){.rank = rank};
    return row;
}

static void stats_add(struct endpoint *p)
{
    uint64_t values[COUNTERS];
    struct stats_row *row = row_of(p->rank);
    counters_read(&p->own, &p->held, values);
    if (row)
        counters_add(row->value, values);
}

void stats_keep(struct endpoint *p)
{
    lock_acquire(&kept.lock);
    stats_add(p);
    lock_release(&kept.lock);
}

struct stats_row *stats_collect(int *n)
{
    lock_acquire(&kept.lock);
    for (struct endpoint *p = endpoint_first(); p; p = p->next)
        if (p->rank >= 0 && load_acquire(&p->open))
            stats_add(p);
    struct stats_row *rows = kept.rows;
    *n = kept.n;
    kept.rows = NULL;
    kept.n = kept.room = 0;
    lock_release(&kept.lock);
    return rows;
}

/* ---- the end ---- */

static void stats_mpi_ends(void)
{
    stats_end(kept.everybody);
}

void stats_begin(bool everybody)
{
    lock_acquire(&kept.lock);
    kept.everybody |= everybody;
    lock_release(&kept.lock);
    or_acq_rel(&observers, OBSERVER_STATS);
    process_at_end(END_STATS, stats_mpi_ends);
}

/* ---- printing ---- */

static int stats_by_rank(const void *a, const void *b)
{
    int x = ((const struct stats_row *)a)->rank, y = ((const struct stats_row *)b)->rank;
    return (x > y) - (x < y);
}

/* Sorted, and rows of the same rank added. Returns how many are left. */
static int stats_merge(struct stats_row rows[], int n)
{
    int m = 0;
    qsort(rows, (size_t)n, sizeof *rows, stats_by_rank);
    for (int i = 0; i < n; i++) {
        if (m > 0 && rows[m - 1].rank == rows[i].rank)
            counters_add(rows[m - 1].value, rows[i].value);
        else
            rows[m++] = rows[i];
    }
    return m;
}

static int stats_digits(uint64_t value)
{
    int n = 1;
    for (; value >= 10; value /= 10)
        n++;
    return n;
}

static int stats_width(const struct stats_row *row)
{
    int widest = stats_digits((uint64_t)row->rank);
    for (int i = 0; i < COUNTERS; i++)
        if (stats_digits(row->value[i]) > widest)
            widest = stats_digits(row->value[i]);
    return widest;
}

/* Columns of rows[0] to rows[n - 1], behind their sum if that is given. Counters that are 0 everywhere are left out. */
static void print_block(FILE *f, const struct stats_row *sum, const struct stats_row rows[], int n,
                        const struct stats_row *all)
{
    fprintf(f, "%-*s", NAME, "");
    if (sum)
        fprintf(f, "  %*s", stats_width(sum) > 3 ? stats_width(sum) : 3, "sum");
    for (int k = 0; k < n; k++)
        fprintf(f, "  %*d", stats_width(&rows[k]), rows[k].rank);
    fputc('\n', f);
    for (int i = 0; i < COUNTERS; i++) {
        if (all->value[i] == 0)
            continue;
        fprintf(f, "%-*s", NAME, counter_table[i].name);
        if (sum)
            fprintf(f, "  %*llu", stats_width(sum) > 3 ? stats_width(sum) : 3,
                    (unsigned long long)sum->value[i]);
        for (int k = 0; k < n; k++)
            fprintf(f, "  %*llu", stats_width(&rows[k]), (unsigned long long)rows[k].value[i]);
        fputc('\n', f);
    }
}

void stats_print(struct stats_row rows[], int n, const char *of)
{
    char *text = NULL;
    size_t bytes;
    n = stats_merge(rows, n);
    FILE *f = n > 0 ? open_memstream(&text, &bytes) : NULL;
    if (!f)
        return;
    struct stats_row sum = {0};
    for (int i = 0; i < n; i++)
        counters_add(sum.value, rows[i].value);
    fprintf(f, "ep: what %d endpoint%s%s did (EP_STATS, docs/counters.md), by rank\n", n, n > 1 ? "s" : "",
            of);
    for (int i = 0; i < n; i += COLUMNS)
        print_block(f, i == 0 ? &sum : NULL, rows + i, n - i < COLUMNS ? n - i : COLUMNS, &sum);
    if (fclose(f) == 0)
        log_text(text);
    free(text);
}
