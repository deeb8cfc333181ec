#!/bin/sh
# Runs a compiler (its arguments) and keeps what ptxas says in OBJECT.ptxas instead of on the screen.
object=
previous=
for argument; do
    [ "$previous" = -o ] && object=$argument
    previous=$argument
done
[ -n "$object" ] || exec "$@"
"$@" 2>"$object.messages"
status=$?
grep -E '^(ptxas info|    Function properties|    [0-9]+ bytes|    Used|ptxas \. )' "$object.messages" >"$object.ptxas"
grep -vE '^(ptxas info|    Function properties|    [0-9]+ bytes|    Used|ptxas \. )' "$object.messages" >&2
rm -f "$object.messages"
exit $status
