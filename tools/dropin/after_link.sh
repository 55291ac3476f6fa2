# SPDX-License-Identifier: BSD-3-Clause
# Read by epcc where it links: what must not be in what was linked, and why a link failed. epcc's variables are known here.

# For awk: what the table says of MPI's functions, and more that all need.
table_awk='
    function learn_table(    line, name, part) {
        while ((getline line < table) > 0)
            if (line ~ /^# ----/) {
                part = tolower(substr(line, 8))
                sub(/;.*/, "", part) # what follows is a remark on the table
                sub(/mpi/, "MPI", part)
            } else if (match(line, /MPI_[A-Za-z0-9_]+\(/)) {
                name = substr(line, RSTART, RLENGTH - 1)
                class[name] = class["P" name] = substr(line, 1, index(line, " ") - 1)
                part_of[name] = part
                written[tolower(name)] = written["p" tolower(name)] = name
            }
    }
    # As a word for a shell.
    function quoted(file) {
        gsub(/\047/, "\047\\\047\047", file)
        return "\047" file "\047"
    }
    # The function that has this name in Fortran: mpi_send_, MPI_SEND, mpi_send__, mpi_send_f08_, mpi_send_f08ts_.
    function in_fortran(name) {
        name = tolower(name)
        sub(/_+$/, "", name)
        sub(/_f08(ts)?$/, "", name)
        return written[name]
    }'

# ---- Why a link failed

# One sentence for each function that the linker did not find because ep does not have it, or not by this name.
explain_missing() {
    awk -v table="$table" -v me="$me" -v fortran="$fortran" "$table_awk"'
        BEGIN { learn_table() }
        !/undefined/ || !match($0, /[A-Za-z_][A-Za-z0-9_]*[^A-Za-z0-9_]*$/) { next }
        {
            symbol = name = substr($0, RSTART)
            sub(/[^A-Za-z0-9_]+$/, "", symbol)
            name = symbol ~ /^ep_lacks_/ ? substr(symbol, 10) : in_fortran(symbol)
            sub(/^P/, "", name)
            if (name !~ /^MPI_/ || said[name]++)
                next
            part = name in part_of ? part_of[name] : "later than MPI-3.1"
            if (symbol ~ /^ep_lacks_/ || class[name] == "lacks") {
                print me ": ep has no " name " (" part "), and the program can reach a call of it"
                lacks = 1
            } else if (!fortran)
                print me ": " symbol ": ep was built without a Fortran compiler"
            else if (symbol !~ /[^_]_$/ || symbol ~ /[A-Z]/)
                print me ": " symbol ": in ep it has one underscore at its end; compile without -fno-underscoring and" \
                    " -fsecond-underscore"
        }
        END {
            if (lacks)
                print me ": if it does not make such calls, link it with --missing=run (or EP_MISSING=run)"
        }' "$errors" >&2
}

# ---- Objects

# Sorts what the command has written to its standard output: the names of the linker's inputs (-t) into $inputs, and the
# rest goes where it was meant to.
take_inputs() {
    while IFS= read -r word; do
        case $word in
        *.o | *.a | *.so | *.so.[0-9]* | *.lo | \(*\)* | *\(*\)) echo "$word" >&3 ;;
        *) if [ -f "$word" ]; then echo "$word" >&3; else printf '%s\n' "$word"; fi ;;
        esac
    done <"$written" 3>"$inputs"
}

# Does the output have something of libep_fortran.a, or of what --missing=run puts in the place of what ep lacks?
calls_fortran() {
    grep -Eq '^\(.*/libep_(fortran[a-z_]*|lacks)\.a\)|/libep_(fortran[a-z_]*|lacks)\.a\(' "$inputs"
}

