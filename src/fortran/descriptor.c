/* SPDX-License-Identifier: BSD-3-Clause */
#include "fortran/descriptor.h"

/* Nothing is asked of an array that is not there or has no elements, and a dimension of one element has no stride. */
bool descriptor_is_contiguous(const struct descriptor *d)
{
    ptrdiff_t packed = (ptrdiff_t)descriptor_element(d);
    bool is_packed = true;
    if (!d->base)
        return true;
    for (int i = 0; i < d->rank; i++) {
        ptrdiff_t extent = d->dimensions[i].extent;
        if (extent == 0)
            return true;
        is_packed = is_packed && (extent == 1 || d->dimensions[i].stride == packed);
        packed *= extent;
    }
    return is_packed;
}
