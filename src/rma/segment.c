/* SPDX-License-Identifier: BSD-3-Clause */
#include "rma/rma.h"
