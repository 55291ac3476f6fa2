/* SPDX-License-Identifier: BSD-3-Clause */
/* Backtracking: a taskgroup around a whole tree of tasks whose argument is a structure. */
#include <stdio.h>

struct board {
    int n, row;
    char column[10];
};

static int solutions;

static int fits(const struct board *b, int column)
{
    for (int i = 0; i < b->row; i++)
        if (b->column[i] == column || b->column[i] - column == b->row - i ||
            column - b->column[i] == b->row - i)
            return 0;
    return 1;
}

static void place(struct board b)
{
    if (b.row == b.n) {
#pragma omp atomic
        solutions++;
        return;
    }
    for (int c = 0; c < b.n; c++) {
        if (!fits(&b, c))
            continue;
        struct board next = b;
        next.column[next.row++] = (char)c;
#pragma omp task firstprivate(next)
        place(next);
    }
}

int main(void)
{
#pragma omp parallel
#pragma omp single
    for (int n = 4; n <= 7; n++) {
        solutions = 0;
#pragma omp taskgroup
        place((struct board){.n = n});
        printf("%d queens: %d\n", n, solutions);
    }
    return 0;
}
