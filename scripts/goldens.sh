#!/usr/bin/env bash
# Compares the fingerprints of a photonsim binary with the golden ones, or writes them anew.
#
#   scripts/goldens.sh BINARY [--update]
#
# A golden is a line of tests/goldens/*.txt:   SCENARIO [ARGUMENT...] FINGERPRINT
# Blank lines and lines that begin with '#' are kept. A new golden starts with '-' as its fingerprint.
# The fingerprint must be the same for every compiler, optimisation level and set of CPU features.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() { fail 2 "scripts/goldens.sh" "$1" "use scripts/goldens.sh BINARY [--update]"; }
case "$#" in 1 | 2) ;; *) usage "wrong number of arguments" ;; esac
[ -x "$1" ] || usage "'$1' is not an executable file"
binary="$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"
update=no
if [ "$#" = 2 ]; then
  [ "$2" = --update ] || usage "unknown argument '$2'"
  update=yes
fi

cd "$root"
shopt -s nullglob
files=(tests/goldens/*.txt)
if [ "${#files[@]}" = 0 ]; then
  fail 1 "tests/goldens" "no golden file *.txt" "add one, see the head of scripts/goldens.sh"
fi

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# run_one KEY ARGUMENT...: leaves the fingerprint in $work/KEY, or the reason for its absence in $work/KEY.error.
run_one() {
  local key="$1" status=0 found
  shift
  "$binary" run "$@" --json > "$work/$key.out" 2> "$work/$key.log" < /dev/null || status=$?
  if [ "$status" != 0 ]; then
    { echo "exit code $status; the last lines it printed:"; tail -n 5 "$work/$key.log"; } \
      > "$work/$key.error"
    return 0
  fi
  # The first "fingerprint" is the one of the run: fields of the top level come in their order.
  found="$(grep -o '"fingerprint"[[:space:]]*:[[:space:]]*"[^"]*"' "$work/$key.out" |
    sed -n '1s/.*"\([^"]*\)"$/\1/p' || true)"
  if [ -z "$found" ]; then
    echo "its --json output has no field \"fingerprint\"" > "$work/$key.error"
  else
    echo "$found" > "$work/$key"
  fi
}

# Run all goldens, as many at a time as there are cores; KEY is FILE-INDEX-LINE.
running=0
for index in "${!files[@]}"; do
  number=0
  while read -r -a words || [ "${#words[@]}" -gt 0 ]; do
    number=$((number + 1))
    if [ "${#words[@]}" = 0 ] || [[ "${words[0]}" == \#* ]]; then continue; fi
    if [ "${#words[@]}" -lt 2 ]; then
      wait
      fail 2 "${files[$index]}:$number" "a golden needs a scenario and a fingerprint" \
        "write: SCENARIO [ARGUMENT...] FINGERPRINT ('-' for a new one)"
    fi
    if [ "$running" -ge "$(job_count)" ]; then
      wait -n
      running=$((running - 1))
    fi
    run_one "$index-$number" "${words[@]:0:${#words[@]}-1}" &
    running=$((running + 1))
  done < "${files[$index]}"
done
wait

checked=0
changed=0
for index in "${!files[@]}"; do
  file="${files[$index]}"
  number=0
  : > "$work/new"
  while IFS= read -r line || [ -n "$line" ]; do
    number=$((number + 1))
    read -r -a words <<< "$line" || true
    if [ "${#words[@]}" = 0 ] || [[ "${words[0]}" == \#* ]]; then
      printf '%s\n' "$line" >> "$work/new"
      continue
    fi
    key="$index-$number"
    expected="${words[-1]}"
    arguments="${words[*]:0:${#words[@]}-1}"
    replay="$1 run $arguments --json"
    if [ -f "$work/$key.error" ]; then
      fail 1 "$file:$number" "$(cat "$work/$key.error")" "replay it: $replay"
    fi
    actual="$(cat "$work/$key")"
    checked=$((checked + 1))
    printf '%s %s\n' "$arguments" "$actual" >> "$work/new"
    if [ "$actual" = "$expected" ]; then continue; fi
    changed=$((changed + 1))
    if [ "$update" = no ]; then
      say "first difference: $file:$number"
      say "  golden $expected"
      say "  binary $actual   ($1${GLIBC_TUNABLES:+, GLIBC_TUNABLES=$GLIBC_TUNABLES})"
      fail 1 "$file:$number" "the fingerprint of '$arguments' differs" \
        "replay it: $replay; if the change is meant: scripts/goldens.sh BINARY --update"
    fi
    say "$file:$number: $arguments: $expected -> $actual"
  done < "$file"
  if [ "$update" = yes ] && ! cmp -s "$work/new" "$file"; then cp "$work/new" "$file"; fi
done
if [ "$checked" = 0 ]; then
  fail 1 "tests/goldens" "no golden line in ${#files[@]} files" "add one, see scripts/goldens.sh"
fi
if [ "$update" = yes ]; then
  say "goldens: $checked run, $changed changed"
else
  say "goldens: $checked equal"
fi
