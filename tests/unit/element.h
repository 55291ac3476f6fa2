/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements of predefined types: random ones, and what operators make of them, in plain C. */
#ifndef EP_TEST_ELEMENT_H
#define EP_TEST_ELEMENT_H

#include "atomic.h"

enum { ELEMENT_MOST = 64 }; /* bytes */

/* The MPI library has no such type. */
bool element_lacks(const struct sample *t);

void element_random_bytes(char *to, int n);
/* Gaps are left alone. */
void element_make(char *to, const struct sample *t);
/* right = left op right. Gaps are left alone. */
void element_combine(const struct sample *t, MPI_Op op, const char *left, char *right);

#endif