# For awk: what the linker calls its inputs.
inputs_awk='
    # archive(member) or (archive)member, whichever linker wrote it; an object has no member.
    function split_name(name, part,    at) {
        part["file"] = name
        part["member"] = ""
        if (name ~ /^\(/) {
            at = match(name, /\.a\)/) ? RSTART + 2 : match(name, /\)[^\/()]*$/)
            part["file"] = substr(name, 2, at - 2)
            part["member"] = substr(name, at + 1)
        } else if (name ~ /\)$/) {
            at = match(name, /\.a\(/) ? RSTART + 2 : match(name, /\([^()]*\)$/)
            part["file"] = substr(name, 1, at - 1)
            part["member"] = substr(name, at + 1, length(name) - at - 1)
        }
    }
    # A thin archive has only the names of its members, which are files. Linkers differ in what they say of the folder.
    function is_thin(archive,    line, last, command) {
        if (archive in thin)
            return thin[archive]
        getline line <archive
        close(archive)
        thin[archive] = line == "!<thin>"
        command = "ar t " quoted(archive) " 2>/dev/null"
        while (thin[archive] && (command | getline line) > 0) {
            last = line
            sub(/.*\//, "", last)
            members[archive, last] = members[archive, last] line "\n"
        }
        close(command)
        return thin[archive]
    }
    function members_of(archive, member, list) {
        sub(/.*\//, "", member)
        return split(members[archive, member], list, "\n") - 1
    }'

# Objects among the inputs that call MPI in Fortran and were not compiled by epfort (or epcc), which leaves a symbol in
# each: they have another MPI's handles and constants. Each with the functions that it calls. nm's plugin sees into objects of
# -flto, which hides the symbol from it.
unmarked() {
    awk -v table="$table" -v image="$image" -v libdir="$libdir" -v fortran="$fortran" -v work="$work" \
        -v "plugin=$(lto_plugin)" "$table_awk$inputs_awk"'
        function is_own(file) {
            return index(file, image "/") == 1 || index(file, libdir "/") == 1 || index(file, fortran "/") == 1
        }
        # Adds it to what a command gets by @list: there may be more names than it may have arguments.
        function note_file(list, file) {
            gsub(/[\\ \t\047"]/, "\\\\&", file)
            print file >(work "/" list)
        }
        function use(file, member) {
            used[file, member] = any = 1
            if (!seen[file]++)
                note_file("files", file)
        }
        {
            split_name($0, part)
            # An archive without a member is named where it is looked into.
            if (part["file"] ~ /\.so(\.[0-9.]*)?$/ || (part["file"] ~ /\.a$/ && !part["member"]))
                next
            if (is_own(part["file"]))
                next
            if (!part["member"] || !is_thin(part["file"]))
                use(part["file"], part["member"])
            else
                for (i = members_of(part["file"], part["member"], list); i > 0; i--)
                    use(list[i], "")
        }
        # nm: "file: name U", "archive[member]: name U"
        function find_calls(    command, line, file, member, name, of) {
            close(work "/files")
            command = "nm -A -P --undefined-only " plugin " \"@" work "/files\" 2>/dev/null"
            while ((command | getline line) > 0) {
                if (!match(line, /: [^ ]+ [Uw] *$/))
                    continue
                file = substr(line, 1, RSTART - 1)
                name = substr(line, RSTART + 2)
                sub(/ .*/, "", name)
                member = ""
                if (name !~ /_$/ || !in_fortran(name))
                    continue
                if (match(file, /\[[^\[\]]*\]$/)) {
                    member = substr(file, RSTART + 1, RLENGTH - 2)
                    file = substr(file, 1, RSTART - 1)
                }
                if (!((file, member) in used))
                    continue
                of = member ? file "(" member ")" : file
                if (!(of in calls)) {
                    order[++count] = of
                    if (!suspect[file]++)
                        note_file("suspects", file)
                }
                calls[of] = calls[of] (calls[of] ? ", " : "") name
            }
            close(command)
        }
        # readelf has no plugin. With several files it says of which it writes.
        function find_marks(    command, line, of) {
            note_file("suspects", image "/libep_mark.a")
            close(work "/suspects")
            command = "readelf -W -s \"@" work "/suspects\" 2>/dev/null"
            while ((command | getline line) > 0)
                if (sub(/^File: /, "", line))
                    of = line
                else if (line ~ / ABS +ep_object$/)
                    marked[of] = 1
            close(command)
        }
        END {
            learn_table()
            if (any)
                find_calls()
            if (count)
                find_marks()
            for (i = 1; i <= count; i++)
                if (!(order[i] in marked)) {
                    printf "%s%s (%s)", separator, order[i], calls[order[i]]
                    separator = ", "
                }
        }' "$inputs"
}

# For nm, if the compiler is one of GCC's.
lto_plugin() {
    plugin=$($cc -print-file-name=liblto_plugin.so 2>/dev/null)
    [ ! -f "$plugin" ] || echo "--plugin=$plugin"
}

# ---- What the output takes from MPI's own libraries

# Functions that the output takes from MPI's own library though the drop-in has another one, or none: "C NAME", "Fortran NAME".
# By readelf, as nm takes the time to load plugins.
find_past_ep() {
    readelf -W --dyn-syms "$output" | awk -v table="$table" "$table_awk"'
        BEGIN { learn_table() }
        $7 != "UND" { next }
        { sub(/@.*/, "", $8) }
        $8 in class || $8 ~ /^P?MPI_[A-Z][a-z]/ {
            if (class[$8] != "direct")
                print "C", $8
            next
        }
        in_fortran($8) { print "Fortran", $8 }' >"$work/past"
}

# past_ep C|Fortran: those of that language.
past_ep() {
    sed -n "s/^$1 //p" "$work/past"
}

# refuse WHAT ADVICE
refuse() {
    rm -f "$output"
    echo "$me: $output $1" >&2
    fail "$2"
}

refuse_unmarked() {
    refuse "would have another MPI's handles and constants, by files that call MPI in Fortran: $1" \
        "compile with epfort (C with epcc) all files that call MPI, those of libraries too"
}

# Of the libraries that the output needs:
# mpi NAME          those that need the MPI underneath, also through others, or call its functions without saying what has them.
#                   libep, libep_shmem and MPI's own libraries do so by right; those that epcc made (they have its mark) were
#                   looked at when they were linked
# state NAME BYTES  those that it needs itself, that keep variables, and of which all ranks of a process will have one
look_at_libraries() {
    LD_LIBRARY_PATH=$libdirs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} awk -v output="$output" \
        -v underneath="$underneath" -v state="$state" -v libraries="$libraries" -v table="$table" "$table_awk"'
        function find(    command, line, part) {
            command = "ldd " quoted(output ~ /\// ? output : "./" output) " 2>/dev/null"
            while ((command | getline line) > 0)
                if (split(line, part, " ") > 2 && part[2] == "=>")
                    path[part[1]] = part[3]
            close(command)
            found = 1
        }
        function learn(    line, part) {
            while ((getline line < libraries) > 0)
                if (line ~ /^LIBRARY\(/) {
                    split(line, part, /[(", ]+/)
                    gsub(/[.+]/, "[&]", part[3])
                    gsub(/\*/, ".*", part[3])
                    known[part[2]] = known[part[2]] "|" part[3]
                }
        }
        function is(kind, name) {
            return name ~ ("^(" substr(known[kind], 2) ")[.]so")
        }
        function is_mpi(name) {
            return name ~ /^libp?mpi(_[a-z_0-9]*|ch|chcxx|chfort|cxx|fort)?\.so/
        }
        function may(name, allowed,    list, n) {
            n = split(allowed, list, ",")
            for (; n > 0; n--)
                if (list[n] == "all" || index(name ".", list[n] ".") == 1 || index(name ".", "lib" list[n] ".") == 1)
                    return 1
            return 0
        }
        function hexadecimal(digits,    i, n) {
            for (i = 1; i <= length(digits); i++)
                n = 16 * n + index("0123456789abcdef", substr(digits, i, 1)) - 1
            return n
        }
        # Sets for each library: needs[name, 1..count[name]], mark, mpi, bytes of its variables.
        function read(file, name,    command, line, part, of) {
            command = "readelf -W -S -d --dyn-syms " quoted(file) " 2>/dev/null"
            while ((command | getline line) > 0) {
                if (line ~ /\(NEEDED\)/ && match(line, /\[.*\]/)) {
                    of = substr(line, RSTART + 1, RLENGTH - 2)
                    needs[name, ++count[name]] = of
                    if (is_mpi(of))
                        mpi[name] = 1
                } else if (line ~ / ep_image_mark$/)
                    mark[name] = 1
                else if (match(line, / GLOBAL +DEFAULT +UND +P?[Mm][Pp][Ii]_[^ @]+/)) {
                    of = substr(line, RSTART, RLENGTH)
                    sub(/.* /, "", of)
                    if (of ~ /^P?MPI_[A-Z][a-z]/ || (of ~ /_$/ && in_fortran(of)))
                        mpi[name] = 1
                }
                else if (line ~ /\] \.(data|bss) /) {
                    sub(/^[^\]]*\] */, "", line)
                    split(line, part, " ")
                    bytes[name] += hexadecimal(part[5])
                }
            }
            close(command)
        }
        # Is it, or does it need, one that is private?
        function visit(file, name,    i, of, own) {
            seen[name] = 1
            read(file, name)
            own = name && (mark[name] || is("PRIVATE", name) || is("RUNTIME", name))
            if (name && (mark[name] || mpi[name])) {
                if (!mark[name] && !may(name, underneath))
                    print "mpi", name
                return own
            }
            for (i = 1; i <= count[name]; i++) {
                of = needs[name, i]
                if (is_mpi(of) || is("NEVER", of) || of ~ /^libep(_shmem)?\.so/)
                    continue
                if (!found)
                    find()
                if (!(of in seen) && path[of] ~ /\//)
                    private[of] = visit(path[of], of)
                own = own || (name && private[of])
            }
            return own
        }
        BEGIN {
            learn()
            learn_table()
            visit(output, "")
            for (i = 1; i <= count[""]; i++) {
                of = needs["", i]
                # 16 bytes are of what the compiler links into each.
                if (bytes[of] > 16 && !private[of] && !mpi[of] && !is("SAFE", of) && !may(of, state))
                    print "state", of, bytes[of] - 16
            }
        }' >"$work/libraries"
}

# Says of which libraries ranks would share variables.
tell_shared() {
    sed -n 's/^state //p' "$work/libraries" | while read -r name bytes; do
        echo "$me: $output: all ranks of a process share the variables of $name ($bytes bytes); if it is not made for" \
            "threads, start with eprun --private=${name%%.so*}; --shared-state=${name%%.so*} here says that this is known" >&2
    done
}

# ---- All of it

look_at_output() {
    advice="ep was built without a Fortran compiler: the ranks and handles of MPI are those of processes there"
    [ -z "$fortran" ] || advice="link without MPI's own libraries for Fortran (-lmpi_mpifh, -lmpichfort ...); compile with epfort \
all that calls MPI, libraries too"
    find_past_ep
    past=$(past_ep Fortran)
    [ -z "$past" ] || refuse "would call MPI past ep, from Fortran: $(echo $past)" "$advice"
    past=$(past_ep C)
    [ -z "$past" ] || refuse "would call MPI past ep: $(echo $past)" \
        "compile with $me all files that include <mpi.h>, those of libraries too"
    if calls_fortran; then
        past=$(unmarked)
        [ -z "$past" ] || refuse_unmarked "$past"
    fi
    look_at_libraries
    past=$(sed -n 's/^mpi //p' "$work/libraries")
    [ -z "$past" ] || refuse "is linked with libraries of the MPI underneath, which do not know ep's handles: $(echo $past)" \
        "compile these with $me; or, if they get communicators of MPI alone (docs/porting.md), say --underneath=NAME,..."
    [ "$shared" ] || tell_shared
}

look_at_failure() {
    if grep -q 'undefined.*mpi' "$errors" && past=$(unmarked) && [ "$past" ]; then
        refuse_unmarked "$past"
    fi
    explain_missing
    ! grep -q 'recompile with -fPI[CE]' "$errors" ||
        echo "$me: programs are loaded as shared objects: compile all parts with $me, or with -fPIC" >&2
}

# The command that links, and then a look.
link_and_look() {
    work=$(mktemp -d) || exit 1
    trap 'rm -rf "$work"' EXIT
    errors=$work/errors written=$work/written inputs=$work/inputs
    "$@" -Wl,-t,-t 2>"$errors" >"$written"
    rc=$?
    take_inputs
    cat "$errors" >&2
    if [ $rc -ne 0 ]; then
        look_at_failure
        exit $rc
    fi
    [ ! -f "$output" ] || look_at_output
    exit 0
}
