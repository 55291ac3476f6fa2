/* SPDX-License-Identifier: BSD-3-Clause */
#include "wrong.h"
#include <stdio.h>
#include <string.h>

void expect_text(const team_t *t, int rc, const char *call, const char *part)
{
    char text[MPI_MAX_ERROR_STRING] = "", who[64];
    int length;
    snprintf(who, sizeof who, "endpoint %d of %d (process %d", t->rank, t->size, t->process);
    EXPECT_OK(ep_error_string(rc, text, &length));
    EXPECT_CONTAINS(text, call);
    EXPECT_CONTAINS(text, who);
    EXPECT_CONTAINS(text, part);
}

void expect_wrong(const team_t *t, int rc, int want, const char *part, const char *text, const char *file,
                  int line)
{
    char call[64];
    snprintf(call, sizeof call, "%.*s: ", (int)strcspn(text, "("), text);
    if (expect_rc(rc, want, text, file, line))
        expect_text(t, rc, call, part);
}

void expect_works(team_t *t, share *a)
{
    long one = 1, minus = -1, got = -1;
    ep_group all;
    EXPECT_OK(ep_win_get_group(a->win, &all));
    EXPECT_OK(ep_barrier(t->comm));
    for (int r = 0; r < t->size; r++) {
        EXPECT_OK(ep_win_lock(r % 2 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, r, 0, a->win));
        add(a, r, 8, 1);
        EXPECT_OK(ep_win_unlock(r, a->win));
    }
    EXPECT_OK(ep_win_fence(0, a->win));
    for (int r = 0; r < t->size; r++)
        EXPECT_OK(ep_accumulate(&one, 1, MPI_LONG, r, share_at(a, r, 8), 1, MPI_LONG, MPI_SUM, a->win));
    EXPECT_OK(ep_win_fence(MPI_MODE_NOSUCCEED, a->win));
    EXPECT_OK(ep_win_post(all, 0, a->win));
    EXPECT_OK(ep_win_start(all, 0, a->win));
    for (int r = 0; r < t->size; r++)
        EXPECT_OK(ep_accumulate(&minus, 1, MPI_LONG, r, share_at(a, r, 8), 1, MPI_LONG, MPI_SUM, a->win));
    EXPECT_OK(ep_win_complete(a->win));
    EXPECT_OK(ep_win_wait(a->win));
    EXPECT_OK(ep_barrier(t->comm));
    EXPECT_OK(ep_win_lock_all(0, a->win));
    for (int r = 0; r < t->size; r++) {
        EXPECT_OK(ep_get(&got, 1, MPI_LONG, r, share_at(a, r, 8), 1, MPI_LONG, a->win));
        EXPECT_OK(ep_win_flush_all(a->win));
        EXPECT_EQ(got, t->size);
    }
    EXPECT_OK(ep_barrier(t->comm));
    add(a, t->rank, 8, -t->size);
    EXPECT_OK(ep_win_unlock_all(a->win));
    EXPECT_OK(ep_barrier(t->comm));
    for (size_t i = 0; i < 64; i++)
        EXPECT_EQ(a->base[i], 0);
    EXPECT_OK(ep_group_free(&all));
}
