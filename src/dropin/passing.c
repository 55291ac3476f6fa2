/* SPDX-License-Identifier: BSD-3-Clause */
#include "dropin/passed.h"

#include "api/api.h"

int passed(struct where w, int code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    if (likely(code == MPI_SUCCESS))
        return MPI_SUCCESS;
    MPI_Error_string(code, text, &length);
    return raise_error(w, error_class_of_mpi(code), "%s", text);
}

static int passed_no_type(struct where w, MPI_Datatype type, const char *name)
{
    return raise_error(w, MPI_ERR_TYPE, "argument %s is %s", name,
                       type == MPI_DATATYPE_NULL ? "MPI_DATATYPE_NULL" : "a freed or invalid handle");
}

int passed_type(struct where w, MPI_Datatype type, const char *name, bool may_be_null)
{
    if (likely(foreign_type_is_sound(type)) || (may_be_null && type == MPI_DATATYPE_NULL))
        return MPI_SUCCESS;
    return passed_type_leaves(type) ? MPI_SUCCESS : passed_no_type(w, type, name);
}

/* To be committed or freed. */
int passed_type_at(struct where w, const MPI_Datatype *type, const char *name)
{
    int rc = check_pointer(w, type, name);
    return rc || foreign_type_is_sound(*type) ? rc : passed_no_type(w, *type, name);
}

int passed_array(struct where w, int n, const void *array, const char *name)
{
    return n > 0 ? check_pointer(w, array, name) : MPI_SUCCESS;
}

int passed_types(struct where w, int n, const MPI_Datatype types[])
{
    int rc = passed_array(w, n, types, "array_of_types");
    for (int i = 0; i < n && rc == MPI_SUCCESS; i++)
        rc = passed_type(w, types[i], "array_of_types", false);
    return rc;
}

int passed_info(struct where w, MPI_Info info, const char *name, bool may_be_null)
{
    if (likely(foreign_info_is_sound(info)) || (may_be_null && info == MPI_INFO_NULL))
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_INFO, "argument %s is %s", name,
                       info == MPI_INFO_NULL ? "MPI_INFO_NULL" : "a freed or invalid handle");
}

int passed_info_at(struct where w, const MPI_Info *info, const char *name)
{
    int rc = check_pointer(w, info, name);
    return rc ? rc : passed_info(w, *info, name, false);
}

int passed_buffer(struct where w, const void *buf, int count, MPI_Datatype type, const char *name)
{
    struct type *t = NULL;
    if (likely(buf) || count == 0)
        return MPI_SUCCESS;
    int rc = check_type(w, type, "datatype", &t);
    return rc || !t->named || t->size == 0
               ? rc
               : raise_error(w, MPI_ERR_BUFFER, "argument %s is null, but there are %d elements", name,
                             count);
}
