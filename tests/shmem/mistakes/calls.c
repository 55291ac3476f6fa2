/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that are wrong: `calls NAME` makes the mistake of that name, in PE 2 where it is one PE's. mistakes.py knows what must be
 * said. */
#include <shmem.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BAD = 2 };
static int me, n;
static long word, words[4];
static uint64_t sig;
static char *heap;

/* ---- addresses ---- */

static void put_private(void)
{
    long local = 0;
    shmem_long_put(&local, &word, 1, 0);
}

static void put_malloc(void)
{
    long *at = malloc(sizeof *at);
    shmem_long_p(at, 3, 0);
    free(at);
}

static void get_private(void)
{
    long local = 0, to;
    shmem_long_get(&to, &local, 1, 0);
}

static void g_null(void)
{
    shmem_long_g(NULL, 0);
}

static void beyond_heap(void)
{
    shmem_putmem(heap, &word, (size_t)1 << 40, 0);
}

static void iput_private(void)
{
    long local[4] = {0};
    shmem_long_iput(local, words, 2, 1, 2, 0);
}

static void atomic_private(void)
{
    long local = 0;
    shmem_long_atomic_inc(&local, 0);
}

static void signal_private(void)
{
    uint64_t local = 0;
    shmem_long_put_signal(&word, words, 1, &local, 1, SHMEM_SIGNAL_SET, 0);
}

static void wait_private(void)
{
    long local = 0;
    shmem_long_wait_until(&local, SHMEM_CMP_EQ, 0);
}

static void lock_private(void)
{
    long local = 0;
    shmem_set_lock(&local);
}

/* With checks only: the memory is there. */
static void put_freed(void)
{
    shmem_free(heap);
    if (me == BAD)
        shmem_long_p((long *)(void *)heap, 1, 0);
    shmem_barrier_all();
}

/* ---- numbers ---- */

static void pe_large(void)
{
    shmem_long_p(&word, 1, n);
}

static void pe_negative(void)
{
    shmem_long_atomic_fetch_add(&word, 1, -1);
}

static void pe_of_team(void)
{
    shmem_team_t team;
    shmem_ctx_t ctx;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 3, NULL, 0, &team);
    if (team != SHMEM_TEAM_INVALID) {
        shmem_team_create_ctx(team, 0, &ctx);
        if (me == BAD)
            shmem_ctx_long_p(ctx, &word, 1, 3); /* of the world, not of the team */
    }
    shmem_barrier_all();
}

static void stride_zero(void)
{
    shmem_long_iget(words, words, 1, 0, 2, 0);
}

static void cmp_none(void)
{
    shmem_long_wait_until(&word, 77, 0);
}

static void cmp_none_test(void)
{
    shmem_long_test(&word, 0, 0);
}

static void sig_op_none(void)
{
    shmem_long_put_signal(&word, words, 1, &sig, 1, 99, 0);
}

static void root_large(void)
{
    shmem_long_broadcast(SHMEM_TEAM_WORLD, &word, words, 1, n);
}

/* ---- handles ---- */

static void ctx_destroyed(void)
{
    shmem_ctx_t ctx;
    shmem_ctx_create(0, &ctx);
    shmem_ctx_destroy(ctx);
    shmem_ctx_long_p(ctx, &word, 1, 0);
}

static void ctx_invalid(void)
{
    shmem_ctx_long_p(SHMEM_CTX_INVALID, &word, 1, 0);
}

static void team_invalid(void)
{
    shmem_team_sync(SHMEM_TEAM_INVALID);
}

static void team_destroyed(void)
{
    shmem_team_t team;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &team);
    shmem_team_destroy(team);
    shmem_team_sync(team);
}

/* ---- the heap ---- */

static void sizes_differ(void)
{
    shmem_malloc(me == BAD ? 100 : 200);
}

static void kinds_differ(void)
{
    if (me == BAD)
        shmem_free(heap);
    else
        shmem_malloc(10);
}

static void free_twice(void)
{
    shmem_free(heap);
    shmem_free(heap);
}

static void free_inside(void)
{
    shmem_free(heap + 8);
}

