/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks while walking a list, in_reduction beside firstprivate pointers; single nowait in a loop of
 * regions. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next;
    long value;
};

int main(void)
{
    struct node *head = NULL;
    for (long i = 0; i < 200; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            return 1;
        *n = (struct node){head, i};
        head = n;
    }
    long sum = 0, squares = 0;
#pragma omp parallel
    {
#pragma omp single nowait
        {
#pragma omp taskgroup task_reduction(+ : sum)
            for (struct node *n = head; n; n = n->next) {
#pragma omp task in_reduction(+ : sum) firstprivate(n)
                sum += n->value;
            }
        }
#pragma omp single nowait
        for (struct node *n = head; n; n = n->next) {
#pragma omp task firstprivate(n) shared(squares)
#pragma omp atomic
            squares += n->value * n->value;
        }
    }
    for (struct node *n = head, *next; n; n = next) {
        next = n->next;
        free(n);
    }
    printf("sum %ld squares %ld\n", sum, squares);
    return 0;
}
