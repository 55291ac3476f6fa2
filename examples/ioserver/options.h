/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h: from the command line to a job. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "job.h"

/* Reads the options, the definitions and the grid; ends the run with a message if they are wrong. Once per process,
 * before there are endpoints. */
void job_setup(struct job *job, int argc, char **argv);
void job_free(struct job *job);

#endif
