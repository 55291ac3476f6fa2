/* SPDX-License-Identifier: BSD-3-Clause */
/* The <mpi.h> underneath. A file of its own, since what is said in a system header gives no warnings, and the
 * drop-in's macros shall. */
#pragma GCC system_header

/* The C++ bindings that MPI-3.0 removed know MPI's own handles only. */
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif

#include_next <mpi.h>
