#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""arguments.py FUNCTIONS: one wrong argument in a call of each function of the drop-in.

Made from the table of functions that tools/dropin_calls.py makes: for each parameter the values that a program passes by mistake (null pointers, null,
freed, foreign and garbage handles, numbers out of range), all others right. No call may crash, hang, end the job, or
succeed; wrong handles must give their class. Calls are made in children of one rank, so that a crash is told with its name.
EPCC and EPRUN are the commands.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

LINE = re.compile(r"(same|own|passed)\s+([\w ]+[ *])MPI_(\w+)\((.*)\);$")

# Not calls to be made with wrong arguments, or that end what the others need.
LEFT_OUT = {"Abort", "Finalize", "Init", "Init_thread", "Pcontrol", "T_finalize", "T_init_thread"}

# Results that no error class is in.
NO_CODE = ("MPI_Fint", "MPI_Comm", "double", "MPI_Aint", "MPI_Group", "MPI_Request", "MPI_Message", "MPI_Errhandler",
           "MPI_Win", "MPI_Datatype", "MPI_Op", "MPI_Info")

HANDLES = {  # type: (a right one, the class of wrong ones)
    "Comm": ("comm", "COMM"), "Group": ("group", "GROUP"), "Request": ("request", "REQUEST"),
    "Message": ("message", "REQUEST"), "Errhandler": ("errhandler", "ARG"), "Win": ("win", "WIN"),
    "Datatype": ("type", "TYPE"), "Op": ("op", "OP"), "Info": ("info", "INFO"),
}
EP_HANDLES = ("Comm", "Group", "Request", "Message", "Errhandler", "Win")
NULLS = {"Comm": "MPI_COMM_NULL", "Group": "MPI_GROUP_NULL", "Message": "MPI_MESSAGE_NULL", "Win": "MPI_WIN_NULL",
         "Errhandler": "MPI_ERRHANDLER_NULL", "Datatype": "MPI_DATATYPE_NULL", "Op": "MPI_OP_NULL",
         "Info": "MPI_INFO_NULL", "Request": "MPI_REQUEST_NULL"}

# What is right to leave out or to give: function and parameter, as a pattern.
MAY_BE_NULL = re.compile(r"""
    \w*:(buf|buffer|sendbuf|recvbuf|inbuf|outbuf|inoutbuf|origin_addr|result_addr|compare_addr|base|location)$
    |\w*:(extra_state|attribute_val|attr_val|argc|argv)$           # values of the user
    |(Comm|Win|Type)_set_attr:attribute_val$
    |\w*:(status|statuses)$                               # MPI_STATUS_IGNORE
    |\w*:(query_fn|free_fn|cancel_fn|\w*_copy_attr_fn|\w*_delete_attr_fn|copy_fn|delete_fn)$ # MPI_NULL_COPY_FN may be null
    |Dims_create:dims$
    |(Dist_graph_create\w*|Dist_graph_neighbors):\w*weights$       # MPI_UNWEIGHTED
    |Alloc_mem:info$|Buffer_attach:buffer$|Buffer_detach:\w+$
""", re.VERBOSE)
NULL_HANDLE_IS_RIGHT = re.compile(r"""
    (Wait|Test|Waitall|Waitany|Waitsome|Testall|Testany|Testsome):\w+$
    |\w*:info$
    |Comm_(set|get)_parent
    |Request_get_status:request$
""", re.VERBOSE)
# A number that is out of range for all that have a parameter of this name.
NUMBERS = {
    "count": "-1", "sendcount": "-1", "recvcount": "-1", "incount": "-1", "outcount": "-1", "blocklength": "-1",
    "dest": "99", "source": "99", "root": "99", "tag": "-77", "sendtag": "-77", "recvtag": "-77",
    "target_rank": "99", "comm_keyval": "987654", "win_keyval": "987654", "type_keyval": "987654", "keyval": "987654",
    "origin_count": "-1", "result_count": "-1", "target_count": "-1", "disp_unit": "0", "ndims": "-1", "maxdims": "-1",
    "size": "-1", "split_type": "4242", "lock_type": "4242", "nnodes": "-1", "n": "-1", "local_leader": "99",
    "remote_leader": "99", "direction": "9", "color": "-9",
}
NUMBER_IS_RIGHT = re.compile(r"""
    (Cart_shift|Win_shared_query):rank|Info_get_nthkey:none|Type_create_darray:size|Group_\w+:size
    |Type_create_f90\w*:\w+|Comm_create_group:size|Cart_get:maxdims|Cart_coords:maxdims$^
    |Dims_create:ndims$^|Intercomm_create:(remote_leader|tag)
""", re.VERBOSE)

