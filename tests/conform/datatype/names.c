/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of derived types: empty at first, set, replaced, a dup's are its own. */
#include "../expect.h"

static void expect_name(MPI_Datatype type, const char *name)
{
    char got[MPI_MAX_OBJECT_NAME];
    int length = -1;

    CALL(MPI_Type_get_name(type, got, &length));
    if (strcmp(got, name) != 0 || length != (int)strlen(name))
        conform_error("name '%s' of length %d, not '%s'", got, length, name);
}

int main(int argc, char **argv)
{
    MPI_Datatype type, twin;
    char text[40];
    int rank;

    conform_init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    expect_name(type, "");
    snprintf(text, sizeof text, "column of rank %d", rank);
    CALL(MPI_Type_set_name(type, text));
    expect_name(type, text);
    MPI_Type_dup(type, &twin);
    CALL(MPI_Type_set_name(twin, "twin"));
    expect_name(twin, "twin");
    expect_name(type, text);
    CALL(MPI_Type_set_name(type, "another"));
    expect_name(type, "another");
    MPI_Type_free(&twin);
    MPI_Type_commit(&type);
    expect_name(type, "another");
    MPI_Type_free(&type);
    MPI_Type_dup(MPI_DOUBLE, &type);
    CALL(MPI_Type_set_name(type, "my double"));
    expect_name(type, "my double");
    expect_name(MPI_DOUBLE, "MPI_DOUBLE");
    MPI_Type_free(&type);
    return conform_end(0);
}
