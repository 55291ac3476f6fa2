/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_call_errhandler; codes and classes that the program adds, in handlers and callbacks. */
#include "conform.h"

#include <string.h>

static int calls, seen;
static MPI_Comm where;

static void note(MPI_Comm *comm, int *code, ...)
{
    where = *comm;
    seen = *code;
    calls++;
}

static void codes(void)
{
    char text[MPI_MAX_ERROR_STRING];
    int class, code, other, length, got, flag, *last;

    CALL(MPI_Add_error_class(&class));
    CHECK(class > MPI_ERR_LASTCODE);
    CALL(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag));
    CHECK(flag && *last >= class);
    CALL(MPI_Add_error_code(class, &code));
    CALL(MPI_Add_error_code(class, &other));
    CHECK(code != other && code != class && code > MPI_ERR_LASTCODE);
    CALL(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag));
    CHECK(flag && *last >= class);
    CALL(MPI_Error_class(code, &got));
    CHECK(got == class);
    CALL(MPI_Add_error_string(class, "the class"));
    CALL(MPI_Add_error_string(code, "the code"));
    CALL(MPI_Error_string(class, text, &length));
    CHECK(strcmp(text, "the class") == 0 && length == 9);
    CALL(MPI_Error_string(code, text, &length));
    CHECK(strcmp(text, "the code") == 0 && length == 8);
    CALL(MPI_Error_string(other, text, &length));
    CALL(MPI_Add_error_string(code, "another"));
    CALL(MPI_Error_string(code, text, &length));
    CHECK(strcmp(text, "another") == 0);

    CALL(MPI_Comm_call_errhandler(MPI_COMM_SELF, code));
    CHECK(calls == 1 && where == MPI_COMM_SELF && seen == code);
    CALL(MPI_Comm_call_errhandler(MPI_COMM_WORLD, class));
    CHECK(calls == 2 && where == MPI_COMM_WORLD && seen == class);
}

/* A class of MPI itself may get codes, too. */
static void code_of_mpi(void)
{
    int code, class;

    CALL(MPI_Add_error_code(MPI_ERR_OTHER, &code));
    CALL(MPI_Error_class(code, &class));
    CHECK(class == MPI_ERR_OTHER);
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler;
    MPI_Comm copy;

    conform_init(&argc, &argv);
    CALL(MPI_Comm_create_errhandler(note, &handler));
    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
    CALL(MPI_Comm_set_errhandler(MPI_COMM_SELF, handler));
    codes();
    code_of_mpi();
    calls = 0;
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    CALL(MPI_Comm_call_errhandler(copy, MPI_ERR_TRUNCATE));
    CHECK(calls == 1 && where == copy);
    CALL(MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN));
    CALL(MPI_Comm_call_errhandler(copy, MPI_ERR_TRUNCATE));
    CHECK(calls == 1);
    CALL(MPI_Comm_free(&copy));
    CALL(MPI_Errhandler_free(&handler));
    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    return conform_end(0);
}
