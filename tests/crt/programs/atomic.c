/* SPDX-License-Identifier: BSD-3-Clause */
/* atomic and flush beside tasks: a list that tasks push to, counted at the end. */
#include <stdio.h>

struct item {
    struct item *next;
    int value;
};

int main(void)
{
    static struct item items[300], *head;
    static int captured[300];
#pragma omp parallel
    {
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 300; i++) {
#pragma omp task
            {
                static int next;
                int ticket;
                items[i].value = i;
#pragma omp atomic capture seq_cst
                ticket = next++;
                captured[ticket]++;
#pragma omp critical(list)
                {
                    items[i].next = head;
                    head = &items[i];
                }
            }
        }
    }
    int sum = 0, once = 0;
    for (struct item *p = head; p; p = p->next)
        sum += p->value;
    for (int i = 0; i < 300; i++)
        once += captured[i] == 1;
    printf("sum %d once %d\n", sum, once);
    return 0;
}
