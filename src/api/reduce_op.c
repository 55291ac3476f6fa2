/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators: which are defined for what (MPI 5.9.2, 5.9.4), and the user's own (MPI 5.9.5). */
#include "api/reduce_op.h"

#include "coll/coll.h"

/* Groups of predefined types, as MPI 5.9.2 has them. Characters are in none. */
enum {
    INTEGER = 1,
    FLOATING = 2,
    LOGICAL = 4,
    COMPLEX = 8,
    BYTE = 16,
    MULTI = 32,
    PAIR = 64,
    CHARACTER = 128
};

static const struct {
    MPI_Op op;
    const char *name;
    int groups; /* that it is defined for */
} operators[] = {
    {MPI_SUM, "MPI_SUM", INTEGER | FLOATING | COMPLEX | MULTI},
    {MPI_MAX, "MPI_MAX", INTEGER | FLOATING | MULTI},
    {MPI_MIN, "MPI_MIN", INTEGER | FLOATING | MULTI},
    {MPI_PROD, "MPI_PROD", INTEGER | FLOATING | COMPLEX | MULTI},
    {MPI_LAND, "MPI_LAND", INTEGER | LOGICAL},
    {MPI_LOR, "MPI_LOR", INTEGER | LOGICAL},
    {MPI_LXOR, "MPI_LXOR", INTEGER | LOGICAL},
    {MPI_BAND, "MPI_BAND", INTEGER | BYTE | MULTI},
    {MPI_BOR, "MPI_BOR", INTEGER | BYTE | MULTI},
    {MPI_BXOR, "MPI_BXOR", INTEGER | BYTE | MULTI},
    {MPI_MAXLOC, "MPI_MAXLOC", PAIR},
    {MPI_MINLOC, "MPI_MINLOC", PAIR},
    {MPI_REPLACE, "MPI_REPLACE", 0}, /* only for one-sided communication */
    {MPI_NO_OP, "MPI_NO_OP", 0},
};
enum { OPERATORS = sizeof operators / sizeof *operators };

/* The most frequent ones first. Those that the MPI underneath has not are MPI_DATATYPE_NULL there. */
static const struct {
    MPI_Datatype type;
    int group;
} types[] = {
    {MPI_DOUBLE, FLOATING},
    {MPI_INT, INTEGER},
    {MPI_FLOAT, FLOATING},
    {MPI_LONG, INTEGER},
    {MPI_LONG_LONG_INT, INTEGER},
    {MPI_UNSIGNED, INTEGER},
    {MPI_UNSIGNED_LONG, INTEGER},
    {MPI_UNSIGNED_LONG_LONG, INTEGER},
    {MPI_INT64_T, INTEGER},
    {MPI_UINT64_T, INTEGER},
    {MPI_INT32_T, INTEGER},
    {MPI_UINT32_T, INTEGER},
    {MPI_INT16_T, INTEGER},
    {MPI_UINT16_T, INTEGER},
    {MPI_INT8_T, INTEGER},
    {MPI_UINT8_T, INTEGER},
    {MPI_SHORT, INTEGER},
    {MPI_UNSIGNED_SHORT, INTEGER},
    {MPI_SIGNED_CHAR, INTEGER},
    {MPI_UNSIGNED_CHAR, INTEGER},
    {MPI_CHAR, CHARACTER},
    {MPI_CHARACTER, CHARACTER},
    {MPI_INTEGER, INTEGER},
    {MPI_INTEGER1, INTEGER},
    {MPI_INTEGER2, INTEGER},
    {MPI_INTEGER4, INTEGER},
    {MPI_INTEGER8, INTEGER},
    {MPI_LONG_DOUBLE, FLOATING},
    {MPI_REAL, FLOATING},
    {MPI_DOUBLE_PRECISION, FLOATING},
    {MPI_REAL4, FLOATING},
    {MPI_REAL8, FLOATING},
    {MPI_REAL16, FLOATING},
    {MPI_C_BOOL, LOGICAL},
    {MPI_CXX_BOOL, LOGICAL},
    {MPI_LOGICAL, LOGICAL},
    {MPI_C_FLOAT_COMPLEX, COMPLEX},
    {MPI_C_COMPLEX, COMPLEX},
    {MPI_C_DOUBLE_COMPLEX, COMPLEX},
    {MPI_C_LONG_DOUBLE_COMPLEX, COMPLEX},
    {MPI_CXX_FLOAT_COMPLEX, COMPLEX},
    {MPI_CXX_DOUBLE_COMPLEX, COMPLEX},
    {MPI_CXX_LONG_DOUBLE_COMPLEX, COMPLEX},
    {MPI_COMPLEX, COMPLEX},
    {MPI_DOUBLE_COMPLEX, COMPLEX},
    {MPI_COMPLEX8, COMPLEX},
    {MPI_COMPLEX16, COMPLEX},
    {MPI_COMPLEX32, COMPLEX},
    {MPI_BYTE, BYTE},
    {MPI_AINT, MULTI},
    {MPI_OFFSET, MULTI},
    {MPI_COUNT, MULTI},
    {MPI_FLOAT_INT, PAIR},
    {MPI_DOUBLE_INT, PAIR},
    {MPI_LONG_INT, PAIR},
    {MPI_2INT, PAIR},
    {MPI_SHORT_INT, PAIR},
    {MPI_LONG_DOUBLE_INT, PAIR},
    {MPI_2REAL, PAIR},
    {MPI_2DOUBLE_PRECISION, PAIR},
    {MPI_2INTEGER, PAIR},
};
enum { TYPES = sizeof types / sizeof *types };

