/* SPDX-License-Identifier: BSD-3-Clause */
/* detach: a task is complete when its body has ended and its event is fulfilled, whichever comes last. */
#include <omp.h>
#include <stdio.h>

enum { N = 10 };

int main(void)
{
    static int x, bodies, after, fulfilled, own, wrong;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < N; i++) {
            omp_event_handle_t e;
#pragma omp task detach(e) depend(out : x)
            {
                bodies++;
                x = i;
            }
#pragma omp task depend(in : x)
            {
                int seen;
#pragma omp atomic read
                seen = fulfilled;
                wrong += seen <= i || x != i;
                after++;
            }
            /* Before the body, after it or while it runs. */
#pragma omp task firstprivate(e) depend(inout : own)
            {
#pragma omp atomic
                fulfilled++;
                omp_fulfill_event(e);
            }
        }
#pragma omp taskwait
        for (int i = 0; i < N; i++) {
            omp_event_handle_t e;
#pragma omp task detach(e)
            {
#pragma omp atomic
                own++;
                omp_fulfill_event(e);
            }
        }
#pragma omp taskgroup
        {
            omp_event_handle_t e;
#pragma omp task detach(e)
#pragma omp atomic
            own += 100;
            omp_fulfill_event(e);
        }
#pragma omp taskwait
    }
    printf("bodies %d after %d fulfilled %d own %d wrong %d\n", bodies, after, fulfilled, own, wrong);
    return 0;
}
