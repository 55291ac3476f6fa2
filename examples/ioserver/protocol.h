/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * protocol.h: the messages between clients and servers, on their intercommunicator.
 *
 *   client -> server   tag = number of the stream: the part of the client's block that is in the server's band. One
 *                      for each server that has any, whenever the stream is due. Synchronous: it is complete when
 *                      the server has taken it, so a client's buffers bound what is under way.
 *   client -> server   TAG_END, struct end: one from each client to each server, after all its data.
 *   server 0 -> client TAG_CONTROL, struct control: CONTROL_STOP at most once, if the run cannot go on;
 *                      CONTROL_DONE once, when the files are closed.
 *
 * Who ends early, and why. A client that cannot go on (--end-client) says so in its TAG_END. Server 0 then stops the
 * others, which end after different steps. A server has the values of its own clients alone, so before each record
 * the servers ask each other whether one of them lacks values (server.c): the first record that one does is not
 * written, nor is a later one, and what came of later steps is received and dropped, so that no send is left.
 * CONTROL_DONE then says why. If the servers cannot go on (disk full), server 0 stops the clients, and all that
 * still comes is dropped.
 */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#include "output.h"

enum { TAG_END = 10000, TAG_CONTROL };

struct end {
    int steps; /* that it has sent all data of */
    int early;
    char reason[OUTPUT_MESSAGE]; /* for that; none where others did so first */
    int sent[];                  /* messages, of each stream */
};

static inline size_t end_size(int num_streams)
{
    return sizeof(struct end) + num_streams * sizeof(int);
}

enum { CONTROL_STOP = 1, CONTROL_DONE };

struct control {
    int what;
    int failed; /* CONTROL_DONE: not all is written */
    char reason[OUTPUT_MESSAGE];
};

#endif
