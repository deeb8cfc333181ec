#!/usr/bin/env bash
# check.sh DEB...: whether the packages hold what they should, no less and no more, and work when they are unpacked.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
say() { printf '%s\n' "$@" >&2; }
fail() { say "package: $*"; exit 1; }

# control DEB FIELD PATTERN: the field matches.
control() {
    local value
    value=$(dpkg-deb -f "$1" "$2")
    [[ $value =~ $3 ]] || fail "$(basename "$1"): $2 is '$value'"
}

check_program() { # an unpacked installation: it finds all it needs without a display, and the shells take its scripts
    local program=$root/usr/bin/loadline page
    env -u DISPLAY -u WAYLAND_DISPLAY "$program" --version
    env -u DISPLAY -u WAYLAND_DISPLAY HOME="$root" XDG_CACHE_HOME="$root" "$program" export distributions \
        --out "$root/chart.png" && [[ -s $root/chart.png ]] || fail 'the program exports no chart'
    "$program" bench --list >"$root/devices"
    grep -q '^host ' "$root/devices" || fail 'the program finds no device'
    if readelf -d "$program" | grep -E 'RPATH|RUNPATH'; then fail 'the program names folders of libraries'; fi
    readelf -d "$program" | grep -q BIND_NOW || fail 'the program is linked without -z now'
    readelf -W --dyn-syms "$program" | grep __stack_chk_fail >/dev/null || fail 'the program has no stack protector'
    readelf -S "$program" | grep -q '\.symtab' && fail 'the program is not stripped'
    bash -n "$root/usr/share/bash-completion/completions/loadline"
    for page in "$root"/usr/share/man/man1/*.gz; do
        gzip -dc "$page" | optional groff -ww -man -Tutf8 - 2>&1 >/dev/null | grep . && fail "$page: see above"
    done
    optional desktop-file-validate "$root/usr/share/applications/loadline.desktop"
    optional appstreamcli validate --no-net "$root/usr/share/metainfo/loadline.metainfo.xml" >&2
    return 0
}

# optional TOOL ARG...: runs it where it is installed.
missing=
optional() {
    command -v "$1" >/dev/null || return 0
    "$@"
}
for tool in groff desktop-file-validate appstreamcli lintian; do
    command -v "$tool" >/dev/null || missing+="${missing:+, }$tool"
done
[[ -z $missing ]] || say "Not checked, as they are not installed: $missing"

for deb; do
    name=$(dpkg-deb -f "$deb" Package)
    dpkg-deb -x "$deb" "$root"
    dpkg-deb -c "$deb" | awk '$1 !~ /^d/ { print $1, $2, substr($6, 2) }' | LC_ALL=C sort -k3 |
        diff -u "$here/contents/$name" - >&2 || fail "$name does not hold what contents/$name lists"
    control "$deb" Version '^[0-9.]+-1\+[0-9]{12}$'
    control "$deb" Priority '^optional$'
    control "$deb" Section '^(science|non-free/science)$'
    control "$deb" Maintainer '^.+ <.+@.+>$'
    control "$deb" Depends 'libc6 '
    case $name in
        loadline) for library in core gui widgets charts svg; do control "$deb" Depends "libqt6${library}6"; done ;;
        loadline-cuda) control "$deb" Depends 'loadline \(= ' ;;
    esac
    optional lintian --fail-on error "$deb" >&2 || fail "lintian finds errors in $name"
done
check_program >"$root/version"
cat "$root/version" >&2
[[ $# -lt 2 ]] || grep -q '^CUDA kernels  CUDA' "$root/version" || fail 'the program does not find the CUDA plugin'
