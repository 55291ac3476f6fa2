/* SPDX-License-Identifier: BSD-3-Clause */
/* One library of a long chain, which does nothing. */
int turn1(int n);
int (*ep_test_link)(int n) = turn1;
