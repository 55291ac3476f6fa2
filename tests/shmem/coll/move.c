/* SPDX-License-Identifier: BSD-3-Clause */
/* broadcast, collect, fcollect, alltoall and alltoalls of all types and of bytes: on the world, on every second PE, backwards; of few and
 * of many elements, and of none. */
#include "check.h"
#include "types.h"

enum action { BROADCAST, COLLECT, FCOLLECT, ALLTOALL, ALLTOALLS, ACTIONS };

struct type {
    const char *name;
    size_t size;
    int (*act)(enum action action, shmem_team_t team, void *dest, const void *source, size_t n, int root, ptrdiff_t dst, ptrdiff_t sst);
};

#define WRAP(name, T, before, after) \
    static int act_##name(enum action action, shmem_team_t team, void *d, const void *s, size_t n, int root, ptrdiff_t dst, \
                          ptrdiff_t sst) \
    { \
        T *dest = d; \
        const T *source = s; \
        switch (action) { \
        case BROADCAST: return shmem_##before##broadcast##after(team, dest, source, n, root); \
        case COLLECT: return shmem_##before##collect##after(team, dest, source, n); \
        case FCOLLECT: return shmem_##before##fcollect##after(team, dest, source, n); \
        case ALLTOALL: return shmem_##before##alltoall##after(team, dest, source, n); \
        default: return shmem_##before##alltoalls##after(team, dest, source, dst, sst, n); \
        } \
    }
RMA_TYPES(WRAP)
RMA_MEM(WRAP)
#define ROW(name, T, before, after) {#name, sizeof(T), act_##name},
static const struct type types[] = {RMA_TYPES(ROW) RMA_MEM(ROW)};

enum { MOST_PES = 16, STATIC_ROOM = 16 * MOST_PES * 64 };
static char static_dest[STATIC_ROOM], static_source[STATIC_ROOM];

/* What each PE is to have in the end; rounds make the patterns. `at`: this PE's number in the team. */
static size_t expect(const struct type *t, enum action action, int at, int n_pes, size_t n, int root, ptrdiff_t dst, ptrdiff_t sst,
                     int round, char *want, char *all)
{
    size_t bytes = n * t->size, end = 0;

    switch (action) {
    case BROADCAST:
        fill(want, bytes, root, round);
        return bytes;
    case COLLECT:
        for (int i = 0; i < n_pes; i++) {
            size_t theirs = (n + (size_t)i) / 2 * t->size;
            fill(want + end, theirs, i, round);
            end += theirs;
        }
        return end;
    case FCOLLECT:
        for (int i = 0; i < n_pes; i++)
            fill(want + (size_t)i * bytes, bytes, i, round);
        return (size_t)n_pes * bytes;
    default:
        if (action == ALLTOALL)
            dst = sst = 1;
        for (int i = 0; i < n_pes; i++) {
            size_t row = n * (size_t)sst * t->size;
            fill(all, (size_t)n_pes * row, i, round);
            for (size_t k = 0; k < n; k++)
                memcpy(want + ((size_t)i * n + k) * (size_t)dst * t->size,
                       all + (size_t)at * row + k * (size_t)sst * t->size, t->size);
        }
        return (size_t)n_pes * n * (size_t)dst * t->size;
    }
}

static void try(const struct type *t, enum action action, shmem_team_t team, size_t n, char *dest, char *source, size_t room,
                int round)
{
    int at = shmem_team_my_pe(team), n_pes = shmem_team_n_pes(team), root = round % n_pes;
    ptrdiff_t dst = 1 + round % 3, sst = 1 + round / 3 % 2;
    char *want = malloc(room), *all = malloc(room);

    fill(source, room, at, round);
    memset(dest, 0x5a, room);
    memset(want, 0x5a, room);
    expect(t, action, at, n_pes, n, root, dst, sst, round, want, all);
    shmem_team_sync(team); /* dest of others is ready */
    CHECK_OF(t->name, t->act(action, team, dest, source, action == COLLECT ? (n + (size_t)at) / 2 : n, root, dst, sst) == 0, round);
    CHECK_OF(t->name, memcmp(dest, want, room) == 0, action * 1000000 + n);
    shmem_team_sync(team);
    free(all);
    free(want);
}

static void of_team(shmem_team_t team, char *heap, size_t large)
{
    static const size_t few[] = {0, 1, 3, 20};
    int round = 0, n_pes = shmem_team_n_pes(team);

    for (size_t k = 0; k < COUNT(types); k++)
        for (int action = 0; action < ACTIONS; action++) {
            size_t n = few[(k + (size_t)action) % COUNT(few)];
            try(&types[k], (enum action)action, team, n, static_dest, static_source, types[k].size * MOST_PES * 64, round++);
            try(&types[k], (enum action)action, team, 7, heap, heap + large, types[k].size * MOST_PES * 64, round++);
        }
    for (int action = 0; action < ACTIONS; action++) {
        const struct type *t = &types[action == ALLTOALLS ? 5 : 1];
        for (size_t n = 1000; n <= 50000; n *= 50) {
            size_t room = (size_t)n_pes * n * t->size * (action == ALLTOALLS ? 3 : 1);
            if (room <= large)
                try(t, (enum action)action, team, n, heap, heap + large, room, round++);
        }
    }
}

int main(void)
{
    shmem_team_t evens, back;
    const size_t large = 4 << 20;

    shmem_init();
    int n = shmem_n_pes();
    char *heap = take(2 * large);
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (n + 1) / 2, NULL, 0, &evens) == 0 || evens == SHMEM_TEAM_INVALID);
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &back) == 0);
    of_team(SHMEM_TEAM_WORLD, heap, large);
    if (evens != SHMEM_TEAM_INVALID)
        of_team(evens, heap, large);
    shmem_barrier_all();
    of_team(back, heap, large);
    shmem_free(heap);
    return check_end();
}