GOOD = {  # by function:parameter, parameter, or type
    "Neighbor:comm": "cart", "Ineighbor:comm": "cart", "Cart:comm": "cart", "Cartdim:comm": "cart",
    "Graph_get:comm": "graph", "Graph_neighbors:comm": "graph", "Graph_neighbors_count:comm": "graph",
    "Graphdims_get:comm": "graph", "Dist_graph_neighbors:comm": "adjacent",
    "Dist_graph_neighbors_count:comm": "adjacent",
    # nothing is waited for
    "Recv:source": "MPI_PROC_NULL", "Probe:source": "MPI_PROC_NULL", "Mprobe:source": "MPI_PROC_NULL",
    "Ssend:dest": "MPI_PROC_NULL", "Win_start:group": "MPI_GROUP_EMPTY", "Free_mem:base": "pointer",
    "Type_create_f90_complex:p": "6", "Type_create_f90_real:p": "6",
}
PROLOGUE = r"""
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct result { int begun, ended, signal, code, class; };
struct test { int (*call)(void); const char *what, *classes; int may_succeed, function; };

static char sbuf[4096], rbuf[4096] __attribute__((aligned(64))), zeros[4096] __attribute__((aligned(4096)));
static char text[4096], name[4096];
static int ints[16], more_ints[16], zero_ints[16], ones[16] = {1}, ranges[4][3];
static MPI_Aint aints[16], more_aints[16];
static MPI_Count counts[16];
static MPI_Comm comm, cart, graph, adjacent, freed_comm;
static MPI_Group group, freed_group;
static MPI_Request request, freed_request, requests[4];
static MPI_Message message, freed_message;
static MPI_Errhandler errhandler, freed_errhandler;
static MPI_Win win, freed_win;
static MPI_Datatype type, types[16], derived, freed_datatype;
static MPI_Op op, freed_op;
static MPI_Info info, freed_info;
static MPI_Status status, statuses[16];
static MPI_F08_status f08_status;
static void *pointer;

static void on_error(MPI_Comm *c, int *rc, ...) { (void)c, (void)rc; }
static void operate(void *a, void *b, int *n, MPI_Datatype *t) { (void)a, (void)b, (void)n, (void)t; }
static int query(void *x, MPI_Status *s) { (void)x; MPI_Status_set_elements(s, MPI_INT, 0); return 0; }
static int release(void *x) { (void)x; return 0; }
static int cancel(void *x, int f) { (void)x, (void)f; return 0; }

static void take_message(MPI_Message *m)
{
    MPI_Request r;
    MPI_Isend(sbuf, 1, MPI_INT, 0, 44, comm, &r);
    MPI_Mprobe(0, 44, comm, m, MPI_STATUS_IGNORE);
    MPI_Request_free(&r);
}

/* What is freed comes last, so that nothing new is where it was. */
static void prepare(void)
{
    int one = 1, edge = 0, periodic = 1;
    char *memory;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Cart_create(comm, 1, &one, &periodic, 0, &cart);
    MPI_Graph_create(comm, 1, &one, &edge, 0, &graph);
    MPI_Dist_graph_create_adjacent(comm, 1, &edge, MPI_UNWEIGHTED, 1, &edge, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &adjacent);
    MPI_Comm_group(comm, &group);
    MPI_Win_allocate(64, 1, MPI_INFO_NULL, comm, &memory, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_fence(0, win);
    MPI_Send_init(sbuf, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &request);
    MPI_Send_init(sbuf, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &freed_request);
    take_message(&message);
    take_message(&freed_message);
    MPI_Comm_create_errhandler(on_error, &errhandler);
    MPI_Comm_create_errhandler(on_error, &freed_errhandler);
    MPI_Type_contiguous(2, MPI_INT, &derived);
    MPI_Type_commit(&derived);
    MPI_Type_contiguous(3, MPI_INT, &freed_datatype);
    MPI_Op_create(operate, 1, &op);
    MPI_Op_create(operate, 1, &freed_op);
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
    MPI_Info_create(&freed_info);
    MPI_Comm_dup(MPI_COMM_WORLD, &freed_comm);
    MPI_Comm_group(comm, &freed_group);
    MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &freed_win);
    MPI_Alloc_mem(64, MPI_INFO_NULL, &pointer);

    MPI_Comm c = freed_comm;
    MPI_Group g = freed_group;
    MPI_Win w = freed_win;
    MPI_Request r = freed_request;
    MPI_Message m = freed_message;
    MPI_Errhandler e = freed_errhandler;
    MPI_Datatype t = freed_datatype;
    MPI_Op o = freed_op;
    MPI_Info f = freed_info;
    MPI_Win_free(&w);
    MPI_Comm_free(&c);
    MPI_Group_free(&g);
    MPI_Request_free(&r);
    MPI_Mrecv(rbuf, 1, MPI_INT, &m, MPI_STATUS_IGNORE);
    MPI_Errhandler_free(&e);
    MPI_Type_free(&t);
    MPI_Op_free(&o);
    MPI_Info_free(&f);

    type = MPI_INT;
    for (int i = 0; i < 16; i++)
        types[i] = MPI_INT;
    for (int i = 0; i < 4; i++)
        requests[i] = request;
    strcpy(text, "key");
}
"""
EPILOGUE = r"""
/* In a child, which a call may end: those of one function. The right call, which changes things, is the last one. */
static void make_calls(int i, struct result results[])
{
    static const int deadly[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGALRM};
    for (int k = 0; k < (int)(sizeof deadly / sizeof *deadly); k++)
        signal(deadly[k], SIG_DFL);
    for (int function = tests[i].function; tests[i].call && tests[i].function == function; i++) {
        struct result *r = &results[i];
        r->begun = 1;
        alarm(20);
        r->code = tests[i].call();
        if (r->code)
            MPI_Error_class(r->code, &r->class);
        r->ended = 1;
    }
    _exit(0);
}

static const struct { const char *name; int class; } names[] = {
    {"COMM", MPI_ERR_COMM}, {"GROUP", MPI_ERR_GROUP}, {"REQUEST", MPI_ERR_REQUEST}, {"ARG", MPI_ERR_ARG},
    {"WIN", MPI_ERR_WIN}, {"TYPE", MPI_ERR_TYPE}, {"OP", MPI_ERR_OP}, {"INFO", MPI_ERR_INFO},
    {"COUNT", MPI_ERR_COUNT}, {"RANK", MPI_ERR_RANK}, {"TAG", MPI_ERR_TAG}, {"ROOT", MPI_ERR_ROOT},
    {"KEYVAL", MPI_ERR_KEYVAL}, {"BUFFER", MPI_ERR_BUFFER}, {0, 0}};

static int is_in(const char *classes, int class)
{
    for (int i = 0; names[i].name; i++)
        if (names[i].class == class && strstr(classes, names[i].name))
            return 1;
    return 0;
}

static const char *fault(const struct test *t, const struct result *r)
{
    if (!r->ended)
        return r->signal == SIGALRM ? "hangs" : r->signal ? strsignal(r->signal) : "ends the program";
    if (r->code == 0)
        return t->may_succeed ? NULL : "succeeds";
    return *t->classes && is_in(t->classes, r->class) == (*t->classes == '!') ? "has another class" : NULL;
}

int main(int argc, char **argv)
{
    size_t n = sizeof tests / sizeof *tests - 1;
    struct result *results = mmap(0, n * sizeof *results, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int bad = 0, status;
    MPI_Init(&argc, &argv);
    prepare();
    fflush(NULL);
    for (size_t i = 0; i < n; i++) {
        if (!results[i].begun) {
            pid_t child = fork();
            if (child == 0)
                make_calls((int)i, results);
            waitpid(child, &status, 0);
            size_t k = i;
            while (k < n && results[k].ended)
                k++;
            if (k < n && results[k].begun && WIFSIGNALED(status))
                results[k].signal = WTERMSIG(status);
        }
        const char *wrong = fault(&tests[i], &results[i]);
        if (wrong) {
            printf("%s: %s (code %d, class %d, not %s)\n", tests[i].what, wrong, results[i].code, results[i].class,
                   tests[i].classes);
            bad++;
        }
    }
    printf("%zu calls, %d wrong\n", n, bad);
    MPI_Finalize();
    return bad != 0;
}
"""


