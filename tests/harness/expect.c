/* SPDX-License-Identifier: BSD-3-Clause */
/* expect.c: record what a test finds wrong, in the slot of the endpoint that found it. */
#include "internal.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local slot *my_slot;

void slot_use(slot *s)
{
    my_slot = s;
}

void slot_reset(slot *s, int rank)
{
    atomic_store(&s->failures, 0);
    atomic_store(&s->file, NULL);
    atomic_store(&s->line, 0);
    atomic_store(&s->state, SLOT_IDLE);
    s->rank = rank;
    atomic_flag_clear(&s->busy);
}

void team_adopt(team_t *t)
{
    slot_use(t->slot);
}

static slot *passing(const char *file, int line)
{
    slot *s = my_slot ? my_slot : &harness_process_slot;
    atomic_store_explicit(&s->file, file, memory_order_relaxed);
    atomic_store_explicit(&s->line, line, memory_order_relaxed);
    return s;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int failed(slot *s, const char *file, int line, const char *format, ...)
{
    while (atomic_flag_test_and_set(&s->busy)) { /* threads that share a slot: rare and short */
    }
    int n = atomic_load(&s->failures);
    if (n < SLOT_FAILURES) {
        int at = s->rank < 0
                     ? snprintf(s->text[n], SLOT_TEXT, "process %d: ", harness_rank)
                     : snprintf(s->text[n], SLOT_TEXT, "rank %d (process %d): ", s->rank, harness_rank);
        at += snprintf(s->text[n] + at, SLOT_TEXT - (size_t)at, "%s:%d: ", base_name(file), line);
        va_list args;
        va_start(args, format);
        vsnprintf(s->text[n] + at, SLOT_TEXT - (size_t)at, format, args);
        va_end(args);
    }
    atomic_store(&s->failures, n + 1);
    atomic_flag_clear(&s->busy);
    return 0;
}

int expect_true(int cond, const char *text, const char *file, int line)
{
    slot *s = passing(file, line);
    return cond ? 1 : failed(s, file, line, "%.200s is false", text);
}

int expect_eq(long long got, long long want, const char *text, const char *file, int line)
{
    slot *s = passing(file, line);
    return got == want ? 1 : failed(s, file, line, "%.200s: got %lld, want %lld", text, got, want);
}

static const char *class_text(int code, char *room)
{
    int length = 0;
    if (code == MPI_SUCCESS)
        return "success";
    if (ep_error_string(code, room, &length) != MPI_SUCCESS)
        return "no text";
    return room;
}

int expect_rc(int got, int want, const char *text, const char *file, int line)
{
    slot *s = passing(file, line);
    char room[MPI_MAX_ERROR_STRING] = "";
    if (got == want)
        return 1;
    return failed(s, file, line, "%.140s: returned %d (%.200s), want %d", text, got, class_text(got, room),
                  want);
}

int expect_str(const char *got, const char *want, const char *text, const char *file, int line)
{
    slot *s = passing(file, line);
    return strcmp(got, want) == 0
               ? 1
               : failed(s, file, line, "%.80s: got \"%.150s\", want \"%.150s\"", text, got, want);
}

int expect_contains(const char *got, const char *part, const char *text, const char *file, int line)
{
    slot *s = passing(file, line);
    return strstr(got, part)
               ? 1
               : failed(s, file, line, "%.80s: \"%.80s\" is not in \"%.200s\"", text, part, got);
}

static unsigned char filled_byte(size_t i, unsigned key)
{
    uint64_t x = (i + 1) * 0x9E3779B97F4A7C15u + key * 0xD1B54A32D192ED03u;
    return (unsigned char)(x >> 56 ^ x >> 32);
}

void fill(void *buf, size_t n, unsigned key)
{
    unsigned char *b = buf;
    for (size_t i = 0; i < n; i++)
        b[i] = filled_byte(i, key);
}

int expect_filled(const void *buf, size_t n, unsigned key, const char *text, const char *file, int line)
{
    slot *s = passing(file, line);
    const unsigned char *b = buf;
    for (size_t i = 0; i < n; i++)
        if (b[i] != filled_byte(i, key))
            return failed(s, file, line, "%.100s: byte %zu of %zu is 0x%02x, want 0x%02x (key %u)", text, i,
                          n, b[i], filled_byte(i, key), key);
    return 1;
}

uint64_t random_next(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

int random_below(uint64_t *state, int n)
{
    return (int)(random_next(state) % (uint64_t)n);
}

void *xmalloc(size_t n)
{
    void *p = malloc(n ? n : 1);
    if (!p) {
        fprintf(stderr, "test harness: no memory for %zu bytes\n", n);
        abort();
    }
    return p;
}
