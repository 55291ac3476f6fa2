/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EP_COLL_CHECK_H
#define EP_COLL_CHECK_H

#include "coll/op.h"

/* EP_CHECK: an algorithm that first compares the calls of all endpoints, then goes on as algorithm_for says;
 * or ends the operation with an error that says who called what. */
extern const struct coll_algorithm algorithm_check;

#endif
