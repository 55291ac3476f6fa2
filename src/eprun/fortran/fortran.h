/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fortran's run-time system is libgfortran.so, of which each endpoint has its own copy (eprun/image): its units, its random numbers,
 * its arguments. What the copy asks of libc is here made the endpoint's (calls.def): output in whole lines, the environment, what
 * it does to signals.
 */
#ifndef EP_EPRUN_FORTRAN_H
#define EP_EPRUN_FORTRAN_H

#include "eprun/eprun.h"

/* faults.c: after the signal has been told of, what the endpoint's copy has to say: Fortran's backtrace. From a signal handler; self
 * is NULL. */
void fortran_report(struct eprun_rank *e, int signal);

#endif
