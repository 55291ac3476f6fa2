/* SPDX-License-Identifier: BSD-3-Clause */
/* Contexts: of a team, whose numbers are the PEs then, in all calls that take one; of all options; many at once; what they do is ordered
 * by themselves. */
#include "check.h"

static long word, amo, source[4], signalled, strided[8];
static uint64_t sig;
static char bytes[64];

/* Backwards: PE numbers of the team are others than the world's. */
static void of_team(shmem_team_t team, long options)
{
    shmem_ctx_t ctx;
    shmem_team_t of;
    int n = shmem_team_n_pes(team), me = shmem_team_my_pe(team), to = (me + 1) % n, from = (me + n - 1) % n;
    int wfrom = shmem_team_translate_pe(team, from, SHMEM_TEAM_WORLD), wto = shmem_team_translate_pe(team, to, SHMEM_TEAM_WORLD);
    long got[4];

    CHECK(shmem_team_create_ctx(team, options, &ctx) == 0 && ctx != SHMEM_CTX_INVALID);
    CHECK(shmem_ctx_get_team(ctx, &of) == 0 && of == team);
    amo = 0, sig = 0, word = -1;
    for (int i = 0; i < 4; i++)
        source[i] = shmem_my_pe() * 10 + i;
    memset(strided, 0, sizeof strided);
    memset(bytes, 0, sizeof bytes);
    shmem_team_sync(team);
    shmem_ctx_long_p(ctx, &word, source[0], to);
    shmem_ctx_long_iput(ctx, strided, source, 2, 1, 4, to);
    shmem_ctx_putmem_nbi(ctx, bytes, source, sizeof source, to);
    for (int i = 0; i < n; i++)
        shmem_ctx_long_atomic_add(ctx, &amo, me + 1, i);
    shmem_ctx_long_put_signal(ctx, &signalled, source + 2, 1, &sig, 9, SHMEM_SIGNAL_ADD, to);
    shmem_ctx_quiet(ctx);
    shmem_team_sync(team);
    CHECK_AT(word == wfrom * 10, options);
    for (int i = 0; i < 8; i++)
        CHECK_AT(strided[i] == (i % 2 ? 0 : wfrom * 10 + i / 2), i);
    CHECK_AT(amo == n * (n + 1) / 2, options);
    CHECK_AT(sig == 9 && signalled == wfrom * 10 + 2, options);
    CHECK_AT(shmem_ctx_long_g(ctx, &source[1], to) == wto * 10 + 1, options);
    shmem_ctx_long_get_nbi(ctx, got, source, 3, to);
    shmem_ctx_quiet(ctx);
    CHECK_AT(got[2] == wto * 10 + 2, options);
    CHECK_AT(shmem_ctx_long_atomic_fetch(ctx, &source[2], from) == wfrom * 10 + 2, options);
    shmem_team_sync(team);
    shmem_ctx_destroy(ctx);
}

static void many(void)
{
    enum { MANY = 20 };
    shmem_ctx_t ctx[MANY];
    static long words[MANY];
    int made = 0;

    while (made < MANY && shmem_ctx_create(made % 2 ? SHMEM_CTX_SERIALIZED : SHMEM_CTX_PRIVATE, &ctx[made]) == 0)
        made++;
    CHECK(made >= 2);
    for (int k = made - 1; k >= 0; k--)
        shmem_ctx_long_p(ctx[k], &words[k], shmem_my_pe() + 100L * k, right_of(k));
    for (int k = 0; k < made; k++)
        shmem_ctx_quiet(ctx[k]);
    shmem_barrier_all();
    for (int k = 0; k < made; k++)
        CHECK_AT(words[k] == left_of(k) + 100L * k || k >= made, k);
    for (int k = 0; k < made; k += 2)
        shmem_ctx_destroy(ctx[k]);
    for (int k = 1; k < made; k += 2)
        shmem_ctx_destroy(ctx[k]);
    shmem_ctx_fence(SHMEM_CTX_INVALID); /* nothing */
    shmem_ctx_quiet(SHMEM_CTX_INVALID);
    shmem_ctx_destroy(SHMEM_CTX_INVALID);
}

int main(void)
{
    static const long options[] = {0, SHMEM_CTX_SERIALIZED, SHMEM_CTX_PRIVATE, SHMEM_CTX_NOSTORE,
                                   SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE};
    shmem_team_t team;

    shmem_init();
    int n = shmem_n_pes();
    /* NOSTORE is for contexts that nothing is put with */
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &team) == 0);
    for (int k = 0; k < 3; k++)
        of_team(team, options[k]);
    of_team(SHMEM_TEAM_WORLD, 0);
    shmem_team_destroy(team);
    for (size_t k = 3; k < COUNT(options); k++) {
        shmem_ctx_t ctx;
        CHECK(shmem_ctx_create(options[k], &ctx) == 0);
        CHECK_AT(shmem_ctx_long_g(ctx, &word, right_of(1)) == shmem_long_g(&word, right_of(1)), k);
        shmem_ctx_fence(ctx);
        shmem_ctx_destroy(ctx);
    }
    many();
    return check_end();
}
