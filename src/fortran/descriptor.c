/* SPDX-License-Identifier: BSD-3-Clause */
#include "fortran/descriptor.h"

/* Of an array without elements nothing is asked, and a dimension of one element has no stride. */
bool descriptor_is_packed(const struct descriptor *d)
{
    ptrdiff_t packed = (ptrdiff_t)descriptor_element(d);
    bool is_packed = true;
    for (int i = 0; i < descriptor_rank(d); i++) {
        ptrdiff_t extent = descriptor_extent(d, i);
        if (extent == 0)
            return true;
        is_packed = is_packed && (extent == 1 || descriptor_stride(d, i) == packed);
        packed *= extent;
    }
    return is_packed;
}
