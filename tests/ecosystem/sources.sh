# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2086,SC2154 # variables of who includes this; options are meant to be split
# Source packages of the distribution, without a change to the machine's apt: its own list of the same archives, with sources.

apt_lists() {
    local apt=$work/apt file name
    apt_options="-q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts=$apt/sources -o Dir::State::lists=$apt/lists
        -o Dir::Cache=$apt/cache -o APT::Sandbox::User=$(id -un) -o Acquire::Languages=none"
    [ ! -f "$apt/done" ] || return 0
    mkdir -p "$apt/sources" "$apt/lists/partial" "$apt/cache/archives/partial" || return
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
        [ -f "$file" ] || continue
        case $file in */sources.list) name=main.list ;; *) name=$(basename "$file") ;; esac
        sed -E 's/^deb[[:space:]]/deb-src /; s/^Types:.*/Types: deb-src/' "$file" >"$apt/sources/$name"
    done
    apt-get $apt_options update && touch "$apt/done"
}

# fetch NAME DIR: the source package NAME, unpacked in DIR with Debian's patches, or where the archive has only what the authors have
# released, without them. ECOSYSTEM_SOURCES names a folder where that (NAME_VERSION.orig.tar.*, NAME-VERSION.tar.*) is looked for first.
fetch() {
    local name=$1 dir=$2 files=$work/files tar=
    [ ! -f "$dir.version" ] || return 0
    mkdir -p "$files" && rm -rf "$dir" "$dir.new" && mkdir -p "$dir.new" || return
    [ -z "${ECOSYSTEM_SOURCES:-}" ] || tar=$(archive_of "$ECOSYSTEM_SOURCES" "$name")
    if [ -z "$tar" ]; then
        apt_lists || return
        (cd "$files" && { apt-get $apt_options source --download-only "$name" || apt-get $apt_options source --tar-only "$name"; })
        tar=$(archive_of "$files" "$name")
        [ -n "$tar" ] || return
    fi
    tar -xf "$tar" -C "$dir.new" --strip-components=1 || return
    patches "${tar%.orig.tar.*}" "$dir.new" && mv "$dir.new" "$dir" &&
        basename "$tar" | sed -E 's/^[^_]*[_-]([0-9].*)(\.orig)?\.tar\..*/\1/; s/\.orig$//' >"$dir.version"
}

# archive_of DIR NAME: the archive of files of a package.
archive_of() { find "$1" -maxdepth 1 \( -name "$2_*.orig.tar.*" -o -name "$2-[0-9]*.tar.*" \) | sort | tail -n 1; }

# patches START DIR: those of Debian, where the archive has them.
patches() {
    local debian patch
    debian=$(find "$(dirname "$1")" -maxdepth 1 -name "$(basename "$1")-*.debian.tar.*" | sort | tail -n 1)
    [ -n "$debian" ] || return 0
    tar -xf "$debian" -C "$2" || return
    [ ! -f "$2/debian/patches/series" ] || sed 's/[[:space:]]*#.*//; /^$/d' "$2/debian/patches/series" | while read -r patch; do
        patch -s -p1 -d "$2" <"$2/debian/patches/$patch" || return
    done
}
