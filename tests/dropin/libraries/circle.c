/* SPDX-License-Identifier: BSD-3-Clause */
/* One library of a circle: calls the next one until the count is used up. */

static int here;

int SELF(int n);
int NEXT(int n);
int turns_here(void);

int SELF(int n)
{
    here++;
    return n > 0 ? 1 + NEXT(n - 1) : 0;
}

int turns_here(void)
{
    return here;
}
