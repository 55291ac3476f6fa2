/* SPDX-License-Identifier: BSD-3-Clause */
/* A procedure pmpi_xxx_ has other symbols: those of its specific procedures in the modules, and weak ones without p, which a program
 * may define itself (MPI 14.2). */
#ifndef EP_FORTRAN_NAMES_H
#define EP_FORTRAN_NAMES_H

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
