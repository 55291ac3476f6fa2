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

/* Its functions have names that no program knows, for those that a program knows are ep's (ep_names.h). */
#include <ep_hide.h>
#ifndef MPICH_RENAMING_MPI_FUNCS
#define MPICH_RENAMING_MPI_FUNCS 1 /* else it takes some of these names away */
#endif

#include_next <mpi.h>

#include <ep_show.h>