static void free_static(void)
{
    shmem_free(&word);
}

static void free_private(void)
{
    long local = 0;
    shmem_free(&local);
}

static void realloc_freed(void)
{
    shmem_free(heap);
    heap = shmem_realloc(heap, 100);
}

static void align_odd(void)
{
    shmem_align(24, 100);
}

/* ---- locks, life ---- */

static void lock_twice(void)
{
    static long lock;
    shmem_set_lock(&lock);
    shmem_set_lock(&lock);
}

static void unlock_others(void)
{
    static long lock;
    shmem_clear_lock(&lock);
}

/* Another PE has the lock. */
static void unlock_held(void)
{
    static long lock;
    if (me == 0)
        shmem_set_lock(&lock);
    shmem_barrier_all();
    if (me == BAD)
        shmem_clear_lock(&lock);
    shmem_barrier_all();
}

/* Another PE waits for it, which it says in this PE's word. */
static void lock_twice_awaited(void)
{
    static long lock;
    if (me == BAD)
        shmem_set_lock(&lock);
    shmem_barrier_all();
    if (me == 0)
        shmem_set_lock(&lock);
    if (me == BAD) {
        shmem_long_wait_until(&lock, SHMEM_CMP_GE, 1L << 34);
        shmem_set_lock(&lock);
    }
}

static void init_twice(void)
{
    shmem_init();
}

static void after_finalize(void)
{
    shmem_finalize();
    shmem_long_p(&word, 1, 0);
}

static const struct {
    const char *name;
    void (*make)(void);
    int by_all;
} mistakes[] = {
    {"put_private", put_private, 0},   {"put_malloc", put_malloc, 0},         {"get_private", get_private, 0},
    {"g_null", g_null, 0},             {"beyond_heap", beyond_heap, 0},       {"iput_private", iput_private, 0},
    {"atomic_private", atomic_private, 0}, {"signal_private", signal_private, 0}, {"wait_private", wait_private, 0},
    {"lock_private", lock_private, 0}, {"put_freed", put_freed, 1},           {"pe_large", pe_large, 0},
    {"pe_negative", pe_negative, 0},   {"pe_of_team", pe_of_team, 1},         {"stride_zero", stride_zero, 0},
    {"cmp_none", cmp_none, 0},         {"cmp_none_test", cmp_none_test, 0},   {"sig_op_none", sig_op_none, 0},
    {"root_large", root_large, 1},     {"ctx_destroyed", ctx_destroyed, 0},   {"ctx_invalid", ctx_invalid, 0},
    {"team_invalid", team_invalid, 0}, {"team_destroyed", team_destroyed, 1}, {"sizes_differ", sizes_differ, 1},
    {"kinds_differ", kinds_differ, 1}, {"free_twice", free_twice, 1},         {"free_inside", free_inside, 1},
    {"free_static", free_static, 1},   {"free_private", free_private, 1},     {"realloc_freed", realloc_freed, 1},
    {"align_odd", align_odd, 1},       {"lock_twice", lock_twice, 0},         {"unlock_others", unlock_others, 0},
    {"unlock_held", unlock_held, 1},   {"lock_twice_awaited", lock_twice_awaited, 1},
    {"init_twice", init_twice, 0},     {"after_finalize", after_finalize, 1}};

/* Without SHMEM's life around them. */
static void early(const char *name)
{
    if (strcmp(name, "before_init") == 0)
        shmem_long_p(&word, 1, 0);
    else if (strcmp(name, "my_pe_before_init") == 0)
        shmem_my_pe();
    else if (strcmp(name, "malloc_before_init") == 0)
        shmem_malloc(10);
    else if (strcmp(name, "level_none") == 0)
        shmem_init_thread(1234, &n);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";

    early(name);
    shmem_init();
    me = shmem_my_pe(), n = shmem_n_pes();
    heap = shmem_malloc(64);
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        if (strcmp(mistakes[i].name, name) == 0 && (me == BAD || mistakes[i].by_all))
            mistakes[i].make();
    shmem_barrier_all();
    if (me == 0)
        printf("lived on\n");
    shmem_finalize();
    return 0;
}
