/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/overlap.h"

enum { SHARED = LIVES_LOWER | LIVES_UPPER };

/* The lowest process but one of those where the group lives, -1 if there is none. */
static int lowest_other(int n, const unsigned char lives[], const int world[], int group, int but)
{
    int lowest = -1;
    for (int p = 0; p < n; p++)
        if (p != but && (lives[p] & group) && (lowest < 0 || world[p] < world[lowest]))
            lowest = p;
    return lowest;
}

/* Both leaders live in one process. */
static const char *part_leaders(int n, const unsigned char lives[], const int world[], int leader[2])
{
    int both = leader[0], other = lowest_other(n, lives, world, LIVES_LOWER, both);
    if (other >= 0) {
        leader[0] = other;
        return "3a";
    }
    other = lowest_other(n, lives, world, LIVES_UPPER, both);
    if (other >= 0) {
        leader[1] = other;
        return "3b";
    }
    return "3c";
}

const char *overlap_sides(int n, const unsigned char lives[], const int world[], int leader[2],
                          unsigned char side[])
{
    const char *found = "0";
    if (leader[0] == leader[1])
        found = part_leaders(n, lives, world, leader);
    for (int p = 0; p < n; p++) {
        side[p] = lives[p] & LIVES_UPPER ? 1 : 0;
        if (lives[p] != SHARED)
            continue;
        if (p == leader[0])
            side[p] = 0;
        if (found[0] < '2')
            found = p == leader[0] || p == leader[1] ? "2" : "1";
    }
    return found;
}
