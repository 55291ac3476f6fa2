/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Module ep (docs/fortran.md): the procedures that tools/fortran_native.py does not make, as it declares them. What is common to this
 * and the drop-in's bindings is compiled for both, here with EP_FORTRAN_NATIVE: a status is what it is in C, MPI_BOTTOM and its like
 * are those of the MPI underneath.
 */
#ifndef EP_FORTRAN_NATIVE_NATIVE_H
#define EP_FORTRAN_NATIVE_NATIVE_H

#include "fortran/fortran.h"
#include "fortran/names.h"

/* ---- endpoints.c ---- */

typedef void fortran_run(MPI_Fint *world, void *arg, MPI_Fint *ierror);

void ep_init_thread_f08_(const MPI_Fint *required, MPI_Fint *provided, MPI_Fint *ierror);
double ep_wtime_f08_(void);
double ep_wtick_f08_(void);
void ep_comm_create_endpoints_f08_(const MPI_Fint *parent, const MPI_Fint *num_ep, const MPI_Fint *info,
                                   MPI_Fint endpoints[], MPI_Fint *ierror);
void ep_comm_get_mpi_comm_f08_(const MPI_Fint *comm, MPI_Fint *process_comm, MPI_Fint *ierror);
void ep_run_f08_(const MPI_Fint *num_ep, fortran_run *fn, void *const *arg, MPI_Fint *ierror);

/* ---- requests.c ---- */

void ep_iwait_f08_(MPI_Fint *request, MPI_Fint *status, MPI_Fint *ierror);
void ep_iwaitall_f08_(const MPI_Fint *count, MPI_Fint requests[], MPI_Fint *statuses, MPI_Fint *ierror);
void ep_iwait_event_f08_(MPI_Fint *request, MPI_Fint *status, const uintptr_t *event, MPI_Fint *ierror);

void ep_buffer_detach_f08_(void **buffer_addr, MPI_Fint *size, MPI_Fint *ierror);

/* ---- funnel.c: a handle is the one of C ---- */

typedef void fortran_funnel(MPI_Fint *process_comm, MPI_Fint *num_args, void *args[], MPI_Fint *result);

void ep_funnel_create_f08_(const MPI_Fint *comm, ep_funnel *funnel, MPI_Fint *ierror);
void ep_funnel_call_f08_(const ep_funnel *funnel, fortran_funnel *fn, void *const *arg, MPI_Fint *result,
                         MPI_Fint *ierror);
void ep_funnel_free_f08_(ep_funnel *funnel, MPI_Fint *ierror);

/* ---- counters.c ---- */

void ep_counter_info_f08_(const MPI_Fint *index, char *name, char *meaning, char *unit, MPI_Fint *kind,
                          MPI_Fint *ierror, size_t name_length, size_t meaning_length, size_t unit_length);

#endif
