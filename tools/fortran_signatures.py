# SPDX-License-Identifier: BSD-3-Clause
"""What a function of MPI is in Fortran (MPI 17.1, A.3 to A.5), from its signature in C (signatures.py): name, kind, intent and shape of
each argument. From this fortran_calls.py makes the C side of the bindings, fortran_modules.py mpif.h and the modules.
"""
import re

HANDLES = ("Comm", "Group", "Request", "Message", "Errhandler", "Win", "Datatype", "Op", "Info", "File")
INTEGERS = {"int": "integer", "MPI_Fint": "integer", "MPI_Aint": "address", "MPI_Offset": "offset", "MPI_Count": "count"}

# Functions of C alone, and those that are written by hand: their arguments are others.
NOT_FORTRAN = re.compile(r".*_(c2f|f2c|c2f08|f082c|f2f08|f082f)$|T_\w+|Pcontrol$")
# Names of MPI-1, which mpi_f08 does not have. Addresses in them are INTEGER (A.4, A.5).
MPI_1 = {"Address", "Attr_delete", "Attr_get", "Attr_put", "Errhandler_create", "Errhandler_get", "Errhandler_set", "Keyval_create",
         "Keyval_free", "Type_extent", "Type_hindexed", "Type_hvector", "Type_lb", "Type_struct", "Type_ub"}
# Arguments of C alone.
DROPPED = {("Init", "argc"), ("Init", "argv"), ("Init_thread", "argc"), ("Init_thread", "argv")}

# Names of arguments that are others in C's declarations: function, name there, name in Fortran.
RENAMED = [
    (r"(Wait|Iwait|Test)(all|any|some)|Startall", "requests", "array_of_requests"),
    (r"(Wait|Iwait|Test)(all|some)", "statuses", "array_of_statuses"),
    (r"(Wait|Test)some", "indices", "array_of_indices"),
    (r"Comm_create_keyval", "copy_fn", "comm_copy_attr_fn"),
    (r"Comm_create_keyval", "delete_fn", "comm_delete_attr_fn"),
    (r"Comm_get_attr", "keyval", "comm_keyval"),
    (r"Comm_[gs]et_name", "name", "comm_name"),
    (r"File_create_errhandler", "function", "file_errhandler_fn"),
    (r"Op_create", "function", "user_fn"),
    (r"Type_dup", "type", "oldtype"),
    (r"Type_\w+", "m?type", "datatype"),
    (r"Type_[lu]b", "lb|ub", "displacement"),
    (r"Type_set_attr", "attr_val", "attribute_val"),
    (r"Type_create_struct", "array_of_block_lengths", "array_of_blocklengths"),
    (r"Type_create_(darray|subarray)", r"(\w+)_array", r"array_of_\1s"),
]

LOGICAL = {"flag", "commute", "reorder", "high", "periods", "remain_dims", "weighted"}

# Arguments that are read and written. All others that C takes by pointer are written, unless to const.
INOUT = [
    (r"\w+", "position"), (r"Dims_create", "dims"), (r"Sendrecv_replace", "buf"), (r"Reduce_local", "inoutbuf"),
    (r"Bcast|Ibcast", "buffer"), (r"Mrecv|Imrecv", "message"), (r"Cancel|Start|Wait|Test|(Wait|Test)any|(Comm|Request)_free", "request"),
    (r"(Wait|Test)(all|any|some)|Startall", "array_of_requests"), (r"\w+_free_keyval|Keyval_free", r"\w*keyval"),
    (r"\w+_free|Comm_disconnect|File_close", "comm|group|win|op|datatype|errhandler|info|fh"), (r"Type_commit", "datatype"),
    (r"Status_set_\w+", "status"), (r"(Buffer_attach|Win_create|Win_attach|Free_mem)", "buffer|base")]
IN = [(r"Address", "location"), (r"Comm_spawn(_multiple)?", "argv|array_of_commands|array_of_argv"), (r"Group_range_\w+", "ranges"),
      (r"Type_(hindexed|struct)", r"array_of_\w+")]
# Buffers that are read but not INTENT(IN).
NOT_INTENT_IN = re.compile(r"(Get_address|Win_detach|Address)$")
# Buffers that are accessed after the call.
ASYNCHRONOUS = re.compile(r"(I(?!nit|s_|ntercomm|nfo|probe|mprobe)\w+|\w+_init|\w*(put|get|accumulate)|Compare_and_swap|Fetch_and_op"
                          r"|Get_address|File_i\w+|File_\w+_(begin|end)|Win_(create|attach|detach)|Free_mem|Buffer_attach)$", re.I)

# Arrays of a length that another argument says, in mpi_f08; all others are assumed-size.
EXTENTS = [
    (r"Cart_(create|map)|Dims_create|Type_create_(darray|subarray)", r"dims|periods|array_of_\w+", "ndims"),
    (r"Cart_(get|coords)", "dims|periods|coords", "maxdims"),
    (r"Dist_graph_create", "sources|degrees", "n"),
    (r"Dist_graph_create_adjacent", "sources", "indegree"),
    (r"Dist_graph_create_adjacent", "destinations", "outdegree"),
    (r"Dist_graph_neighbors", "sources", "maxindegree"),
    (r"Dist_graph_neighbors", "destinations", "maxoutdegree"),
    (r"Graph_(create|map)", "index", "nnodes"),
    (r"Graph_get", "(index|edges)", r"max\1"),
    (r"Graph_neighbors", "neighbors", "maxneighbors"),
    (r"Group_(incl|excl)", "ranks", "n"),
    (r"Group_range_\w+", "ranges", "3,n"),
    (r"Group_translate_ranks", r"ranks\d", "n"),
    (r"(Wait|Iwait|Test)(all|any)|Startall", "array_of_requests", "count"),
    (r"(Wait|Test)some", "array_of_requests", "incount"),
    (r"Type_get_contents", r"array_of_(\w+)", r"max_\1"),
    (r"Type_(create_)?(h?indexed|hindexed_block|indexed_block|struct)", r"array_of_\w+", "count"),
    (r"Comm_spawn_multiple", "array_of_argv", "count,*"),
]

