/* SPDX-License-Identifier: BSD-3-Clause */
/* Module ep: what counters are, in strings of Fortran. */
#include "fortran/native/native.h"

void ep_counter_info_f08_(const MPI_Fint *index, char *name, char *meaning, char *unit, MPI_Fint *kind,
                          MPI_Fint *ierror, size_t name_length, size_t meaning_length, size_t unit_length)
{
    const char *name_c, *meaning_c, *unit_c;
    int rc = ep_counter_info(*index, &name_c, &meaning_c, &unit_c, kind);
    if (rc == MPI_SUCCESS) {
        string_give(name, name_length, name_c);
        string_give(meaning, meaning_length, meaning_c);
        string_give(unit, unit_length, unit_c);
    }
    ierror_set(ierror, rc);
}
