/* SPDX-License-Identifier: BSD-3-Clause */
#include "fortran/sentinels.h"

struct sentinels ep_mpi_sentinels_;
struct sentinels_c ep_mpi_sentinels_c_;
