/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators: which are defined for what (MPI 5.9.2, 5.9.4), and the user's own (MPI 5.9.5). */
#include "api/reduce_op.h"

#include "coll/coll.h"

static int reduce_op_refuse(struct where w, const char *op, MPI_Datatype datatype)
{
    char type[MPI_MAX_OBJECT_NAME] = "";
    int length;
    mpi_enter();
    MPI_Type_get_name(datatype, type, &length);
    mpi_leave();
    return raise_error(w, MPI_ERR_OP, "argument op is %s, which is not defined for %s", op,
                       type[0] ? type : "a derived datatype");
}

/* Fortran's integers have the logical operators here, as in the MPI libraries. */
static bool is_defined(enum arith_op op, MPI_Datatype datatype)
{
    uint16_t code;
    const struct arith_type *t = arith_type_of(datatype, &code);
    if (!t || op == ARITH_REPLACE || op == ARITH_NO_OP)
        return false;
    bool logical = op == ARITH_LAND || op == ARITH_LOR || op == ARITH_LXOR;
    return likely(arith_is_defined(t, op)) || (logical && t->group == ARITH_FORTRAN_INTEGER);
}

static int check_user_op(struct where w, MPI_Op op)
{
    return likely(foreign_op_is_sound(op))
               ? MPI_SUCCESS
               : raise_error(w, MPI_ERR_OP, "argument op is a freed or invalid handle");
}

int check_op(struct where w, MPI_Op op, MPI_Datatype datatype)
{
    if (unlikely(op == MPI_OP_NULL))
        return raise_error(w, MPI_ERR_OP, "argument op is MPI_OP_NULL");
    enum arith_op code = arith_op_of(op);
    if (code == ARITH_OPS)
        return check_user_op(w, op);
    return likely(is_defined(code, datatype)) ? MPI_SUCCESS
                                              : reduce_op_refuse(w, arith_op_name(code), datatype);
}

/* ---- the user's own ---- */

int ep_op_create(MPI_User_function *user_fn, int commute, MPI_Op *op)
{
    struct where w = {NULL, "ep_op_create"};
    if (!user_fn)
        return raise_error(w, MPI_ERR_ARG, "argument user_fn is a null pointer");
    int rc = check_pointer(w, op, "op");
    if (rc)
        return rc;
    if (!process_mpi_runs())
        return raise_not_running(w);
    mpi_enter();
    rc = MPI_Op_create(user_fn, commute, op);
    mpi_leave();
    rc = error_class_of_mpi(rc);
    return rc ? raise_error(w, rc, "MPI could not make the operator") : MPI_SUCCESS;
}

int ep_op_free(MPI_Op *op)
{
    struct where w = {NULL, "ep_op_free"};
    int rc = check_pointer(w, op, "op");
    if (rc)
        return rc;
    if (*op == MPI_OP_NULL || operator_is_predefined(*op))
        return raise_error(w, MPI_ERR_OP, "argument op is %s",
                           *op == MPI_OP_NULL ? "MPI_OP_NULL" : "a predefined operator");
    if (!process_mpi_runs())
        return raise_not_running(w);
    if ((rc = check_user_op(w, *op)))
        return rc;
    rc = error_class_of_mpi(operator_free(op));
    return rc ? raise_error(w, rc, "MPI could not free the operator") : MPI_SUCCESS;
}

int ep_op_commutative(MPI_Op op, int *commute)
{
    struct where w = {NULL, "ep_op_commutative"};
    int rc = check_pointer(w, commute, "commute");
    if (rc)
        return rc;
    if (op == MPI_OP_NULL)
        return raise_error(w, MPI_ERR_OP, "argument op is MPI_OP_NULL");
    if (!operator_is_predefined(op) && (rc = check_user_op(w, op)))
        return rc;
    *commute = operator_commutes(op);
    return MPI_SUCCESS;
}
