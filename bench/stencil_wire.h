/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stencil_wire.h: a slow network, where there is none. Between processes of one machine a message takes a
 * microsecond or so; with BENCH_LATENCY=N in the environment no receiver is told of a message before N
 * microseconds have gone by since MPI_Isend was called. This stands between all peers and MPI, by MPI's
 * profiling interface (MPI 14.2), and takes no processor's time from them. One machine only. Large messages,
 * for which MPI's sender waits for the receiver, are moved before that time by plain MPI, and after it by ep.
 */
#ifndef BENCH_STENCIL_WIRE_H
#define BENCH_STENCIL_WIRE_H

/* Collective over MPI_COMM_WORLD. */
void wire_open(void);
void wire_close(void);

/* Hold messages back from now on; not any more. Local, between two barriers of MPI_COMM_WORLD; what is sent
 * between these must be received between them, too. */
void wire_begin(void);
void wire_end(void);

#endif
