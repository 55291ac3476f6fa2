/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The porter: a thread that pushes what waits at home while nobody of its process polls, as all its threads may be outside
 * of ep, in a call of MPI that ends only when the message has arrived (MPI 3.5, progress). It is started by the first
 * send that waits, and sleeps while none does.
 */
#ifndef EP_P2P_WIRE_PORTER_H
#define EP_P2P_WIRE_PORTER_H

/* Something waits at home now. Any thread, which may hold the lock of a mate. */
void porter_call(void);
/* No longer needed. Nobody calls it afterwards. */
void porter_end(void);

#endif
