# SPDX-License-Identifier: BSD-3-Clause
# Read by tests of epcc and epfort: they work in a folder of their own, and say what is ok and what not; failed is 1 then.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

fail() {
    echo "not ok: $*"
    [ ! -s log ] || sed 's/^/  /' log | head -20
    failed=1
}

# works WHAT COMMAND...
works() {
    what=$1
    shift
    if "$@" >log 2>&1; then echo "ok: $what"; else fail "$what: $*"; fi
}

# fails WHAT TEXT COMMAND...: with that text in its message.
fails() {
    what=$1 text=$2
    shift 2
    if "$@" >log 2>&1; then
        fail "$what: no error"
    elif grep -q -- "$text" log; then
        echo "ok: $what"
    else
        fail "$what: no word of \"$text\""
    fi
}

# runs WHAT PROGRAM: as two ranks.
runs() {
    what=$1
    shift
    if timeout 60 $EPRUN -t 2 "$@" >log 2>&1 && [ "$(grep -c '^rank [01] of 2$' log)" = 2 ]; then
        echo "ok: $what runs"
    else
        fail "$what: $*"
    fi
}
