/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting, time, and what is no subroutine of the usual form. */
#include <fortran_calls.h>

#include "fortran/descriptor.h"
#include "fortran/fortran.h"

void pmpi_init_(MPI_Fint *ierror)
{
    ierror_set(ierror, ep_PMPI_Init(NULL, NULL));
}
FORTRAN_NAMES(init)

void pmpi_init_thread_(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *ierror)
{
    ierror_set(ierror, ep_PMPI_Init_thread(NULL, NULL, *required, provided));
}
FORTRAN_NAMES(init_thread)

void pmpi_pcontrol_(MPI_Fint *level);
void pmpi_pcontrol_(MPI_Fint *level)
{
    ep_PMPI_Pcontrol(*level);
}
FORTRAN_NAMES(pcontrol)

double pmpi_wtime_(void);
double pmpi_wtime_(void)
{
    return ep_wtime();
}
FORTRAN_NAMES(wtime)

double pmpi_wtick_(void);
double pmpi_wtick_(void)
{
    return ep_wtick();
}
FORTRAN_NAMES(wtick)

/* ---- what keeps a compiler from moving accesses, and addresses ---- */

void pmpi_f_sync_reg_(void *buffer);
void pmpi_f_sync_reg_(void *buffer)
{
    (void)buffer;
}
FORTRAN_NAME_WEAK(f_sync_reg, , f_sync_reg)
FORTRAN_NAME(f_sync_reg, p, f_sync_reg_f08ts)
FORTRAN_NAME_WEAK(f_sync_reg, , f_sync_reg_f08ts)

void pmpi_sizeof_f08ts_(struct descriptor *x, MPI_Fint *size, MPI_Fint *ierror);
void pmpi_sizeof_f08ts_(struct descriptor *x, MPI_Fint *size, MPI_Fint *ierror)
{
    *size = (MPI_Fint)x->element;
    ierror_set(ierror, MPI_SUCCESS);
}
FORTRAN_NAME_WEAK(sizeof_f08ts, , sizeof_f08ts)

MPI_Aint pmpi_aint_add_(MPI_Aint *base, MPI_Aint *disp);
MPI_Aint pmpi_aint_add_(MPI_Aint *base, MPI_Aint *disp)
{
    return MPI_Aint_add(*base, *disp);
}
FORTRAN_NAMES(aint_add)

MPI_Aint pmpi_aint_diff_(MPI_Aint *addr1, MPI_Aint *addr2);
MPI_Aint pmpi_aint_diff_(MPI_Aint *addr1, MPI_Aint *addr2)
{
    return MPI_Aint_diff(*addr1, *addr2);
}
FORTRAN_NAMES(aint_diff)

/* ---- buffers of buffered sends ---- */

/* No address is returned where the argument is a choice buffer (MPI 3.6). */
void pmpi_buffer_detach_(void *buffer_addr, MPI_Fint *size, MPI_Fint *ierror)
{
    void *unused;
    (void)buffer_addr;
    ierror_set(ierror, ep_buffer_detach(&unused, size));
}
FORTRAN_NAME_WEAK(buffer_detach, , buffer_detach)

/* TYPE(C_PTR). */
void pmpi_buffer_detach_f08_(void *buffer_addr, MPI_Fint *size, MPI_Fint *ierror);
void pmpi_buffer_detach_f08_(void *buffer_addr, MPI_Fint *size, MPI_Fint *ierror)
{
    ierror_set(ierror, ep_buffer_detach(buffer_addr, size));
}
FORTRAN_NAME_WEAK(buffer_detach_f08, , buffer_detach_f08)

/* ---- hints ---- */

/* The value has so many characters as there is room for, and at most valuelen; without one it is left as it was (MPI 9). */
void pmpi_info_get_(MPI_Fint *info, char *key, MPI_Fint *valuelen, char *value, MPI_Fint *flag,
                    MPI_Fint *ierror, size_t key_length, size_t value_length)
{
    static const char call[] = "MPI_Info_get";
    struct string key_c = {0};
    void *text = NULL;
    char few[FEW_CHARACTERS];
    size_t room = *valuelen > 0 ? (size_t)*valuelen + 1 : 1;
    int rc = string_take(call, &key_c, key, key_length, true);
    if (rc == MPI_SUCCESS)
        rc = string_room(call, &text, few, room);
    if (rc == MPI_SUCCESS)
        rc = ep_PMPI_Info_get(info_f2c(*info), key_c.text, *valuelen, text, flag);
    if (rc == MPI_SUCCESS && *flag)
        string_give(value, value_length, text);
    string_drop(&key_c);
    array_drop(text, few);
    ierror_set(ierror, rc);
}
FORTRAN_NAMES(info_get)
