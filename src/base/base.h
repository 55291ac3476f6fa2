/* SPDX-License-Identifier: BSD-3-Clause */
/* base: what every layer uses. libc only. */
#ifndef EP_BASE_BASE_H
#define EP_BASE_BASE_H

#include "base/arrived.h"
#include "base/atomics.h"
#include "base/chaos.h"
#include "base/clock.h"
#include "base/counters.h"
#include "base/limits.h"
#include "base/list.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/pool.h"
#include "base/reserve.h"
#include "base/settings.h"
#include "base/table.h"
#include "base/wait.h"
#include "base/word.h"

#endif
