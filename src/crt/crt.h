/* SPDX-License-Identifier: BSD-3-Clause */
/* crt: how threads and tasks wait. Knows futexes, no MPI. */
#ifndef EP_CRT_CRT_H
#define EP_CRT_CRT_H

#include <crt.h>

#include "crt/evcount.h"
#include "crt/caller.h"
#include "crt/mode.h"
#include "crt/places.h"
#include "crt/poll.h"
#include "crt/fiber/exec_context.h"

#endif
