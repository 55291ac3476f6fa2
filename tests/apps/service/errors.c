/* SPDX-License-Identifier: BSD-3-Clause */
/* errors.c: an error handler that counts, and errors of our own. */
#include "service.h"
#include <string.h>

static MPI_Errhandler counting = MPI_ERRHANDLER_NULL;
static int refused_class, refused_code;
static const char refused_text[] = "service: the server has refused the request";

static void count_error(MPI_Comm *comm, int *code, ...)
{
    session *s = session_of(*comm);
    if (s != NULL && *code != MPI_SUCCESS)
        s->errors++;
}

void errors_prepare(MPI_Comm comm)
{
    MPI_Comm_create_errhandler(count_error, &counting);
    MPI_Comm_set_errhandler(comm, counting);
    MPI_Add_error_class(&refused_class);
    MPI_Add_error_code(refused_class, &refused_code);
    MPI_Add_error_string(refused_code, refused_text);
}

void errors_release(void)
{
    MPI_Errhandler_free(&counting);
}

void errors_refused(MPI_Comm comm)
{
    MPI_Comm_call_errhandler(comm, refused_code);
}

static int has_class(int code, int wanted)
{
    int class = MPI_SUCCESS;
    MPI_Error_class(code, &class);
    return class == wanted;
}

int errors_check(MPI_Comm comm)
{
    char text[MPI_MAX_ERROR_STRING];
    int wrong = 0, size, length, value = 0, code;
    MPI_Comm own;
    MPI_Comm_dup(comm, &own);
    MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    MPI_Comm_size(own, &size);
    code = MPI_Send(&value, 1, MPI_INT, size, 0, own);
    wrong += expect(has_class(code, MPI_ERR_RANK), "a send to a rank that is not there");
    MPI_Error_string(code, text, &length);
    wrong += expect(length > 0 && (size_t)length == strlen(text), "text of an error of MPI");
    code = MPI_Send(&value, 1, MPI_INT, 0, -5, own);
    wrong += expect(has_class(code, MPI_ERR_TAG), "a send with a negative tag");
    code = MPI_Bcast(&value, 1, MPI_INT, size + 3, own);
    wrong +=
        expect(has_class(code, MPI_ERR_ROOT) || has_class(code, MPI_ERR_RANK), "a broadcast from nowhere");
    code = MPI_Comm_call_errhandler(own, refused_code);
    wrong += expect(code == MPI_SUCCESS, "a call of the handler");
    MPI_Error_string(refused_code, text, &length);
    wrong += expect(strcmp(text, refused_text) == 0, "text of our own error");
    wrong += expect(has_class(refused_code, refused_class), "class of our own error");
    MPI_Comm_free(&own);
    return wrong;
}
