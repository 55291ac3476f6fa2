/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes set in one language and got in another (MPI 17.2.7, examples 17.13 to 17.15), and what callbacks are given. */
#include "conform.h"

#include <stdint.h>
#include <stdio.h>

enum { PROGRAMS, NULLS, DUPS, KINDS }; /* a key's functions */
enum { C, F1, F2, LANGUAGES };

void what_was(int *copies, int *deletes, MPI_Fint *handle, intptr_t *value, int *wrong);
MPI_Fint comm_key_1(int kind), comm_key_2(int kind), win_key(int kind), type_key(int kind);
int put_1(MPI_Fint comm, int key, int value), get_1(MPI_Fint comm, int key, int *value);
int comm_set(MPI_Fint comm, int key, intptr_t value), comm_get(MPI_Fint comm, int key, intptr_t *value);
int win_set(MPI_Fint win, int key, intptr_t value), win_get(MPI_Fint win, int key, intptr_t *value);
int type_set(MPI_Fint type, int key, intptr_t value), type_get(MPI_Fint type, int key, intptr_t *value);
void predefined(MPI_Fint comm, intptr_t of_comm[4], int of_comm_1[4]);
void predefined_win(MPI_Fint win, intptr_t values[5]);
int call_predefined(void);

static const intptr_t large = ((intptr_t)1 << 40) + 42;
static char place;

/* ---- callbacks in C ---- */

static int copies, deletes;
static MPI_Fint handle_seen;
static void *seen;

