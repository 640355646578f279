#!/usr/bin/env bash
# Compares the transcripts in README.md with what the program says today, or writes them anew.
#
#   scripts/transcript.sh BINARY [--update]
#
# A transcript is a block of lines that are indented by four columns: the output of the program, of whose corner cases
# only the first three are shown, and whose marks, of which there are more every week, are left out. Wall times are
# not compared.
#
# Exit 1: README.md shows another run than the one a new user will see.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() { fail 2 "scripts/transcript.sh" "$1" "use scripts/transcript.sh BINARY [--update]"; }
case "$#" in 1 | 2) ;; *) usage "wrong number of arguments" ;; esac
[ -x "$1" ] || usage "'$1' is not an executable file"
binary="$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"
update=no
if [ "$#" = 2 ]; then
  [ "$2" = --update ] || usage "unknown argument '$2'"
  update=yes
fi
cd "$root"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# "in 3.95 s" of the wall, in the first line.
without_wall() { sed -E '1s/ in [0-9.]+ (us|ms|s|min [0-9]+ s)//' "$1"; }

# transcript FIRST ARGUMENT...: the block that begins with FIRST is what the program says to these arguments.
transcript() {
  local first="    $1"
  shift
  "$binary" "$@" 2> "$work/log" |
    awk '/^  BC-[0-9]+ .*  / { if (++rows == 4) print "  ..."; if (rows > 3) next }
      /^(marks of the code|cost)$/ { marks = 1 } /^$/ { marks = 0; ++blank; next }
      marks { blank = 0; next } { for (; blank > 0; --blank) print ""; print }' |
    sed 's/^/    /' > "$work/seen" || fail 1 "README.md" "'$binary $*' fails: $(tail -n 3 "$work/log")" "mend it"
  awk -v first="$first" 'index($0, first) == 1 { on = 1 } on && !/^    / { exit } on' README.md > "$work/shown"
  [ -s "$work/shown" ] || fail 1 "README.md" "no transcript begins with '$first'" "write that line into README.md"
  if [ "$update" = yes ]; then
    awk -v first="$first" -v file="$work/seen" '
      index($0, first) == 1 { on = 1; while ((getline line < file) > 0) print line }
      on && !/^    / { on = 0 }
      !on' README.md > "$work/README.md"
    cat "$work/README.md" > README.md
  elif ! diff <(without_wall "$work/shown") <(without_wall "$work/seen") > "$work/diff"; then
    fail 1 "README.md" "a transcript differs from what the program says: $(grep -m 3 '^[<>]' "$work/diff")" \
      "look at it, then scripts/transcript.sh $binary --update"
  fi
  say "README.md: $(head -n 1 "$work/seen")"
}

transcript "quickstart, seed 1:" run scenarios/quickstart.toml
transcript "40 runs" fuzz scenarios/registry/campaign_*.toml --seeds 1..40 --jobs 2
