/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that MPI itself answers. */
#ifndef EP_DROPIN_PASSED_H
#define EP_DROPIN_PASSED_H

#include "api/api.h"

/* What MPI's function returned becomes what the program is returned: errors are raised for w, with MPI's own
 * text. MPI's own world must return errors. */
int passed(struct where w, int code);

/* Its arguments, before. Each raises the error and returns its class, or MPI_SUCCESS. */
int passed_type(struct where w, MPI_Datatype type, const char *name, bool may_be_null);
int passed_type_at(struct where w, const MPI_Datatype *type, const char *name);
/* Does a callback run in this thread that is told that an attribute of that type goes (type_attr.c)? */
bool passed_type_leaves(MPI_Datatype type);
int passed_types(struct where w, int n, const MPI_Datatype types[]);
int passed_info(struct where w, MPI_Info info, const char *name, bool may_be_null);
int passed_info_at(struct where w, const MPI_Info *info, const char *name);
int passed_array(struct where w, int n, const void *array, const char *name);
/* Null only for addresses in a derived type, or for nothing. */
int passed_buffer(struct where w, const void *buf, int count, MPI_Datatype type, const char *name);

/* MPI_Type_c2f of a type for which several threads may ask at a time. */
MPI_Fint passed_type_number(MPI_Datatype type);

#endif
