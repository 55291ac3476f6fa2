/* SPDX-License-Identifier: BSD-3-Clause */
/* area.c: see area.h. */
#include "area.h"
#include <stdlib.h>
#include <string.h>

enum { MARGIN = 64, HOLES = 4, BACKGROUND = 1009 };

static layout layouts[LAYOUTS];

uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t state = a * 0x9E3779B97F4A7C15u ^ (b + 0x632BE59BD9B4E019u);
    return random_next(&state);
}

const layout *layout_number(unsigned i)
{
    return &layouts[i % LAYOUTS];
}

static void commit(layout *l, MPI_Datatype type, MPI_Aint lb, MPI_Aint extent)
{
    l->per_unit = 1;
    l->lb = lb;
    l->extent = extent;
    MPI_Type_create_resized(type, lb, extent, &l->type);
    MPI_Type_commit(&l->type);
    MPI_Type_free(&type);
}

void layouts_open(void)
{
    MPI_Datatype type;
    layouts[0] = (layout){MPI_INT, 2, 0, 4, {0, 4}};
    layouts[1].at[1] = 4;
    MPI_Type_contiguous(2, MPI_INT, &type);
    commit(&layouts[1], type, 0, 8);
    layouts[2].at[1] = 12;
    MPI_Type_vector(2, 1, 3, MPI_INT, &type);
    commit(&layouts[2], type, 0, 20);
    layouts[3].at[0] = 8;
    MPI_Type_indexed(2, (int[]){1, 1}, (int[]){2, 0}, MPI_INT, &type);
    commit(&layouts[3], type, -4, 16);
}

void layouts_close(void)
{
    for (int i = 1; i < LAYOUTS; i++)
        MPI_Type_free(&layouts[i].type);
}

static ptrdiff_t stride(const layout *l)
{
    return l->per_unit * l->extent;
}

/* The argument is `before` bytes behind the margin. */
static void allocate(area *a, size_t bytes, size_t before, uint64_t seed)
{
    a->bytes = bytes + 2 * MARGIN;
    a->memory = xmalloc(a->bytes);
    a->image = xmalloc(a->bytes);
    for (size_t i = 0; i < a->bytes && i < BACKGROUND; i++)
        a->memory[i] = (char)((i + seed) * 7 ^ i >> 8);
    for (size_t i = BACKGROUND; i < a->bytes; i += BACKGROUND)
        memcpy(a->memory + i, a->memory, a->bytes - i < BACKGROUND ? a->bytes - i : BACKGROUND);
    memcpy(a->image, a->memory, a->bytes);
    a->buf = a->memory + MARGIN + before;
}

/* Offsets of all blocks from the first byte that any of them covers; returns how many they cover. Behind each comes a
 * hole; they do not ascend. */
static size_t spread(area *a, spacing how, uint64_t seed)
{
    ptrdiff_t at = 0;
    int n = a->blocks, first = n ? (int)(seed % (unsigned)n) : 0;
    for (int k = 0; k < n; k++) {
        int b = (first + k) % n;
        if (how != DENSE && seed / 64 % 2)
            b = n - 1 - b;
        if (how == DENSE)
            b = k;
        const layout *l = a->form[b];
        a->at[b] = at - l->lb;
        at += a->units[b] * stride(l);
        if (how == SPREAD)
            at += (ptrdiff_t)(mix(seed, (uint64_t)b) % HOLES) * l->extent;
        if (how == SPREAD_BYTES)
            at += 4 * (ptrdiff_t)(mix(seed, (uint64_t)b) % HOLES);
    }
    return (size_t)at;
}

static void set_arguments(area *a, spacing how)
{
    size_t n = (size_t)a->blocks;
    a->counts = xmalloc(n * sizeof *a->counts);
    a->displs = xmalloc(n * sizeof *a->displs);
    a->types = xmalloc(n * sizeof *a->types);
    for (int b = 0; b < a->blocks; b++) {
        a->counts[b] = a->units[b] * a->form[b]->per_unit;
        a->types[b] = a->form[b]->type;
        a->displs[b] = (int)(how == SPREAD_BYTES ? a->at[b] : a->at[b] / a->form[b]->extent);
    }
    a->count = n ? a->counts[0] : 0;
    a->type = n ? a->types[0] : MPI_INT;
}

void area_make(area *a, int blocks, const int units[], unsigned pick, spacing how, uint64_t seed)
{
    size_t n = (size_t)blocks;
    memset(a, 0, sizeof *a);
    a->blocks = blocks;
    a->units = xmalloc(n * sizeof *a->units);
    a->form = xmalloc(n * sizeof *a->form);
    a->at = xmalloc(n * sizeof *a->at);
    for (int b = 0; b < blocks; b++) {
        a->units[b] = units[b];
        a->form[b] = layout_number(how == SPREAD_BYTES ? pick + (unsigned)b : pick);
    }
    size_t bytes = spread(a, how, seed), before = 0;
    /* A buffer address in the middle: displacements below 0. */
    if (how == SPREAD && seed % 3 == 0)
        before =
            (size_t)(bytes / 3 / (size_t)layout_number(pick)->extent * (size_t)layout_number(pick)->extent);
    if (how != SPREAD_BYTES)
        before = before - (size_t)layout_number(pick)->lb;
    for (int b = 0; b < blocks; b++)
        a->at[b] -= (ptrdiff_t)before;
    allocate(a, bytes, before, seed);
    set_arguments(a, how);
}

void area_plain(area *a, int n, MPI_Datatype type, ptrdiff_t lb, ptrdiff_t extent, uint64_t seed)
{
    memset(a, 0, sizeof *a);
    allocate(a, (size_t)n * (size_t)extent, (size_t)-lb, seed);
    a->count = n;
    a->type = type;
}

void area_free(area *a)
{
    free(a->memory);
    free(a->image);
    free(a->units);
    free(a->form);
    free(a->at);
    free(a->counts);
    free(a->displs);
    free(a->types);
    memset(a, 0, sizeof *a);
}

static void write_block(const area *a, char *to, int b, uint64_t key)
{
    const layout *l = a->form[b];
    char *unit = to + (a->buf - a->memory) + a->at[b];
    uint64_t x = key;
    for (int u = 0; u < a->units[b]; u++, unit += stride(l)) {
        x = (x ^ x >> 29) * 0xBF58476D1CE4E5B9u + (uint64_t)u;
        int first = (int)(x >> 32), second = (int)x;
        memcpy(unit + l->at[0], &first, sizeof first);
        memcpy(unit + l->at[1], &second, sizeof second);
    }
}

void area_fill(area *a, int b, uint64_t key)
{
    write_block(a, a->memory, b, key);
    write_block(a, a->image, b, key);
}

void area_expect(area *a, int b, uint64_t key)
{
    write_block(a, a->image, b, key);
}

void area_forgive(area *a, const char *from, size_t n)
{
    memcpy(a->image + (from - a->memory), from, n);
}

ptrdiff_t area_differs(const area *a)
{
    if (!a->bytes || memcmp(a->memory, a->image, a->bytes) == 0)
        return -1;
    for (size_t i = 0;; i++)
        if (a->memory[i] != a->image[i])
            return (ptrdiff_t)i;
}
