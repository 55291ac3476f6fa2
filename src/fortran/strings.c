/* SPDX-License-Identifier: BSD-3-Clause */
/* Strings (MPI 17.1.1): of a length, filled with blanks. */
#include <stdlib.h>
#include <string.h>

#include "fortran/fortran.h"

int string_room(const char *call, void **text, char few[FEW_CHARACTERS], size_t room)
{
    *text = room <= FEW_CHARACTERS ? few : malloc(room);
    return *text ? MPI_SUCCESS
                 : ep_fortran_error(EP_COMM_NULL, call, MPI_ERR_NO_MEM, "no memory for a string");
}

int string_take(const char *call, struct string *string, const char *from, size_t n, bool lead)
{
    while (n > 0 && from[n - 1] == ' ')
        n--;
    while (lead && n > 0 && *from == ' ')
        from++, n--;
    void *text;
    int rc = string_room(call, &text, string->few, n + 1);
    string->text = text;
    if (rc != MPI_SUCCESS)
        return rc;
    memcpy(string->text, from, n);
    string->text[n] = '\0';
    return MPI_SUCCESS;
}

void string_drop(struct string *string)
{
    if (string->text != string->few)
        free(string->text);
}

void string_give(char *to, size_t n, const char *from)
{
    size_t length = strnlen(from, n);
    memcpy(to, from, length);
    memset(to + length, ' ', n - length);
}
