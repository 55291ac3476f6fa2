/* SPDX-License-Identifier: BSD-3-Clause */
/* test_atomic_threads.c: threads change the same element: no update is lost and none is torn. Chaos yields between
 * load and store, so that it shows on one core, too. */
#include <complex.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rma/atomic.h"
#include "unit.h"

/* LONG: where one instruction does it, the threads would be through before they met. */
enum { THREADS = 4, TIMES = 5000, LONG = 300000, MOST = 64 };

static const struct arena arena = {.stripes = &process_stripes};
static const struct arena c11_arena = {.stripes = &process_stripes, .c11 = true};

struct worker {
    void (*work)(struct worker *w);
    int index;
    const struct atom *atom;
    const struct arena *arena;
    char *at;
    int errors;
    _Atomic int *missing;
};

static void *worker_main(void *arg)
{
    struct worker *w = arg;
    atomic_fetch_sub(w->missing,
                     1); /* a barrier that sleeps would wake one after the other has done its work */
    while (atomic_load(w->missing))
        sched_yield();
    w->work(w);
    return NULL;
}

/* Thread i works on arenas[i % 2] at ats[i % 2]. */
static void together(void (*work)(struct worker *w), const struct atom *a,
                     const struct arena *const arenas[2], char *const ats[2])
{
    struct worker w[THREADS];
    pthread_t thread[THREADS];
    _Atomic int missing = THREADS;
    for (int i = 0; i < THREADS; i++) {
        w[i] = (struct worker){work, i, a, arenas[i % 2], ats[i % 2], 0, &missing};
        ck_assert_int_eq(pthread_create(&thread[i], NULL, worker_main, &w[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(w[i].errors, 0);
}

static void together_at(void (*work)(struct worker *w), const struct atom *a, char *at)
{
    const struct arena *const arenas[2] = {&arena, &arena};
    char *const ats[2] = {at, at};
    together(work, a, arenas, ats);
}

static struct atom find(MPI_Datatype type, MPI_Op op)
{
    struct atom a;
    ck_assert_int_eq(atom_find(type, op, &a), MPI_SUCCESS);
    return a;
}

/* ---- sums ---- */

/* n, or n + 2n i, as an element of a type. */
static void number(char *to, MPI_Datatype type, int n)
{
    const int8_t i1 = (int8_t)n;
    const int16_t i2 = (int16_t)n;
    const int32_t i4 = n;
    const int64_t i8 = n;
    const float f = (float)n;
    const double d = n;
    const long double l = n;
    const float complex cf = f + 2 * f * I;
    const double complex cd = d + 2 * d * I;
    const long double complex cl = l + 2 * l * I;
    const struct {
        MPI_Datatype type;
        const void *p;
        size_t bytes;
    } all[] = {{MPI_INT8_T, &i1, sizeof i1},
               {MPI_INT16_T, &i2, sizeof i2},
               {MPI_INT32_T, &i4, sizeof i4},
               {MPI_INT64_T, &i8, sizeof i8},
               {MPI_FLOAT, &f, sizeof f},
               {MPI_DOUBLE, &d, sizeof d},
               {MPI_LONG_DOUBLE, &l, 10}, /* the others are not part of the number */
               {MPI_C_FLOAT_COMPLEX, &cf, sizeof cf},
               {MPI_C_DOUBLE_COMPLEX, &cd, sizeof cd},
               {MPI_C_LONG_DOUBLE_COMPLEX, &cl, sizeof cl}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].type == type)
            memcpy(to, all[i].p, all[i].bytes);
}

static int times(MPI_Datatype type, const char *at)
{
    bool integer = type == MPI_INT8_T || type == MPI_INT16_T || type == MPI_INT32_T || type == MPI_INT64_T;
    return integer && (uintptr_t)at % 8 == 0 ? LONG : TIMES;
}

static void add_ones(struct worker *w)
{
    _Alignas(MOST) char one[MOST] = {0}, old[MOST];
    number(one, w->atom->mpi, 1);
    for (int i = 0; i < times(w->atom->mpi, w->at); i++)
        atom_apply(w->atom, w->arena, w->at, one, i % 2 ? old : NULL, 1);
}

static bool is_number(const char *at, MPI_Datatype type, int n)
{
    _Alignas(MOST) char want[MOST] = {0}, is[MOST] = {0};
    long double complex a, b;
    number(want, type, n);
    memcpy(is, at, sizeof is / 2);
    memcpy(&a, is, sizeof a);
    memcpy(&b, want, sizeof b);
    if (type == MPI_C_LONG_DOUBLE_COMPLEX || type == MPI_LONG_DOUBLE) /* they have bytes without a meaning */
        return creall(a) == creall(b) && (type == MPI_LONG_DOUBLE || cimagl(a) == cimagl(b));
    int size;
    MPI_Type_size(type, &size);
    return memcmp(is, want, (size_t)size) == 0;
}

static const MPI_Datatype summed[] = {
    MPI_INT8_T, MPI_INT16_T,     MPI_INT32_T,         MPI_INT64_T,          MPI_FLOAT,
    MPI_DOUBLE, MPI_LONG_DOUBLE, MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_C_LONG_DOUBLE_COMPLEX};

START_TEST(sums)
{
    _Alignas(MOST) char memory[2 * MOST];
    for (size_t i = 0; i < sizeof summed / sizeof summed[0]; i++)
        for (int shift = 0; shift < 14; shift += 13) { /* aligned, misaligned */
            struct atom a = find(summed[i], MPI_SUM);
            memset(memory, 0, sizeof memory);
            together_at(add_ones, &a, memory + shift);
            ck_assert_msg(is_number(memory + shift, summed[i], THREADS * times(summed[i], memory + shift)),
                          "type %d, shift %d", (int)i, shift);
        }
}
END_TEST

/* Two views of the same memory and its stripes, as two processes have them. */
START_TEST(sums_through_two_mappings)
{
    enum { BYTES = 1 << 16, HEAD = 1 << 15 };
    char *view[2];
    struct arena arenas[2];
    int file = memfd_create("atomic", 0);
    ck_assert_int_eq(ftruncate(file, BYTES), 0);
    ck_assert_uint_le(sizeof(struct stripes), HEAD);
    for (int i = 0; i < 2; i++) {
        view[i] = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        ck_assert_ptr_ne(view[i], MAP_FAILED);
        arenas[i] = (struct arena){(struct stripes *)(void *)view[i], view[i] + HEAD, false};
    }
    stripes_init(arenas[0].stripes);
    for (size_t i = 0; i < sizeof summed / sizeof summed[0]; i++) {
        struct atom a = find(summed[i], MPI_SUM);
        size_t at = HEAD + i * 1000 + 1;
        together(add_ones, &a, (const struct arena *const[]){&arenas[0], &arenas[1]},
                 (char *const[]){view[0] + at, view[1] + at});
        ck_assert_msg(is_number(view[0] + at, summed[i], THREADS * TIMES), "type %d", (int)i);
    }
    munmap(view[0], BYTES);
    munmap(view[1], BYTES);
    close(file);
}
END_TEST

/* ---- other ways to count ---- */

/* Half of the threads count with C11 atomics of their own. */
static void add_mixed(struct worker *w)
{
    const int64_t one = 1;
    for (int i = 0; i < LONG; i++)
        if (w->index % 2)
            atomic_fetch_add((_Atomic int64_t *)(void *)w->at, 1);
        else
            atom_apply(w->atom, w->arena, w->at, (const char *)&one, NULL, 1);
}

static void add_mixed_double(struct worker *w)
{
    const double one = 1;
    _Atomic double *at = (_Atomic double *)(void *)w->at;
    for (int i = 0; i < TIMES; i++) {
        double seen = atomic_load(at);
        if (w->index % 2)
            while (!atomic_compare_exchange_strong(at, &seen, seen + 1))
                continue;
        else
            atom_apply(w->atom, w->arena, w->at, (const char *)&one, NULL, 1);
    }
}

static void add_by_swap(struct worker *w)
{
    for (int i = 0; i < TIMES; i++) {
        int64_t seen = 0, old = 0, next;
        do {
            seen = old;
            next = seen + 1;
            atom_swap(w->atom, w->arena, w->at, (const char *)&seen, (const char *)&next, (char *)&old);
        } while (old != seen);
    }
}

START_TEST(counters)
{
    int64_t n[2] = {0, 0}, misaligned;
    double d = 0;
    struct atom a = find(MPI_INT64_T, MPI_SUM), sum = find(MPI_DOUBLE, MPI_SUM),
                r = find(MPI_INT64_T, MPI_REPLACE);
    together_at(add_mixed, &a, (char *)n);
    ck_assert_int_eq(n[0], THREADS * LONG);
    together_at(add_mixed_double, &sum, (char *)&d);
    ck_assert(d == THREADS * TIMES);
    n[0] = 0;
    together_at(add_by_swap, &r, (char *)n);
    ck_assert_int_eq(n[0], THREADS * TIMES);
    n[0] = 0;
    together_at(add_by_swap, &r, (char *)n + 3);
    memcpy(&misaligned, (char *)n + 3, sizeof misaligned);
    ck_assert_int_eq(misaligned, THREADS * TIMES);
}
END_TEST

/* Every thread flips bits of its own an even number of times and sets one. */
static void flip_bits(struct worker *w)
{
    const uint16_t mine = (uint16_t)(0xf << (4 * w->index)), last = (uint16_t)(1 << (4 * w->index)),
                   keep = (uint16_t)~mine;
    const struct atom flip = find(MPI_UINT16_T, MPI_BXOR), set = find(MPI_UINT16_T, MPI_BOR),
                      clear = find(MPI_UINT16_T, MPI_BAND);
    uint16_t old;
    for (int i = 0; i < ((uintptr_t)w->at % 2 ? TIMES : LONG); i++) {
        atom_apply(&flip, w->arena, w->at, (const char *)&mine, (char *)&old, 1);
        w->errors += (old & mine) != 0;
        atom_apply(&clear, w->arena, w->at, (const char *)&keep, (char *)&old, 1);
        w->errors += (old & mine) != mine;
    }
    atom_apply(&set, w->arena, w->at, (const char *)&last, NULL, 1);
}

START_TEST(bits)
{
    uint16_t at[2] = {0, 0}, misaligned;
    together_at(flip_bits, NULL, (char *)at);
    ck_assert_uint_eq(at[0], 0x1111);
    at[0] = at[1] = 0;
    together_at(flip_bits, NULL, (char *)at + 1);
    memcpy(&misaligned, (char *)at + 1, sizeof misaligned);
    ck_assert_uint_eq(misaligned, 0x1111);
}
END_TEST

/* ---- nothing is torn ---- */

static void replace_and_look(struct worker *w)
{
    struct atom look = find(MPI_C_DOUBLE_COMPLEX, MPI_NO_OP);
    for (int i = 0; i < TIMES; i++) {
        double complex mine = (w->index * TIMES + i) * (1 + 2 * I), old, now;
        atom_apply(w->atom, w->arena, w->at, (const char *)&mine, (char *)&old, 1);
        atom_apply(&look, w->arena, w->at, NULL, (char *)&now, 1);
        w->errors += cimag(old) != 2 * creal(old);
        w->errors += cimag(now) != 2 * creal(now);
    }
}

START_TEST(replaced_as_a_whole)
{
    struct atom a = find(MPI_C_DOUBLE_COMPLEX, MPI_REPLACE);
    double complex at = 0;
    together_at(replace_and_look, &a, (char *)&at);
}
END_TEST

/* A thread's runs are all of one byte, at the same place as the others'. */
static void replace_runs(struct worker *w)
{
    const struct atom look = find(MPI_BYTE, MPI_NO_OP);
    char mine[ATOM_WHOLE], old[ATOM_WHOLE];
    for (int i = 0; i < TIMES; i++) {
        size_t bytes = 2 + (size_t)i % (ATOM_WHOLE - 1);
        memset(mine, 4 * i + w->index, sizeof mine);
        if (i % 2)
            atom_apply(w->atom, w->arena, w->at, mine, NULL, ATOM_WHOLE);
        atom_apply(&look, w->arena, w->at, NULL, old, bytes);
        for (size_t k = 1; k < bytes; k++)
            w->errors += old[k] != old[0];
    }
}

/* Anywhere, also where two cells meet. */
START_TEST(runs_are_whole)
{
    static _Alignas(CELL) char memory[2 * CELL];
    struct atom a = find(MPI_BYTE, MPI_REPLACE);
    for (size_t at = CELL - ATOM_WHOLE; at <= CELL; at += 13) {
        memset(memory, 0, sizeof memory);
        together_at(replace_runs, &a, memory + at);
    }
}
END_TEST

enum { NUMBERS = 700 };

/* Half of the threads add to all numbers, the others to one after the other. In an arena with c11 the latter is done by the
 * program itself. */
static void add_run_or_one(struct worker *w)
{
    int64_t ones[NUMBERS];
    _Atomic int64_t *number = (_Atomic int64_t *)(void *)w->at;
    for (int i = 0; i < NUMBERS; i++)
        ones[i] = 1;
    for (int i = 0; i < TIMES / 10; i++)
        if (w->index % 2)
            atom_apply(w->atom, w->arena, w->at, (const char *)ones, NULL, NUMBERS);
        else
            for (size_t k = 0; k < NUMBERS; k++)
                if (w->arena->c11)
                    atomic_fetch_add(&number[k], 1);
                else
                    atom_apply(w->atom, w->arena, w->at + k * sizeof ones[0], (const char *)ones, NULL, 1);
}

START_TEST(runs_and_single_ones)
{
    static int64_t numbers[NUMBERS];
    struct atom a = find(MPI_INT64_T, MPI_SUM);
    for (int c11 = 0; c11 < 2; c11++) {
        const struct arena *const arenas[2] = {c11 ? &c11_arena : &arena, c11 ? &c11_arena : &arena};
        char *const ats[2] = {(char *)numbers, (char *)numbers};
        memset(numbers, 0, sizeof numbers);
        together(add_run_or_one, &a, arenas, ats);
        for (int k = 0; k < NUMBERS; k++)
            ck_assert_int_eq(numbers[k], THREADS * (TIMES / 10));
    }
}
END_TEST

struct double_int {
    double value;
    int index;
};

static void lower(struct worker *w)
{
    struct double_int mine = {0, 0}, old;
    for (int i = 0; i < TIMES; i++) {
        mine.value = -(double)(i * THREADS + (w->index + i) % THREADS);
        mine.index = (int)mine.value;
        atom_apply(w->atom, w->arena, w->at, (const char *)&mine, (char *)&old, 1);
        w->errors += (double)old.index != old.value;
    }
}

START_TEST(least_with_its_place)
{
    struct atom a = find(MPI_DOUBLE_INT, MPI_MINLOC);
    struct double_int at = {0, 0};
    together_at(lower, &a, (char *)&at);
    ck_assert(at.value == -(double)(TIMES * THREADS - 1));
    ck_assert_int_eq(at.index, -(TIMES * THREADS - 1));
}
END_TEST

int main(int argc, char **argv)
{
    const TTest *tests[] = {sums,           sums_through_two_mappings, counters,
                            bits,           replaced_as_a_whole,       least_with_its_place,
                            runs_are_whole, runs_and_single_ones};
    MPI_Init(&argc, &argv);
    settings.chaos = 1;
    int status = UNIT_MAIN("atomic_threads", tests);
    MPI_Finalize();
    return status;
}