static int copy(MPI_Fint handle, void *in, void *out, int *flag)
{
    copies++;
    handle_seen = handle;
    seen = in;
    *(void **)out = (char *)in + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

static int comm_copy(MPI_Comm comm, int key, void *state, void *in, void *out, int *flag)
{
    (void)key, (void)state;
    return copy(MPI_Comm_c2f(comm), in, out, flag);
}

static int type_copy(MPI_Datatype type, int key, void *state, void *in, void *out, int *flag)
{
    int size = 0;

    (void)key, (void)state;
    CALL(MPI_Type_size(type, &size));
    CHECK(size == 3 * sizeof(int));
    return copy(MPI_Type_c2f(type), in, out, flag);
}

static int comm_drop(MPI_Comm comm, int key, void *value, void *state)
{
    (void)key, (void)state;
    deletes++;
    handle_seen = MPI_Comm_c2f(comm);
    seen = value;
    return MPI_SUCCESS;
}

static int type_drop(MPI_Datatype type, int key, void *value, void *state)
{
    int size = 0;

    (void)key, (void)state;
    CALL(MPI_Type_size(type, &size));
    CHECK(size == 3 * sizeof(int));
    deletes++;
    handle_seen = MPI_Type_c2f(type);
    seen = value;
    return MPI_SUCCESS;
}

static int win_drop(MPI_Win win, int key, void *value, void *state)
{
    (void)key, (void)state;
    deletes++;
    handle_seen = MPI_Win_c2f(win);
    seen = value;
    return MPI_SUCCESS;
}

static int c_key(int kind)
{
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_copy_attr_function *copies_by[KINDS] = {comm_copy, MPI_COMM_NULL_COPY_FN, MPI_COMM_DUP_FN};
    CALL(MPI_Comm_create_keyval(copies_by[kind], kind == PROGRAMS ? comm_drop : MPI_COMM_NULL_DELETE_FN, &key, NULL));
    return key;
}

static int key_of(int language, int kind)
{
    return language == C ? c_key(kind) : language == F1 ? comm_key_1(kind) : comm_key_2(kind);
}

/* What the last callback in Fortran was given. */
static void callback_was(int n_copies, int n_deletes, MPI_Fint handle, intptr_t value)
{
    int was_copies, was_deletes, wrong;
    MPI_Fint of;
    intptr_t was;

    what_was(&was_copies, &was_deletes, &of, &was, &wrong);
#ifndef EP_MPI /* Open MPI 4.1 gives delete functions in Fortran numbers of other objects */
    of = handle;
#endif
    if (wrong || was_copies != n_copies || was_deletes != n_deletes || (n_copies + n_deletes > 0 && (was != value || of != handle)))
        conform_error("callbacks: %d copies, %d deletes, of %#x, %#lx, %d wrong, not %d, %d, of %#x, %#lx", was_copies, was_deletes,
                      (unsigned)of, (long)was, wrong, n_copies, n_deletes, (unsigned)handle, (long)value);
}

/* ---- communicators ---- */

static void set(MPI_Comm comm, int key, int language, intptr_t value)
{
    if (language == C)
        CALL(MPI_Comm_set_attr(comm, key, (void *)value));
    else if (language == F1)
        CALL(put_1(MPI_Comm_c2f(comm), key, (int)value));
    else
        CALL(comm_set(MPI_Comm_c2f(comm), key, value));
}

/* The value that was set is got in all languages as the table says. */
static void expect(MPI_Comm comm, int key, int set_in, intptr_t value, const char *when)
{
    int flag = -1, value_1 = -1;
    intptr_t value_2 = -1;
    void *in_c = NULL;

    CALL(MPI_Comm_get_attr(comm, key, &in_c, &flag));
    if (CHECK(flag)) {
        intptr_t got = set_in == C ? (intptr_t)in_c : set_in == F1 ? *(int *)in_c : *(intptr_t *)in_c;
        if (got != value)
            conform_error("%s: set in %d, C gets %#lx, not %#lx", when, set_in, (long)got, (long)value);
    }
    CHECK(get_1(MPI_Comm_c2f(comm), key, &value_1));
    if (value_1 != (int)value)
        conform_error("%s: set in %d, MPI_ATTR_GET gets %#x, not %#x", when, set_in, (unsigned)value_1, (unsigned)value);
    CHECK(comm_get(MPI_Comm_c2f(comm), key, &value_2));
    if (value_2 != value)
        conform_error("%s: set in %d, MPI_COMM_GET_ATTR gets %#lx, not %#lx", when, set_in, (long)value_2, (long)value);
}

static void expect_none(MPI_Comm comm, int key)
{
    int flag = 1, value_1;
    intptr_t value_2;
    void *in_c;

    CALL(MPI_Comm_get_attr(comm, key, &in_c, &flag));
    CHECK(!flag);
    CHECK(!get_1(MPI_Comm_c2f(comm), key, &value_1));
    CHECK(!comm_get(MPI_Comm_c2f(comm), key, &value_2));
}

static const intptr_t negative = -5;

/* Keys of all languages with the predefined functions, values of all languages. */
static void predefined_functions(MPI_Comm comm)
{
    for (int of_key = C; of_key < LANGUAGES; of_key++)
        for (int kind = NULLS; kind < KINDS; kind++)
            for (int set_in = C; set_in < LANGUAGES; set_in++) {
                int key = key_of(of_key, kind);
                intptr_t value = set_in == F1 ? negative : set_in == F2 ? large : (intptr_t)&place;
                MPI_Comm dup;
                expect_none(comm, key);
                set(comm, key, set_in, value);
                expect(comm, key, set_in, value, "set");
                CALL(MPI_Comm_dup(comm, &dup));
                if (kind == NULLS)
                    expect_none(dup, key);
#ifdef EP_MPI /* others may forget in a dup how the value was set, if the key is another language's */
                else
                    expect(dup, key, set_in, value, "dup");
                CALL(MPI_Comm_delete_attr(comm, key));
                if (kind == DUPS)
                    expect(dup, key, set_in, value, "dup without the first");
#else
                else if ((of_key == C) == (set_in == C) && of_key != F1)
                    expect(dup, key, set_in == C ? C : F2, value, "dup");
                CALL(MPI_Comm_delete_attr(comm, key));
#endif
                CALL(MPI_Comm_free(&dup));
                CALL(MPI_Comm_free_keyval(&key));
            }
}

/* Keys of Fortran with functions of the program, and values of Fortran: the copy has one more. */
static void program_functions(MPI_Comm comm)
{
    for (int language = F1; language < LANGUAGES; language++) {
        int key = key_of(language, PROGRAMS);
        intptr_t value = language == F1 ? 41 : large;
        MPI_Fint number = MPI_Comm_c2f(comm), of_dup;
        MPI_Comm dup;
        callback_was(0, 0, 0, 0);
        set(comm, key, language, 7);
        set(comm, key, language, value);
        callback_was(0, 1, number, 7);
        CALL(MPI_Comm_dup(comm, &dup));
        callback_was(1, 0, number, value);
        expect(comm, key, language, value, "the first");
        expect(dup, key, language, value + 1, "a copy with one more");
        of_dup = MPI_Comm_c2f(dup);
        CALL(MPI_Comm_free(&dup));
        callback_was(0, 1, of_dup, value + 1);
        set(comm, key, language, 99); /* is not copied */
        callback_was(0, 1, number, value);
        CALL(MPI_Comm_dup(comm, &dup));
        callback_was(1, 0, number, 99);
        expect_none(dup, key);
        CALL(MPI_Comm_free(&dup));
        CALL(MPI_Comm_delete_attr(comm, key));
        callback_was(0, 1, number, 99);
        CALL(MPI_Comm_free_keyval(&key));
        /* set by C: its address */
        key = key_of(language, PROGRAMS);
        set(comm, key, C, (intptr_t)&place);
        CALL(MPI_Comm_delete_attr(comm, key));
        callback_was(0, 1, number, language == F1 ? (int)(intptr_t)&place : (intptr_t)&place);
        CALL(MPI_Comm_free_keyval(&key));
    }
}

/* C's functions get the address of what Fortran has set. */
static void c_functions(MPI_Comm comm)
{
    int key = c_key(PROGRAMS), flag;
    MPI_Comm dup;
    void *value;

    for (int set_in = F1; set_in < LANGUAGES; set_in++) {
        set(comm, key, set_in, 12345);
        CALL(MPI_Comm_dup(comm, &dup));
        CHECK(copies == 1 && seen && handle_seen == MPI_Comm_c2f(comm));
        CALL(MPI_Comm_get_attr(dup, key, &value, &flag));
#ifndef MPICH_VERSION /* what the function made of it is C's; MPICH takes it for what the first one was */
        CHECK(flag && value == (char *)seen + 1);
#endif
        CALL(MPI_Comm_free(&dup));
        CHECK(deletes == 1);
        CALL(MPI_Comm_delete_attr(comm, key));
        CHECK(deletes == 2 && seen);
        copies = deletes = 0;
    }
    CALL(MPI_Comm_free_keyval(&key));
}

static void failing(MPI_Comm comm)
{
    int key = comm_key_2(PROGRAMS);

    CALL(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    set(comm, key, F2, -77);
    FAILS(MPI_ERR_OTHER, MPI_Comm_delete_attr(comm, key));
    FAILS(MPI_ERR_OTHER, comm_set(MPI_Comm_c2f(comm), key, 5));
    expect(comm, key, F2, -77, "not deleted");
    CALL(MPI_Comm_delete_attr(comm, key));
    callback_was(0, 3, MPI_Comm_c2f(comm), -77);
    CALL(MPI_Comm_free_keyval(&key));
}

/* ---- datatypes ---- */

static void type_expect(MPI_Datatype type, int key, int set_in_c, intptr_t value)
{
    intptr_t in_fortran = -1;
    void *in_c = NULL;
    int flag = 0;

    CALL(MPI_Type_get_attr(type, key, &in_c, &flag));
    if (CHECK(flag))
        CHECK(value == (set_in_c ? (intptr_t)in_c : *(intptr_t *)in_c));
    CHECK(type_get(MPI_Type_c2f(type), key, &in_fortran) && in_fortran == value);
}

/* Only MPI_Type_dup copies attributes: not calls that go on after they have returned, for which the type is kept. */
static void not_copied_by_calls(int key)
{
    MPI_Datatype type;
    MPI_Request requests[3];
    int rank, size, in[3] = {0}, out[3] = {1, 2, 3}, from_root[3] = {4, 5, 6};

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CALL(MPI_Type_contiguous(3, MPI_INT, &type));
    CALL(MPI_Type_commit(&type));
    CALL(MPI_Type_set_attr(type, key, &place));
    CALL(MPI_Irecv(in, 1, type, (rank + size - 1) % size, 5, MPI_COMM_WORLD, &requests[0]));
    CALL(MPI_Isend(out, 1, type, (rank + 1) % size, 5, MPI_COMM_WORLD, &requests[1]));
    CALL(MPI_Ibcast(from_root, 1, type, 0, MPI_COMM_WORLD, &requests[2]));
    CALL(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
    CHECK(in[2] == 3 && copies == 0 && deletes == 0);
    CALL(MPI_Type_free(&type));
    CHECK(copies == 0 && deletes == 1);
    deletes = 0;
}

static void datatypes(void)
{
    MPI_Datatype type, dup;
    MPI_Fint number, of_dup;
    int key, flag;
    void *value;

    CALL(MPI_Type_contiguous(3, MPI_INT, &type));
    number = MPI_Type_c2f(type);
    for (int kind = PROGRAMS; kind < KINDS; kind++) {
        key = type_key(kind);
        CALL(type_set(MPI_Type_c2f(type), key, large));
        type_expect(type, key, 0, large);
        CALL(MPI_Type_dup(type, &dup));
        if (kind == NULLS) {
            CALL(MPI_Type_get_attr(dup, key, &value, &flag));
            CHECK(!flag);
        } else {
            type_expect(dup, key, 0, kind == PROGRAMS ? large + 1 : large);
        }
        if (kind == PROGRAMS)
            callback_was(1, 0, number, large);
        of_dup = MPI_Type_c2f(dup);
        CALL(MPI_Type_free(&dup));
        if (kind == PROGRAMS)
            callback_was(0, 1, of_dup, large + 1);
        CALL(MPI_Type_set_attr(type, key, &place));
        if (kind == PROGRAMS)
            callback_was(0, 1, number, large);
        type_expect(type, key, 1, (intptr_t)&place);
        CALL(MPI_Type_delete_attr(type, key));
        if (kind == PROGRAMS)
            callback_was(0, 1, number, (intptr_t)&place);
        CHECK(type_get(MPI_Type_c2f(type), key, &(intptr_t){0}) == 0);
        CALL(MPI_Type_free_keyval(&key));
    }
    CALL(MPI_Type_create_keyval(type_copy, type_drop, &key, NULL));
    CALL(type_set(MPI_Type_c2f(type), key, large));
    type_expect(type, key, 0, large);
    CALL(MPI_Type_set_attr(type, key, &place));
    CHECK(deletes == 1);
    CALL(MPI_Type_dup(type, &dup));
    CHECK(copies == 1 && seen == &place && handle_seen == number);
    type_expect(dup, key, 1, (intptr_t)(&place + 1));
    of_dup = MPI_Type_c2f(dup);
    CALL(MPI_Type_free(&dup));
    CHECK(handle_seen == of_dup);
    CALL(MPI_Type_free(&type));
    CHECK(deletes == 3 && seen == &place);
    copies = deletes = 0;
    not_copied_by_calls(key);
    CALL(MPI_Type_free_keyval(&key));
}

/* ---- windows ---- */

static void windows(MPI_Comm comm)
{
    int key, flag;
    char memory[64];
    MPI_Win win;
    MPI_Fint number;
    intptr_t values[5], value;
    void *in_c;

    CALL(MPI_Win_create(memory, sizeof memory, 8, MPI_INFO_NULL, comm, &win));
    predefined_win(MPI_Win_c2f(win), values);
    CHECK(values[0] == (intptr_t)memory && values[1] == sizeof memory && values[2] == 8);
    CHECK(values[3] == MPI_WIN_FLAVOR_CREATE && (values[4] == MPI_WIN_UNIFIED || values[4] == MPI_WIN_SEPARATE));
    for (int kind = PROGRAMS; kind < KINDS; kind++) {
        key = win_key(kind);
        CALL(win_set(MPI_Win_c2f(win), key, large));
        CHECK(win_get(MPI_Win_c2f(win), key, &value) && value == large);
        CALL(MPI_Win_get_attr(win, key, &in_c, &flag));
        CHECK(flag && *(intptr_t *)in_c == large);
        CALL(MPI_Win_set_attr(win, key, &place));
        if (kind == PROGRAMS)
            callback_was(0, 1, MPI_Win_c2f(win), large);
        CHECK(win_get(MPI_Win_c2f(win), key, &value) && value == (intptr_t)&place);
        CALL(MPI_Win_delete_attr(win, key));
        if (kind == PROGRAMS)
            callback_was(0, 1, MPI_Win_c2f(win), (intptr_t)&place);
        CHECK(!win_get(MPI_Win_c2f(win), key, &value));
        CALL(MPI_Win_free_keyval(&key));
    }
    CALL(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, win_drop, &key, NULL));
    CALL(win_set(MPI_Win_c2f(win), key, large));
    CALL(MPI_Win_free_keyval(&key));
    number = MPI_Win_c2f(win);
    CALL(MPI_Win_free(&win));
    CHECK(deletes == 1 && handle_seen == number);
    deletes = 0;
}

/* ---- predefined ---- */

static void predefined_values(MPI_Comm comm)
{
    const int keys[] = {MPI_TAG_UB, MPI_WTIME_IS_GLOBAL, MPI_LASTUSEDCODE, MPI_UNIVERSE_SIZE};
    intptr_t of_comm[4];
    int of_comm_1[4], flag;
    int *value;

    predefined(MPI_Comm_c2f(comm), of_comm, of_comm_1);
    for (int i = 0; i < 4; i++) {
        CALL(MPI_Comm_get_attr(comm, keys[i], &value, &flag));
        if (of_comm[i] != (flag ? *value : -1) || of_comm_1[i] != (flag ? *value : -1))
            conform_error("predefined %d: C %d, Fortran %ld, %d", i, flag ? *value : -1, (long)of_comm[i], of_comm_1[i]);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm comm;

    conform_init(&argc, &argv);
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK(call_predefined() == 0);
    predefined_values(MPI_COMM_WORLD);
    predefined_functions(MPI_COMM_SELF);
    predefined_functions(comm);
    program_functions(MPI_COMM_SELF);
    program_functions(comm);
    c_functions(comm);
    datatypes();
    windows(comm);
    failing(MPI_COMM_SELF);
    CALL(MPI_Comm_free(&comm));
    return conform_end(0);
}
