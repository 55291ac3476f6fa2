/* SPDX-License-Identifier: BSD-3-Clause */
/* The only places where the library writes to stderr. */
#ifndef EP_BASE_LOG_H
#define EP_BASE_LOG_H

/* One line "ep: warning: ..." in one write, so that lines of several processes do not mix. */
__attribute__((format(printf, 1, 2))) void log_warning(const char *format, ...);
/* The same as "ep: error: ..."; used before an abort only. */
__attribute__((format(printf, 1, 2))) void log_error(const char *format, ...);

/* Where a call has no way to say that it has no memory for `what`, as OpenMP's have none: an error, and the end of the program. */
_Noreturn void log_no_memory(const char *what);

/* Before MPI_Abort: until whoever reads standard output and error through pipes has taken what is in them, for a second at most. MPICH's
 * launcher (4.0) kills the job without reading what is still there: one message of ten got lost. */
void log_await_readers(void);

/* Text of several lines, in one write if the system does it in one. */
void log_text(const char *text);

#endif
