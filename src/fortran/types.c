/* SPDX-License-Identifier: BSD-3-Clause */
/* Datatypes: what MPI-1 had, where addresses are INTEGER, and what one is made of. */
#include <fortran_calls.h>
#include <limits.h>

#include "fortran/fortran.h"

/* An address loses its upper half. Differences of two are right still, which is what programs of MPI-1 put into datatypes. */
static void address_give(MPI_Fint *to, MPI_Aint address)
{
    *to = (MPI_Fint)(uint32_t)(uint64_t)address;
}

void pmpi_address_(void *location, MPI_Fint *address, MPI_Fint *ierror)
{
    MPI_Aint address_c = 0;
    int rc = ep_PMPI_Address(choice_f2c(location), &address_c);
    if (rc == MPI_SUCCESS)
        address_give(address, address_c);
    ierror_set(ierror, rc);
}
FORTRAN_NAME_WEAK(address, , address)

static void ask_address(const char *call, int (*ask)(MPI_Datatype, MPI_Aint *), const MPI_Fint *datatype,
                        MPI_Fint *result, MPI_Fint *ierror)
{
    MPI_Aint value = 0;
    int rc = ask(datatype_f2c(*datatype), &value);
    if (rc == MPI_SUCCESS && (value < INT_MIN || value > INT_MAX))
        rc = ep_fortran_error(EP_COMM_NULL, call, MPI_ERR_ARG,
                              "the result is no INTEGER: ask MPI_Type_get_extent");
    if (rc == MPI_SUCCESS)
        *result = (MPI_Fint)value;
    ierror_set(ierror, rc);
}

void pmpi_type_extent_(MPI_Fint *datatype, MPI_Fint *extent, MPI_Fint *ierror)
{
    ask_address("MPI_Type_extent", ep_PMPI_Type_extent, datatype, extent, ierror);
}
FORTRAN_NAME_WEAK(type_extent, , type_extent)

void pmpi_type_lb_(MPI_Fint *datatype, MPI_Fint *displacement, MPI_Fint *ierror)
{
    ask_address("MPI_Type_lb", ep_PMPI_Type_lb, datatype, displacement, ierror);
}
FORTRAN_NAME_WEAK(type_lb, , type_lb)

void pmpi_type_ub_(MPI_Fint *datatype, MPI_Fint *displacement, MPI_Fint *ierror)
{
    ask_address("MPI_Type_ub", ep_PMPI_Type_ub, datatype, displacement, ierror);
}
FORTRAN_NAME_WEAK(type_ub, , type_ub)

static void type_give(MPI_Fint *newtype, MPI_Datatype type, MPI_Fint *ierror, int rc)
{
    if (rc == MPI_SUCCESS)
        *newtype = datatype_c2f(type);
    ierror_set(ierror, rc);
}

void pmpi_type_hvector_(MPI_Fint *count, MPI_Fint *blocklength, MPI_Fint *stride, MPI_Fint *oldtype,
                        MPI_Fint *newtype, MPI_Fint *ierror)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int rc = ep_PMPI_Type_hvector(*count, *blocklength, *stride, datatype_f2c(*oldtype), &type);
    type_give(newtype, type, ierror, rc);
}
FORTRAN_NAME_WEAK(type_hvector, , type_hvector)

/* Displacements in C's type; the caller drops them. */
static int addresses_take(const char *call, void **addresses, MPI_Aint few[], int n, const MPI_Fint values[])
{
    int rc = array_take(EP_COMM_NULL, call, addresses, few, n, sizeof *few);
    MPI_Aint *to = *addresses;
    for (int i = 0; i < n && rc == MPI_SUCCESS; i++)
        to[i] = values[i];
    return rc;
}

void pmpi_type_hindexed_(MPI_Fint *count, MPI_Fint *blocklengths, MPI_Fint *displacements, MPI_Fint *oldtype,
                         MPI_Fint *newtype, MPI_Fint *ierror)
{
    MPI_Aint few[FEW_HANDLES];
    void *addresses;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int rc = addresses_take("MPI_Type_hindexed", &addresses, few, *count, displacements);
    if (rc == MPI_SUCCESS)
        rc = ep_PMPI_Type_hindexed(*count, blocklengths, addresses, datatype_f2c(*oldtype), &type);
    array_drop(addresses, few);
    type_give(newtype, type, ierror, rc);
}
FORTRAN_NAME_WEAK(type_hindexed, , type_hindexed)

void pmpi_type_struct_(MPI_Fint *count, MPI_Fint *blocklengths, MPI_Fint *displacements, MPI_Fint *types,
                       MPI_Fint *newtype, MPI_Fint *ierror)
{
    static const char call[] = "MPI_Type_struct";
    MPI_Aint few[FEW_HANDLES];
    void *addresses;
    struct datatypes types_c = {0};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int rc = addresses_take(call, &addresses, few, *count, displacements);
    if (rc == MPI_SUCCESS)
        rc = datatypes_take(EP_COMM_NULL, call, &types_c, *count, types);
    if (rc == MPI_SUCCESS)
        rc = ep_PMPI_Type_struct(*count, blocklengths, addresses, types_c.all, &type);
    datatypes_drop(&types_c);
    array_drop(addresses, few);
    type_give(newtype, type, ierror, rc);
}
FORTRAN_NAME_WEAK(type_struct, , type_struct)

/* Of the datatypes there may be fewer than there is room for. */
void pmpi_type_get_contents_(MPI_Fint *datatype, MPI_Fint *max_integers, MPI_Fint *max_addresses,
                             MPI_Fint *max_datatypes, MPI_Fint *integers, MPI_Aint *addresses,
                             MPI_Fint *datatypes, MPI_Fint *ierror)
{
    static const char call[] = "MPI_Type_get_contents";
    MPI_Datatype few[FEW_HANDLES], type = datatype_f2c(*datatype);
    void *array;
    int counts[3], combiner, rc = array_take(EP_COMM_NULL, call, &array, few, *max_datatypes, sizeof *few);
    MPI_Datatype *types = array;
    if (rc == MPI_SUCCESS)
        rc = ep_PMPI_Type_get_contents(type, *max_integers, *max_addresses, *max_datatypes, integers,
                                       addresses, types);
    if (rc == MPI_SUCCESS)
        rc = ep_PMPI_Type_get_envelope(type, &counts[0], &counts[1], &counts[2], &combiner);
    for (int i = 0; rc == MPI_SUCCESS && i < counts[2]; i++)
        datatypes[i] = datatype_c2f(types[i]);
    array_drop(array, few);
    ierror_set(ierror, rc);
}
FORTRAN_NAMES(type_get_contents)
