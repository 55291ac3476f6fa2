/* SPDX-License-Identifier: BSD-3-Clause */
/* A procedure pmpi_xxx_ has other symbols: those of its specific procedures in the modules, and weak ones without p, which a program
 * may define itself (MPI 14.2). */
#ifndef EP_FORTRAN_NAMES_H
#define EP_FORTRAN_NAMES_H

#ifdef EP_FORTRAN_NATIVE
/* Module ep: a procedure that is pmpi_xxx_ elsewhere has another name (tools/fortran_native.py), and a second one where numbers of
 * MPI's handles are INTEGER. */
#include <native_names.h>

#define FORTRAN_SECOND(procedure, name)                                                                      \
    extern __typeof__(ep_##procedure##_) ep_##name##_ __attribute__((alias("ep_" #procedure "_")));
#define FORTRAN_NAME(procedure, p, name)
#define FORTRAN_NAME_WEAK(procedure, p, name)
#define FORTRAN_NAMES(procedure) FORTRAN_SECOND(procedure##_f08, procedure##_f)
#else

/* NAME(send, p, send_f08): pmpi_send_f08_ is pmpi_send_. */
#define FORTRAN_NAME(procedure, p, name)                                                                     \
    extern __typeof__(pmpi_##procedure##_) p##mpi_##name##_ __attribute__((alias("pmpi_" #procedure "_")));
#define FORTRAN_NAME_WEAK(procedure, p, name)                                                                \
    extern __typeof__(pmpi_##procedure##_) p##mpi_##name##_                                                  \
        __attribute__((weak, alias("pmpi_" #procedure "_")));

/* All of one without a choice buffer. */
#define FORTRAN_NAMES(procedure)                                                                             \
    FORTRAN_NAME_WEAK(procedure, , procedure)                                                                \
    FORTRAN_NAME(procedure, p, procedure##_f08)                                                              \
    FORTRAN_NAME_WEAK(procedure, , procedure##_f08)
#endif

#endif
