/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EP_CRT_MODE_H
#define EP_CRT_MODE_H

/* From now on omp_set_external has no effect: MPI is initialised. */
void mode_fix(void);

#endif
