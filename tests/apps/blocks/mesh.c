/* SPDX-License-Identifier: BSD-3-Clause */
/* mesh.c: which blocks there are, and who owns them. */
#include "blocks.h"
#include <stdio.h>
#include <stdlib.h>

int cells_per_side = 16;

void *blocks_alloc(size_t count, size_t size)
{
    void *p = calloc(count + 1, size);
    if (p == NULL) {
        fprintf(stderr, "blocks: no memory for %zu items\n", count);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    return p;
}

static void add(mesh *m, int level, int x, int y)
{
    int width = 1 << (FINEST - level);
    if (m->count == m->room) {
        m->room = 2 * m->room + 64;
        m->b = realloc(m->b, (size_t)m->room * sizeof *m->b);
    }
    for (int j = 0; j < width; j++)
        for (int i = 0; i < width; i++)
            m->cover[((y * width + j) << FINEST) + x * width + i] = m->count;
    m->b[m->count++] = (block){.level = level, .x = x, .y = y};
}

static mesh empty(void)
{
    return (mesh){.cover = blocks_alloc((size_t)1 << (2 * FINEST), sizeof(int))};
}

mesh mesh_uniform(void)
{
    mesh m = empty(), next;
    add(&m, 0, 0, 0);
    for (int level = 0; level < COARSEST; level++) {
        int *split = blocks_alloc((size_t)m.count, sizeof *split);
        for (int i = 0; i < m.count; i++)
            split[i] = 1;
        next = mesh_changed(&m, split);
        mesh_free(&m);
        m = next;
        free(split);
    }
    return m;
}

static int covering(const mesh *m, int level, int x, int y)
{
    int shift = FINEST - level;
    return m->cover[((y << shift) << FINEST) + (x << shift)];
}

static int children_merge(const mesh *old, const int *change, int level, int x, int y)
{
    for (int i = 0; i < 4; i++) {
        int child = covering(old, level + 1, 2 * x + i % 2, 2 * y + i / 2);
        if (old->b[child].level != level + 1 || change[child] >= 0)
            return 0;
    }
    return 1;
}

/* The new blocks of this part of the square. */
static void walk(mesh *m, const mesh *old, const int *change, int level, int x, int y)
{
    int here = covering(old, level, x, y), whole = old->b[here].level <= level;
    if (whole ? old->b[here].level < level || change[here] <= 0
              : level >= COARSEST && children_merge(old, change, level, x, y)) {
        add(m, level, x, y);
        return;
    }
    for (int i = 0; i < 4; i++)
        walk(m, old, change, level + 1, 2 * x + i % 2, 2 * y + i / 2);
}

mesh mesh_changed(const mesh *old, const int *change)
{
    mesh m = empty();
    walk(&m, old, change, 0, 0, 0);
    return m;
}

/* Fine blocks are taken for more work. Each part gets neighbours along the curve. */
void mesh_balance(mesh *m, int parts)
{
    long total = 0, before = 0;
    for (int i = 0; i < m->count; i++)
        total += 2 + m->b[i].level;
    for (int i = 0; i < m->count; i++) {
        m->b[i].owner = (int)(before * parts / total);
        before += 2 + m->b[i].level;
    }
}

void mesh_allocate(mesh *m, int rank)
{
    size_t side = (size_t)cells_per_side + 2;
    for (int i = 0; i < m->count; i++)
        m->b[i].cells = m->b[i].owner == rank ? blocks_alloc(side * side, sizeof(int64_t)) : NULL;
}

void mesh_free(mesh *m)
{
    for (int i = 0; i < m->count; i++)
        free(m->b[i].cells);
    free(m->b);
    free(m->cover);
    *m = (mesh){0};
}

int mesh_find(const mesh *m, int x, int y, int *cell)
{
    int n = cells_per_side, found = m->cover[((y / n) << FINEST) + x / n];
    const block *b = &m->b[found];
    int width = cell_width(b);
    *cell = cell_index(x / width - b->x * n, y / width - b->y * n);
    return found;
}