class Parameter:
    def __init__(self, text):
        match = re.match(r"(.*?)(\w+)((?:\[\d*\])*)$", text)
        self.type, self.name, self.array = match.group(1).strip(), match.group(2), match.group(3)
        self.const = self.type.startswith("const ")
        self.bare = self.type.removeprefix("const ").rstrip("* ")
        self.pointer = "*" in self.type or bool(self.array)
        self.handle = self.bare.removeprefix("MPI_") if self.bare.removeprefix("MPI_") in HANDLES else None


def good(function, p):
    for key, value in GOOD.items():
        if ":" in key:
            prefix, name = key.split(":")
            if (function == prefix or function.startswith(prefix + "_")) and name == p.name:
                return value
    if p.handle and not p.pointer:
        return HANDLES[p.handle][0]
    if p.handle and p.array:
        return {"Request": "requests", "Datatype": "types"}.get(p.handle, HANDLES[p.handle][0] + "s")
    if p.handle:
        return f"&{p.handle.lower()}_value"
    if p.bare.endswith("_function"):
        return {"query_fn": "query", "free_fn": "release", "cancel_fn": "cancel"}.get(
            p.name, "(void *)operate" if "User" in p.bare else "(void *)on_error" if "err" in p.bare.lower() else "0")
    if p.bare == "MPI_Status":
        return "statuses" if p.array else "&status"
    if p.bare == "MPI_F08_status":
        return "&f08_status"
    if p.bare == "char":
        if "**" in p.type:
            return "(void *)0"
        if p.name == "datarep":
            return '"external32"'
        return "text" if p.const else "name"
    if p.bare == "void":
        if p.name == "baseptr" or p.name == "attribute_val" and not p.const or p.name == "buffer_addr":
            return "&pointer"
        return "sbuf" if p.const else "rbuf"
    if p.array == "[][3]":
        return "ranges"
    if p.bare == "int" and p.pointer:
        if p.name in ("dims", "periods", "index", "gsize_array", "psize_array", "size_array", "subsize_array",
                      "sendcounts", "recvcounts", "array_of_blocklengths", "array_of_block_lengths", "degrees"):
            return "ones"
        return "ints" if p.const or p.array else "more_ints"
    if p.bare == "MPI_Aint" and p.pointer:
        return "aints" if p.const or p.array else "more_aints"
    if p.bare == "MPI_Count" and p.pointer:
        return "counts"
    if p.bare == "MPI_Fint" and p.pointer:
        return "ints"
    if p.bare in ("int", "MPI_Aint", "MPI_Fint", "MPI_Count"):
        return {"comm_keyval": "MPI_TAG_UB", "keyval": "MPI_TAG_UB", "win_keyval": "MPI_WIN_BASE", "lock_type": "MPI_LOCK_SHARED",
                "split_type": "MPI_COMM_TYPE_SHARED", "order": "MPI_ORDER_C", "typeclass": "MPI_TYPECLASS_INTEGER",
                "size": "4"}.get(p.name, "0" if p.name in (
                    "dest", "source", "root", "tag", "sendtag", "recvtag", "rank", "target_rank", "target_disp", "color", "key",
                    "assert", "direction", "local_leader", "remote_leader", "errorcode", "lb", "disp", "op_index",
                    "reorder") else "1")
    return None


