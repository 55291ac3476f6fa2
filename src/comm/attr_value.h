/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values of attributes between languages (MPI 17.2.7). C sets addresses, Fortran integers. C gets an integer of Fortran's by its
 * address, Fortran an address of C's as an integer; a copy keeps what the value was where its callback gives the value it got.
 *
 * Callbacks written in Fortran have all arguments by reference. Those of MPI-1 know values as INTEGER: that is the first part of
 * what they are given.
 */
#ifndef EP_COMM_ATTR_VALUE_H
#define EP_COMM_ATTR_VALUE_H

#include <ep.h>
#include <stdbool.h>

/* Of who sets a value, made a key, or asks. */
enum attr_language { ATTR_C, ATTR_FORTRAN, ATTR_FORTRAN_1 }; /* the last with functions of MPI-1 */

struct attr_value {
    enum attr_language set_in;
    union {
        void *address;      /* ATTR_C */
        MPI_Aint integer;   /* ATTR_FORTRAN */
        MPI_Fint integer_1; /* ATTR_FORTRAN_1 */
    };
};

static inline struct attr_value attr_value_of(void *address)
{
    return (struct attr_value){ATTR_C, {.address = address}};
}
struct attr_value attr_value_of_integer(enum attr_language set_in, MPI_Aint integer);

/* As C has it: perhaps a part of *v. */
void *attr_value_in_c(struct attr_value *v);
/* As Fortran has it; in ATTR_FORTRAN_1 what an INTEGER holds of it. */
MPI_Aint attr_value_in_fortran(enum attr_language language, const struct attr_value *v);

/* What a callback in C made of *in, which it was given by attr_value_in_c. */
struct attr_value attr_value_copied(struct attr_value *in, void *result);

/* ---- callbacks in Fortran ---- */

typedef void attr_fortran_copy(MPI_Fint *handle, MPI_Fint *keyval, MPI_Aint *extra_state, MPI_Aint *in,
                               MPI_Aint *out, MPI_Fint *flag, MPI_Fint *ierror);
typedef void attr_fortran_delete(MPI_Fint *handle, MPI_Fint *keyval, MPI_Aint *value, MPI_Aint *extra_state,
                                 MPI_Fint *ierror);

/* handle: the number of the object. What *ierror was is returned. */
int attr_fortran_call_copy(enum attr_language language, attr_fortran_copy *copy, MPI_Fint handle, int keyval,
                           void *extra, const struct attr_value *in, struct attr_value *out, int *flag);
int attr_fortran_call_delete(enum attr_language language, attr_fortran_delete *delete, MPI_Fint handle,
                             int keyval, void *extra, const struct attr_value *value);

#endif
