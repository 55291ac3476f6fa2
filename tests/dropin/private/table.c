/* SPDX-License-Identifier: BSD-3-Clause */
/* A library for resolver.c: large tables, of which the dynamic linker needs nothing. */
enum { MANY = 1 << 18, MIDDLE = MANY / 2 };

double table[MANY] = {5, [MIDDLE] = 6, [MANY - 1] = 7};
const double constants[MANY] = {8, [MIDDLE] = 9, [MANY - 1] = 10};

int table_middle(void)
{
    return (int)table[MIDDLE];
}
