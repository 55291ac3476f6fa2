/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hybrid_coll.h: collectives as a program with MPI and OpenMP has them written by hand, with the parameters of MPI's so that coll.c
 * can call them. The threads of a process share buffers, meet at OpenMP's barrier, and the master makes one call
 * of MPI for all of them (MPI_THREAD_FUNNELED). Each thread ends with its own copy of the result, as a rank does; after
 * bcast_shared and allreduce_shared there is one copy for all threads of a process instead, and the caller's buffer is left alone.
 *
 * Doubles, MPI_SUM and MPI_MAX, root 0, and the same number of threads in each process are all there is. To be called by all threads of an
 * OpenMP team, one per process.
 */
#ifndef BENCH_HYBRID_COLL_H
#define BENCH_HYBRID_COLL_H

#include <mpi.h>
#include <stddef.h>

/* Called by one thread before the team begins: space for blocks of so many bytes. */
void hybrid_open(int processes, int threads, size_t largest);
void hybrid_close(void);

/* thread: the caller's number; stands where MPI has a communicator. */
int hybrid_barrier(int thread);
int hybrid_bcast(void *buf, int count, MPI_Datatype, int root, int thread);
int hybrid_reduce(const void *send, void *recv, int count, MPI_Datatype, MPI_Op, int root, int thread);
int hybrid_allreduce(const void *send, void *recv, int count, MPI_Datatype, MPI_Op, int thread);
int hybrid_allgather(const void *send, int count, MPI_Datatype, void *recv, int, MPI_Datatype, int thread);
int hybrid_alltoall(const void *send, int count, MPI_Datatype, void *recv, int, MPI_Datatype, int thread);

/* Where the result is, until the caller's next call. */
const double *hybrid_bcast_shared(double *buf, int count, int thread);
const double *hybrid_allreduce_shared(const double *send, int count, int thread);

#endif
