/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the conformance programs share. Each is a plain MPI program that checks itself: rank 0 ends with the line
 * " No Errors", or else what was wrong is said and the exit status is not zero.
 *
 * A comment "conform: WHAT VALUE" in a program tells the runner more: flags (of the compiler), args (of the
 * program), status (that the job must end with, instead of
 * " No Errors"; "nonzero": any), alone (one process, one rank).
 */
#ifndef CONFORM_H
#define CONFORM_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* MPI_Init, or MPI_Init_thread, that must provide the level: else " No Errors" at once, nothing to test. */
void conform_init(int *argc, char ***argv);
void conform_init_thread(int *argc, char ***argv, int level);

/* Sum errs and the errors counted in here over MPI_COMM_WORLD, report, finalize. The exit status. */
int conform_end(int errs);

/* Say what is wrong and count it; by any thread. Only the first ones are shown. */
__attribute__((format(printf, 1, 2))) void conform_error(const char *format, ...);
/* Count an error if not ok; returns ok. */
int conform_check(int ok, const char *file, int line, const char *what);
#define CHECK(condition) conform_check(!!(condition), __FILE__, __LINE__, #condition)
/* Must be MPI_SUCCESS. */
#define CALL(call) conform_code(call, MPI_SUCCESS, __FILE__, __LINE__, #call)
/* Must fail with this error class. */
#define FAILS(class, call) conform_code(call, class, __FILE__, __LINE__, #call)
int conform_code(int code, int error_class, const char *file, int line, const char *what);

/*
 * Communicators of all sorts, one per call, from the first again after 0 was returned; all ranks of MPI_COMM_WORLD
 * call it together. MPI_COMM_NULL for those that are not in this one. is_inter may be NULL. Give each to
 * conform_free_comm.
 */
int conform_comm(MPI_Comm *comm, int *is_inter);
void conform_free_comm(MPI_Comm *comm);
/* What the last one is, for messages. */
const char *conform_comm_name(void);

#ifdef __cplusplus
}
#endif

#endif
