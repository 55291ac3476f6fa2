/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of communicators: the predefined ones, long ones, empty ones; they are not passed on by dup. */
#include "conform.h"

#include <string.h>

static void named(MPI_Comm comm, const char *expected)
{
    char name[MPI_MAX_OBJECT_NAME];
    int length = -1;

    memset(name, 'x', sizeof name);
    CALL(MPI_Comm_get_name(comm, name, &length));
    if (strcmp(name, expected) != 0 || length != (int)strlen(expected))
        conform_error("name \"%s\", length %d, not \"%s\"", name, length, expected);
}

int main(int argc, char **argv)
{
    char text[MPI_MAX_OBJECT_NAME];
    MPI_Comm copy, other, comm;

    conform_init(&argc, &argv);
    named(MPI_COMM_WORLD, "MPI_COMM_WORLD");
    named(MPI_COMM_SELF, "MPI_COMM_SELF");
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    named(copy, "");
    CALL(MPI_Comm_set_name(copy, "a name"));
    named(copy, "a name");
    CALL(MPI_Comm_dup(copy, &other));
    named(other, "");
    CALL(MPI_Comm_set_name(copy, ""));
    named(copy, "");
    memset(text, 'n', sizeof text);
    text[sizeof text - 1] = '\0';
    CALL(MPI_Comm_set_name(copy, text));
    named(copy, text);
    CALL(MPI_Comm_free(&other));
    CALL(MPI_Comm_free(&copy));
    CALL(MPI_Comm_set_name(MPI_COMM_WORLD, "everybody"));
    named(MPI_COMM_WORLD, "everybody");
    CALL(MPI_Comm_set_name(MPI_COMM_WORLD, "MPI_COMM_WORLD"));
    CALL(MPI_Comm_set_name(MPI_COMM_SELF, "me"));
    named(MPI_COMM_SELF, "me");
    while (conform_comm(&comm, NULL)) {
        if (comm != MPI_COMM_NULL) {
            CALL(MPI_Comm_set_name(comm, conform_comm_name()));
            named(comm, conform_comm_name());
        }
        conform_free_comm(&comm);
    }
    return conform_end(0);
}
