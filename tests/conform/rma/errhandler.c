/* SPDX-License-Identifier: BSD-3-Clause */
/* Error handlers of windows (MPI 8.3.2): which one is called, what it gets, and that others are not. */
#include "rma.h"

static int calls, class_seen, others;
static MPI_Win win_seen;

static void on_error(MPI_Win *win, int *code, ...)
{
    calls++;
    win_seen = *win;
    MPI_Error_class(*code, &class_seen);
}

static void on_other(MPI_Win *win, int *code, ...)
{
    (void)win;
    (void)code;
    others++;
}

int main(int argc, char **argv)
{
    MPI_Errhandler mine, other, got;
    struct area a, b;
    long value = 0;
    int code, class, size;

    conform_init(&argc, &argv);
    size = size_of(MPI_COMM_WORLD);
    area_make(&a, ALLOCATED, 2, 0, MPI_COMM_WORLD);
    area_make(&b, CREATED, 2, 0, MPI_COMM_WORLD);
    /* Predefined: errors are fatal, whatever the communicator has. */
    CALL(MPI_Win_get_errhandler(a.win, &got));
    CHECK(got == MPI_ERRORS_ARE_FATAL);
    CALL(MPI_Win_create_errhandler(on_error, &mine));
    CALL(MPI_Win_create_errhandler(on_other, &other));
    CALL(MPI_Win_set_errhandler(a.win, mine));
    CALL(MPI_Win_set_errhandler(b.win, other));
    CALL(MPI_Win_get_errhandler(a.win, &got));
    CHECK(got == mine);
    CALL(MPI_Errhandler_free(&got));
    /* It is kept while a window has it. */
    CALL(MPI_Errhandler_free(&mine));
    CHECK(mine == MPI_ERRHANDLER_NULL);
    CALL(MPI_Win_call_errhandler(a.win, MPI_ERR_OTHER));
    CHECK(calls == 1 && win_seen == a.win && class_seen == MPI_ERR_OTHER);
    CALL(MPI_Win_lock_all(0, a.win));
    code = MPI_Put(&value, 1, MPI_LONG, size, 0, 1, MPI_LONG, a.win);
    MPI_Error_class(code, &class);
    CHECK(class == MPI_ERR_RANK && calls == 2 && class_seen == MPI_ERR_RANK && win_seen == a.win);
    CALL(MPI_Put(&value, 0, MPI_LONG, 0, 0, 0, MPI_LONG, a.win));
    CHECK(calls == 2);
    CALL(MPI_Win_unlock_all(a.win));
    /* After an error the window goes on. */
    value = 5;
    CALL(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, a.rank, 0, a.win));
    CALL(MPI_Put(&value, 1, MPI_LONG, a.rank, area_at(&a, a.rank, 0), 1, MPI_LONG, a.win));
    CALL(MPI_Win_unlock(a.rank, a.win));
    expect_int("put after an error", area_read(&a, a.rank, 0), 5);
    /* Another one replaces it. */
    CALL(MPI_Win_set_errhandler(a.win, MPI_ERRORS_RETURN));
    CALL(MPI_Win_lock_all(0, a.win));
    FAILS(MPI_ERR_RANK, MPI_Get(&value, 1, MPI_LONG, -80, 0, 1, MPI_LONG, a.win));
    CALL(MPI_Win_unlock_all(a.win));
    CHECK(calls == 2 && others == 0);
    CALL(MPI_Win_get_errhandler(a.win, &got));
    CHECK(got == MPI_ERRORS_RETURN);
    CALL(MPI_Win_call_errhandler(b.win, MPI_ERR_ARG));
    CHECK(others == 1);
    CALL(MPI_Errhandler_free(&other));
    area_free(&a);
    area_free(&b);
    return conform_end(0);
}
