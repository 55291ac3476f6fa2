/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/attr_value.h"

struct attr_value attr_value_of_integer(enum attr_language set_in, MPI_Aint integer)
{
    if (set_in == ATTR_FORTRAN_1)
        return (struct attr_value){set_in, {.integer_1 = (MPI_Fint)integer}};
    return (struct attr_value){set_in, {.integer = integer}};
}

void *attr_value_in_c(struct attr_value *v)
{
    if (v->set_in == ATTR_C)
        return v->address;
    return v->set_in == ATTR_FORTRAN_1 ? (void *)&v->integer_1 : (void *)&v->integer;
}

MPI_Aint attr_value_in_fortran(enum attr_language language, const struct attr_value *v)
{
    MPI_Aint whole = v->set_in == ATTR_C           ? (MPI_Aint)v->address
                     : v->set_in == ATTR_FORTRAN_1 ? v->integer_1
                                                   : v->integer;
    return language == ATTR_FORTRAN_1 ? (MPI_Fint)whole : whole;
}

struct attr_value attr_value_copied(struct attr_value *in, void *result)
{
    return result == attr_value_in_c(in) ? *in : attr_value_of(result);
}

int attr_fortran_call_copy(enum attr_language language, attr_fortran_copy *copy, MPI_Fint handle, int keyval,
                           void *extra, const struct attr_value *in, struct attr_value *out, int *flag)
{
    MPI_Aint state = (MPI_Aint)extra, seen = attr_value_in_fortran(language, in), given = seen, result = 0;
    MPI_Fint number = keyval, logical = 0, ierror = MPI_SUCCESS;
    copy(&handle, &number, &state, &given, &result, &logical, &ierror);
    if (language == ATTR_FORTRAN_1)
        result = (MPI_Fint)result;
    *out = result == seen ? *in : attr_value_of_integer(language, result);
    *flag = logical != 0;
    return ierror;
}

int attr_fortran_call_delete(enum attr_language language, attr_fortran_delete *delete, MPI_Fint handle,
                             int keyval, void *extra, const struct attr_value *value)
{
    MPI_Aint state = (MPI_Aint)extra, seen = attr_value_in_fortran(language, value);
    MPI_Fint number = keyval, ierror = MPI_SUCCESS;
    delete (&handle, &number, &seen, &state, &ierror);
    return ierror;
}
