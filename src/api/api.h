/* SPDX-License-Identifier: BSD-3-Clause */
/* What the layers above may use of api beside the public functions: its checks of arguments. */
#ifndef EP_API_API_H
#define EP_API_API_H

#include "api/check.h"
#include "api/win.h"

#endif
