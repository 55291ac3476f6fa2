/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Errors. The code of an error is its MPI class. The text of the last error is kept per thread, so that
 * ep_error_string(code) right after a call gives the whole story.
 */
#ifndef EP_COMM_ERROR_H
#define EP_COMM_ERROR_H

#include <ep.h>
#include <stdbool.h>

/* Where an error happened: endpoint (NULL if it belongs to none) and public function (NULL if unknown). */
struct where {
    ep_comm view;
    const char *call;
};

/* Compose the message, call the error handler, return the class. The handler may be the user's, so no lock
 * is held. */
__attribute__((format(printf, 3, 4), cold, noinline)) int raise_error(struct where where, int error_class,
                                                                      const char *format, ...);

/* Only compose the message (for codes reported inside statuses). */
__attribute__((format(printf, 3, 4), cold, noinline)) void note_error(struct where where, int error_class,
                                                                      const char *format, ...);

/* Call the handler for an error whose message is noted already. */
int handle_error(ep_comm view, int error_class);

/* The same of a call of a file function that has no file: EP_FILE_NULL's handler (MPI 13.7). raise_error does so by the call's
 * name, where the view is no file's. */
int handle_no_file(int error_class);

/* Where that is kept for the calling thread. */
_Atomic(ep_errhandler) *no_file_handler(void);

/* Message of code if it was this thread's last error, else NULL. */
const char *error_message(int code);

/* Class of a code of the MPI underneath. */
int error_class_of_mpi(int mpi_code);

/* ---- codes ---- */

/*
 * Error classes and codes that the program adds (MPI 8.5). They are ep's own and not handed to the MPI
 * underneath: Open MPI 4.1 forgets which class an added code has, and MPICH 4 gives a code of a predefined
 * class the number of an error of its own. Theirs and ours cannot be mixed up: our numbers begin above all
 * of theirs.
 */

/* A class of MPI's or an added one, and not only a code. */
bool code_is_class(int code);
/* A code that MPI has or that was added. MPI must not be asked about others: it may abort or crash. */
bool code_is_known(int code);

/* One of the program's own: its text is what the program says. */
bool code_is_added(int code);

/* Of a known code. */
int code_class(int code);
/* At most MPI_MAX_ERROR_STRING characters with the end; of any code. */
void code_text(int code, char *text);

/* A new code of a class; 0: a new class. 0 without memory. */
int code_add(int error_class);
/* MPI_ERR_ARG: not an added code. */
int code_set_text(int code, const char *text);

/* The highest code in use (attribute MPI_LASTUSEDCODE), for the calling thread; of_mpi: MPI's highest. */
int *code_last_used(int of_mpi);

#endif
