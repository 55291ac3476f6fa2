/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Errors. The code of an error is its MPI class. The text of the last error is kept per thread, so that
 * ep_error_string(code) right after a call gives the whole story.
 */
#ifndef EP_COMM_ERROR_H
#define EP_COMM_ERROR_H

#include <ep.h>

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

/* Message of code if it was this thread's last error, else NULL. */
const char *error_message(int code);

/* Class of a code of the MPI underneath. */
int error_class_of_mpi(int mpi_code);

#endif
