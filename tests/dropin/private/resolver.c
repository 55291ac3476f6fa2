/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The resolver of an indirect function, which runs while the dynamic linker relocates, looks at variables and calls a function
 * of a private library (table.c) that is loaded with it.
 */
#include "check.h"

enum { MANY = 1 << 18, MIDDLE = MANY / 2 };

extern double table[MANY];
extern const double constants[MANY];
int table_middle(void);

static int right(void)
{
    return 1;
}

static int wrong(void)
{
    return 2;
}

static int (*choose(void))(void)
{
    return table[MIDDLE] == 6 && constants[MIDDLE] == 9 && table_middle() == 6 ? right : wrong;
}

int chosen(void) __attribute__((ifunc("choose")));

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    CHECK(chosen() == 1);
    CHECK(table[0] == 5 && table[MANY - 1] == 7 && constants[0] == 8 && constants[MANY - 1] == 10);
    meet();
    table[3] = rank;
    meet();
    CHECK(table[3] == rank);
    return end();
}
