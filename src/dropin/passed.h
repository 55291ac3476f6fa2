/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that MPI itself answers. */
#ifndef EP_DROPIN_PASSED_H
#define EP_DROPIN_PASSED_H

#include "api/api.h"

/* What MPI's function returned becomes what the program is returned: errors are raised for w, with MPI's own
 * text. MPI's own world must return errors. */
int passed(struct where w, int code);

#endif
