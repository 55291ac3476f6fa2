/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An intercommunicator's groups are disjoint as endpoints but may share processes; the classic MPI
 * intercommunicator that stands for it wants disjoint processes. Each shared process is given to one side:
 *   1   no leader lives in it: to the upper group
 *   2   one leader: to that leader's group
 *   3   both leaders:
 *   3a    the lower group has another process: to the upper; the lower group's leader moves to the lowest
 *         of its other processes
 *   3b    else, the upper group has another process: the mirror image
 *   3c    both have this one alone: there is no intercommunicator
 * The lower group is the one whose leader has the lower rank in the peer communicator. Case 0: nothing is
 * shared.
 */
#ifndef EP_COMM_OVERLAP_H
#define EP_COMM_OVERLAP_H

enum { LIVES_LOWER = 1, LIVES_UPPER = 2 };

/* lives[p]: which groups have endpoints in process p; world[p]: what orders processes. leader[]: processes
 * of the two leaders, changed where they move. side[p] = 0 or 1 is set. Returns the case of the
 * intercommunicator, the highest that occurs. */
const char *overlap_sides(int n, const unsigned char lives[], const int world[], int leader[2],
                          unsigned char side[]);

#endif
