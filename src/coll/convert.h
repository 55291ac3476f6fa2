/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions with an operator of the user's take derived datatypes, and endpoints of one process may describe equal elements in
 * different ways: with other gaps, or with data that begin elsewhere. Algorithms know one layout for a process (flow_type).
 *
 * A buffer of another layout gets a stand-in: memory of the flow's layout, into which the endpoint's data are copied before the
 * first round, and from which its results are copied when the operation is over, while datatypes of all are still held.
 * Calls whose data are not equal are refused; nothing has been written then.
 */
#ifndef EP_COLL_CONVERT_H
#define EP_COLL_CONVERT_H

#include "coll/op.h"

/* All arguments are there and no round has begun. An error class: the operation has failed, and no algorithm may touch a buffer but for
 * telling other processes. */
int convert_begin(struct op *o);
/* The operation is over, its arguments are not complete. Its error. */
int convert_end(struct op *o, int rc);

#endif