# More than one wrong value of each kind: small, odd, aligned, of another kind of object, beyond what exists.
def bad_handles(function, p, null_too=True):
    kind = p.handle
    right = HANDLES[kind][1]
    if null_too and kind in NULLS and not NULL_HANDLE_IS_RIGHT.match(f"{function}:{p.name}"):
        yield NULLS[kind], right
    if kind in EP_HANDLES:
        casts = ["7", "0x44000000 + 1", "64", "(uintptr_t)zeros", "(uintptr_t)(zeros + 8)", "0xdeadbeefdeadbeefu",
                 f"(uintptr_t)freed_{kind.lower()}"]
        casts += [f"(uintptr_t){HANDLES[k][0]}" for k in EP_HANDLES if k != kind]
        casts += ["(uintptr_t)MPI_COMM_WORLD", "(uintptr_t)MPI_COMM_SELF"] if kind != "Comm" else []
        casts += ["(uintptr_t)MPI_GROUP_EMPTY"] if kind != "Group" else []
        casts += ["(uintptr_t)MPI_MESSAGE_NO_PROC"] if kind != "Message" else []
        casts += ["(uintptr_t)MPI_ERRORS_RETURN", "(uintptr_t)MPI_ERRORS_ARE_FATAL"] if kind != "Errhandler" else []
        casts += ["(uintptr_t)MPI_INT"]
    else:
        casts = ["7", "(uintptr_t)zeros", f"(uintptr_t)freed_{kind.lower()}", "(uintptr_t)comm"]
        casts += [f"(uintptr_t){value}" for k, value in (("Datatype", "MPI_INT"), ("Op", "MPI_SUM"), ("Info", "info"))
                  if k != kind]
    for cast in casts:
        yield f"(MPI_{kind})({cast})", right


