#!/usr/bin/env bash
# Runs the commands that the documents show, and compares their output with what the documents say.
#
#   scripts/transcript.sh BINARY [--update] [DOCUMENT...]
#
#   BINARY      the program that the documents call `photonsim`
#   --update    writes the output into the documents instead of comparing
#   DOCUMENT    only these; otherwise README.md and all of docs/
#
# A transcript is a fenced block of the kind `console`, which may be indented. A line that begins with "$ " is a
# command, "> " continues it, and the lines up to the next command are what it writes to stdout. All commands of a
# document run in one shell, in an empty folder that has the library of scenarios and a folder `out`. A command that
# fails is followed by one that shows `$?`. Wall times are not compared.
#
# Exit 1: a document differs from the actual output.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() { fail 2 "scripts/transcript.sh" "$1" "use scripts/transcript.sh BINARY [--update] [DOCUMENT...]"; }
[ "$#" -ge 1 ] || usage "no binary"
[ -x "$1" ] || usage "'$1' is not an executable file"
binary="$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"
shift
update=no
if [ "${1:-}" = --update ]; then
  update=yes
  shift
fi
cd "$root"
documents=("$@")
if [ "${#documents[@]}" = 0 ]; then
  mapfile -t documents < <(echo README.md; find docs -name '*.md' | LC_ALL=C sort)
fi
for document in "${documents[@]}"; do [ -f "$document" ] || usage "there is no document '$document'"; done

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

without_wall() { sed -E 's/ in [0-9.]+ (us|ms|s|min [0-9]+ s)/ in TIME/g' "$1"; }

# split DOCUMENT: the commands, numbered from 1, into $work/commands/N; what the document shows of them into
# $work/shown/N.
split() {
  awk -v work="$work" '
    /^ *```console$/ { inside = 1; indent = index($0, "`"); next }
    /^ *```$/ { inside = 0; next }
    !inside { next }
    { line = substr($0, indent); shown = work "/shown/" number }
    line ~ /^\$ / {
      command = work "/commands/" ++number
      printf "" > (work "/shown/" number)
      print substr(line, 3) > command
      next
    }
    line ~ /^>( |$)/ && number { print substr(line, 3) > command; next }
    number { print line > shown }' "$1"
}

# run_all COUNT: all commands in one shell; the output of each into $work/seen/N, its status into $work/status/N.
run_all() {
  local number
  for ((number = 1; number <= $1; ++number)); do
    printf '{\n'
    cat "$work/commands/$number"
    # The status stays what it was, for a next command that shows it.
    printf '} > "%s/seen/%s" 2> "%s/log/%s"\n' "$work" "$number" "$work" "$number"
    # shellcheck disable=SC2016  # for the shell that runs the session
    printf '(exit_code=$?; echo "$exit_code" > "%s/status/%s"; exit "$exit_code")\n' "$work" "$number"
  done > "$work/session"
  local place="$work/place"
  rm -rf "$place" && mkdir -p "$place/out" "$place/bin"
  ln -s "$root/scenarios" "$place/scenarios"
  ln -s "$binary" "$place/bin/photonsim"
  (cd "$place" && PATH="$place/bin:$PATH" bash "$work/session") < /dev/null || true
}

# check DOCUMENT NUMBER COUNT
check() {
  local document="$1" number="$2" command status
  command="$(head -n 1 "$work/commands/$number")"
  status="$(cat "$work/status/$number" 2> /dev/null || echo "none")"
  if [ "$status" != 0 ] && ! grep -qsF '$?' "$work/commands/$((number + 1))"; then
    fail 1 "$document" "'$command' ends with $status: $(tail -n 3 "$work/log/$number")" "mend it, or show \$? after it"
  fi
  if ! diff <(without_wall "$work/shown/$number") <(without_wall "$work/seen/$number") > "$work/diff"; then
    if [ "$update" = yes ]; then
      cp "$work/seen/$number" "$work/shown/$number"
      changed=yes
    else
      fail 1 "$document" "'$command' writes something else: $(grep -m 3 '^[<>]' "$work/diff")" \
        "read the difference, then scripts/transcript.sh $binary --update $document"
    fi
  fi
}

# write DOCUMENT: the document with the outputs in $work/shown.
write() {
  awk -v work="$work" '
    /^ *```console$/ { inside = 1; indent = index($0, "`"); print; next }
    /^ *```$/ && inside { show(); inside = 0 }
    !inside { print; next }
    { line = substr($0, indent) }
    line ~ /^\$ / { show(); ++number; pending = 1; print; next }
    line ~ /^>( |$)/ && pending { print; next }
    { show() }
    function show(    output, file) {
      if (!pending) return
      pending = 0
      file = work "/shown/" number
      while ((getline output < file) > 0) print (output == "" ? "" : sprintf("%*s%s", indent - 1, "", output))
      close(file)
    }' "$1"
}

for document in "${documents[@]}"; do
  rm -rf "$work"/{commands,shown,seen,status,log}
  mkdir -p "$work"/{commands,shown,seen,status,log}
  split "$document"
  count="$(find "$work/commands" -type f | wc -l)"
  [ "$count" -gt 0 ] || continue
  run_all "$count"
  changed=no
  for ((number = 1; number <= count; ++number)); do check "$document" "$number"; done
  if [ "$changed" = yes ]; then
    write "$document" > "$work/document"
    cat "$work/document" > "$document"
    say "$document: written anew"
  fi
  say "$document: $count commands"
done
