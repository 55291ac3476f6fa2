/* SPDX-License-Identifier: BSD-3-Clause */
#include "shmem/pe.h"