def cases(function, parameters):
    """(index, argument, classes, may succeed): one wrong argument each."""
    for i, p in enumerate(parameters):
        where = f"{function}:{p.name}"
        if p.handle and not p.pointer:
            for value, right in bad_handles(function, p):
                # those with a request are for epochs that there is none of
                yield i, value, "" if p.name == "op" and function.startswith("R") and "accumulate" in function else right, False
        elif p.handle:
            yield i, "(void *)0", HANDLES[p.handle][1] + " ARG", bool(MAY_BE_NULL.match(where))
            if TAKES_HANDLE.match(where):
                for value, right in bad_handles(function, p):
                    yield i, f"(MPI_{p.handle}[]){{{value}, {value}}}", right, False
        elif p.pointer:
            yield i, "(void *)0", "", bool(MAY_BE_NULL.match(where)) or "_function" in p.bare
        elif p.name in NUMBERS and not NUMBER_IS_RIGHT.match(where):
            yield i, NUMBERS[p.name], "", False


TAKES_HANDLE = re.compile(r"""
    \w+_free:(?!newtype)\w+|Comm_disconnect:comm|Type_commit:type|Cancel:request|Start:request|Startall:\w+
    |(Mrecv|Imrecv):message|Request_free:request|(Wait|Test)\w*:requests?
    |Type_create_struct:array_of_types|Type_struct:array_of_types|I?\w*alltoallw:\w+types
""", re.VERBOSE)


def generate(table):
    calls, entries, functions = [], [], []
    for line in pathlib.Path(table).read_text().splitlines():
        match = LINE.match(line)
        if not match or match.group(3) in LEFT_OUT:
            continue
        result, function, text = match.group(2).strip(), match.group(3), match.group(4)
        parameters = [] if text == "void" else [Parameter(part) for part in text.split(", ")]
        arguments = [good(function, p) for p in parameters]
        if None in arguments:
            sys.exit(f"no right argument known for {parameters[arguments.index(None)].name} of {function}")
        right = [i for i, p in enumerate(parameters) if p.handle == "Datatype" and not p.pointer]
        variants = list(cases(function, parameters)) + [(i, "derived", "!TYPE", True) for i in right
                                                         if not function.startswith(("Fetch_and", "Compare_and"))]
        variants.append((None, None, "", True))
        functions.append(function)
        for index, value, classes, may in variants:
            these = list(arguments)
            if index is not None:
                these[index] = value
            before = "".join(f" MPI_{p.handle} {p.handle.lower()}_value = {'cart' if function == 'Comm_disconnect' else HANDLES[p.handle][0]}; (void){p.handle.lower()}_value;"
                             for p in {p.handle: p for p in parameters if p.handle and p.pointer and not p.array}.values())
            number = len(calls)
            call = f"MPI_{function}({', '.join(these)})"
            body = f"(void){call}; return 0;" if result in NO_CODE else f"return {call};"
            calls.append(f"static int call_{number}(void)\n{{\n   {before}\n    {body}\n}}")
            what = f"MPI_{function}" + ("" if index is None else f": {parameters[index].name} = {value}")
            may = may or result in NO_CODE
            entries.append(f'    {{call_{number}, "{what}", "{classes}", {int(may)}, {len(functions)}}},')
    table = "static const struct test tests[] = {\n" + "\n".join(entries) + "\n    {0, 0, 0, 0, 0}};\n"
    return PROLOGUE + "\n".join(calls) + "\n" + table + EPILOGUE


def main(table):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "arguments.c")
        source.write_text(generate(table))
        program = pathlib.Path(folder, "arguments")
        built = subprocess.run([os.environ["EPCC"], "-w", "-O0", "-g", "-o", program, source])
        if built.returncode:
            sys.exit("it does not build")
        sys.exit(subprocess.run([os.environ["EPRUN"], "-t", "1", program]).returncode)


if __name__ == "__main__":
    main(*sys.argv[1:])