# Strings that are written into have the length of the longest one.
LENGTHS = [
    (r"(Comm|Type|Win)_get_name", r"\w+", "MPI_MAX_OBJECT_NAME"), (r"Error_string", r"\w+", "MPI_MAX_ERROR_STRING"),
    (r"Get_library_version", r"\w+", "MPI_MAX_LIBRARY_VERSION_STRING"), (r"Get_processor_name", r"\w+", "MPI_MAX_PROCESSOR_NAME"),
    (r"Info_get", "value", "valuelen"), (r"Lookup_name|Open_port", "port_name", "MPI_MAX_PORT_NAME"),
]


def found(table, function, name):
    """The third column of the first line that is about this argument; True if there is none."""
    for functions, names, *result in table:
        match = re.fullmatch(names, name)
        if match and re.fullmatch(functions, function):
            return match.expand(result[0]) if result else True
    return None


class Argument:
    """
    name       as in A.3
    kind       choice, integer, address, offset, count, logical, string, strings, status, procedure, extra (an extra_state),
               attribute, pointer (where memory is allocated), or a handle's: comm, group, ...
    intent     in, out, inout: what C does with it; None for procedures
    shape      None: scalar; "*", "3,*", "count,*": as mpif.h writes it. f08_shape: as mpi_f08 does
    f08_intent what mpi_f08 says; None: nothing, as sentinels and buffers may be given
    type       the procedure's, without MPI_
    length     a string's: "*" or an expression
    mpi1       INTEGER, though C has an address: in names of MPI-1
    """
    def __init__(self, function, name, kind, intent, shape=None, type_=None, is_pointer=False):
        self.name, self.kind, self.intent, self.shape, self.type = name, kind, intent, shape, type_
        self.f08_shape = shape and (found(EXTENTS, function, name) or shape)
        self.asynchronous = (bool(ASYNCHRONOUS.match(function)) and (kind == "choice" or shape == "*" and function[0] == "I")
                             or (function, name) == ("Comm_idup", "newcomm"))
        self.length = found(LENGTHS, function, name) or "*"
        self.mpi1 = function in MPI_1 and kind in ("address", "attribute", "extra")
        self.f08_intent = intent
        if function in ("Cancel", "Free_mem"):
            self.f08_intent = "in"
        elif kind == "choice":
            self.f08_intent = "in" if intent == "in" and not NOT_INTENT_IN.match(function) else None
        elif name in ("array_of_errcodes", "status", "array_of_statuses") or name.endswith("weights"):
            # Dist_graph_neighbors may be given MPI_UNWEIGHTED.
            self.f08_intent = intent if intent != "out" or kind == "integer" and name == "status" else None

    @property
    def is_handle(self):
        return self.kind.capitalize() in HANDLES

    def __repr__(self):
        shape = f"({self.shape})" if self.shape else ""
        return f"{self.intent or 'any'} {self.kind}{':' + self.type if self.type else ''} {self.name}{shape}"


def intent_of(function, name, text, is_pointer):
    if not is_pointer or "const " in text or found(IN, function, name):
        return "in"
    return "inout" if found(INOUT, function, name) else "out"


def array_shape(name, text, is_pointer):
    if text.endswith("]"):
        return {"[3]": "3,*"}.get(re.search(r"\[\d+\]", text + "[0]").group(0), "*")
    if is_pointer and re.search(r"statuses$|weights$|^array_of_", name):
        return "*"
    return None


def kind_of_void(function, name):
    if name == "extra_state":
        return "extra", "in"
    if name == "attribute_val":
        return "attribute", "out" if "get" in function else "in"
    if name in ("baseptr", "buffer_addr"):
        return "pointer", "out"
    return "choice", None


def argument_of(function, name, text):
    base = re.sub(r"\bconst\b|\brestrict\b", "", text).split()[0]
    short = re.sub(r"^(ep_|MPI_)", "", base).capitalize()
    is_pointer = "*" in text or text.endswith("]")
    name = found(RENAMED, function, name) or name
    intent = intent_of(function, name, text, is_pointer)
    shape = array_shape(name, text, is_pointer)
    if re.search(r"_(function|fn)$", base):
        return Argument(function, name, "procedure", None, type_=short)
    if base == "char":
        many = text.count("*") + text.count("[") > 1
        shape = ("count,*" if name == "array_of_argv" else "*") if many else None
        return Argument(function, name, "strings" if many else "string", intent, shape)
    if base == "void":
        kind, other = kind_of_void(function, name)
        return Argument(function, name, kind, other or intent)
    if short == "Status" or short in HANDLES:
        return Argument(function, name, short.lower(), intent, shape)
    kind = INTEGERS[base]
    return Argument(function, name, "logical" if name in LOGICAL else kind, intent, shape)


def fortran_arguments(f):
    """f: a Function of signatures.py. None: it is none of Fortran's."""
    if NOT_FORTRAN.match(f.name):
        return None
    return [argument_of(f.name, name, text) for name, text in f.types.items() if (f.name, name) not in DROPPED]