/* Those of MPI_Type_create_f90_integer and the like are in the groups, too. */
static int group_of_f90(MPI_Datatype datatype)
{
    int ints, addresses, inner, combiner = MPI_COMBINER_NAMED;
    mpi_enter();
    MPI_Type_get_envelope(datatype, &ints, &addresses, &inner, &combiner);
    mpi_leave();
    return combiner == MPI_COMBINER_F90_INTEGER   ? INTEGER
           : combiner == MPI_COMBINER_F90_REAL    ? FLOATING
           : combiner == MPI_COMBINER_F90_COMPLEX ? COMPLEX
                                                  : 0;
}

/* 0: none. */
static int group_of(MPI_Datatype datatype)
{
    for (int i = 0; i < TYPES; i++)
        if (types[i].type == datatype)
            return types[i].group;
    return group_of_f90(datatype);
}

static int refuse(struct where w, const char *op, MPI_Datatype datatype)
{
    char type[MPI_MAX_OBJECT_NAME] = "";
    int length;
    mpi_enter();
    MPI_Type_get_name(datatype, type, &length);
    mpi_leave();
    return raise_error(w, MPI_ERR_OP, "argument op is %s, which is not defined for %s", op,
                       type[0] ? type : "a derived datatype");
}

/* The MPI libraries take characters for integers, and have the logical operators for MPI_AINT and its like: so do
 * programs that know nothing of endpoints. */
static int as_libraries_do(int groups)
{
    if (groups & LOGICAL)
        groups |= MULTI;
    return groups & INTEGER ? groups | CHARACTER : groups;
}

static bool is_defined(int groups, MPI_Datatype datatype)
{
    int group = group_of(datatype);
    return likely(group & groups) || (load_relaxed(&process.runs_ranks) && (group & as_libraries_do(groups)));
}

int check_op(struct where w, MPI_Op op, MPI_Datatype datatype)
{
    if (unlikely(op == MPI_OP_NULL))
        return raise_error(w, MPI_ERR_OP, "argument op is MPI_OP_NULL");
    for (int i = 0; i < OPERATORS; i++)
        if (operators[i].op == op)
            return likely(is_defined(operators[i].groups, datatype)) ? MPI_SUCCESS
                                                                     : refuse(w, operators[i].name, datatype);
    return MPI_SUCCESS;
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
    *commute = operator_commutes(op);
    return MPI_SUCCESS;
}
