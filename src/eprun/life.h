/* SPDX-License-Identifier: BSD-3-Clause */
/* Beginnings and ends: of the threads of an endpoint, of the endpoint, of the process. */
#ifndef EP_EPRUN_LIFE_H
#define EP_EPRUN_LIFE_H

#include "eprun/eprun.h"

/* ---- end.c ---- */

/* Does the calling thread belong to an endpoint? Not in a child process that the program made by fork: there
 * nobody waits for endpoints. */
bool life_is_here(void);

/* A child made by fork from an endpoint's thread? */
bool life_is_in_child(void);

/* A thread of the endpoint begins (said by its creator), has ended. After the last one the program exits with
 * 0. */
void life_thread_begins(struct eprun_rank *e);
void life_thread_ended(struct eprun_rank *e);
/* Has self's endpoint no other thread? */
bool life_is_single_thread(void);

/* at_quick_exit, quick_exit. */
int life_at_quick_exit(void (*function)(void *));
_Noreturn void life_quick_exit(int status);

/* Before the endpoints start; wait until all have ended well. */
void end_prepare(struct eprun_rank endpoints[], int n);
void end_wait(void);

/* Write out what all endpoints have written. */
void end_flush(void);

/* Files that the program left open get what was written to them; not waited for for long. The calling thread is nobody's then. */
void end_flush_files(void);

/* At once, without anything that the C library would do at the end. */
_Noreturn void end_process(int status);

/* ---- far_end.c ---- */

/* Until no process of the job has an endpoint any more. One that has none comes here at once. */
void end_await_others(void);

/* ---- intercept.c ---- */

/* All ranks of the job end with that status, also 0, which MPI_Abort would not give. */
void intercept_end_job(int status);

/* The calling thread's endpoint has failed with that status, not 0, which becomes the job's. The calling thread is nobody's. */
_Noreturn void intercept_fail(int status);

/* ---- threads.c ---- */

/* Call those destructors of the calling thread's thread_local objects that are still to be called. */
void tls_exit_run(void);

/* ---- crash.c ---- */

/* A stack for signal handlers of the calling thread: its own one may be what is used up. */
void crash_thread(void);
void crash_thread_ends(void);

/* signal(), to which what crash.c has set is the default. */
void (*crash_signal(int number, void (*handler)(int)))(int);

/* "endpoint 1 of 4 (process 0)"; without e the whole process. */
void crash_say_who(char *text, size_t size, const struct eprun_rank *e);

/* Below a stack lies another endpoint's. What a rank puts there with a frame larger than the usual guard of a
 * page would be that one's; address space costs nothing. */
enum { STACK_GUARD = 64 << 20 };

/*
 * ---- watch.c: the end that a process cannot tell of: SIGKILL, by a system that has no memory left, a batch
 * system, a user. mpirun tells of processes that it started. One without mpirun has a small process beside
 * it, which waits for its end and says what has not been said.
 */

/* Before MPI starts: there are no other threads yet. */
void watch_start(void);

/* Endpoints will be concerned: what crash_say_who says. */
void watch_endpoints(void);

/* Nothing more is to be said about this process's end. Also in signal handlers; without effect in its
 * children. */
void watch_told(void);

#endif
