#!/usr/bin/env bash
# Writes PAPER_MAP.md: for each requirement of docs/SPEC.md, the files that cite it and the tests whose
# names carry it. With --check it only compares and says how to mend a difference; it also requires a
# test name for every requirement of sections A, C, D, E and F that the paper states [S] or that
# follows from it [D]. tests/lint/untested_ids.txt lists the exceptions.
set -euo pipefail
cd "$(dirname "$0")/.."

id_pattern='\b([A-F]-[0-9]{2}[a-f]?|BC-[0-9]{2}|G-[0-9]{2}b?|J-[SPHL][0-9]+|M-[0-9]{2})\b'

# "ID<TAB>kind<TAB>file" for every mention, kind being spec, code or test.
mentions() {
  grep -oE '^\* \*\*[A-G]-[0-9]{2}[a-f]?\*\* \[[SDM]' docs/SPEC.md |
    sed -E 's/^\* \*\*([^*]*)\*\* \[([SDM])/\1\tspec\t\2/'
  grep -oE '^\| BC-[0-9]{2}' docs/SPEC.md | sed -E 's/^\| (.*)/\1\tspec\ttable/'
  grep -oE '^\| M-[0-9]{2}' docs/SPEC.md | sed -E 's/^\| (.*)/\1\tspec\tmutant/'
  grep -oE '^\* \*\*J-[SPHL][0-9]+' docs/SPEC.md | sed -E 's/^\* \*\*(.*)/\1\tspec\tinvariant/'
  grep -rnoE "$id_pattern" core_impl sim models analysis scenarios campaigns cli \
    --include='*.h' --include='*.cc' --include='*.toml' |
    sed -E 's/^([^:]*):[0-9]+:(.*)$/\2\tcode\t\1/'
  # A test's name may run over several source lines.
  find tests -name '*.cc' | LC_ALL=C sort | xargs perl -0777 -ne '
    BEGIN { $id = qr/'"$id_pattern"'/ }
    while (/(?:TEST_CASE|SCENARIO|rc::prop)\(([^)]*)/g) {
      my $name = $1;
      print "$1\ttest\t$ARGV\n" while $name =~ /$id/g;
    }'
  find tests/mutants -name '*.patch' 2>/dev/null | LC_ALL=C sort |
    sed -nE 's#^(.*/(M-[0-9]{2})[^/]*)$#\2\ttest\t\1#p'
}

render() {
  cat <<'HEAD'
# From requirement to code and test

One row for each requirement of `docs/SPEC.md` that code or a test names, and for every stated or
derived one of sections A, C, D, E and F. Written by `scripts/paper_map.sh`; a test fails when it is
out of date, and when such a requirement has no test. Status: S stated by the paper, D derived,
M modelling choice; corner cases, invariants and mutants are marked as such.

| id | status | code | tests |
|---|---|---|---|
HEAD
  mentions | LC_ALL=C sort -u | awk -F'\t' '
    { ids[$1] = 1 }
    $2 == "spec" { status[$1] = $3 }
    $2 == "code" { code[$1] = code[$1] (code[$1] == "" ? "" : "<br>") $3 }
    $2 == "test" { test[$1] = test[$1] (test[$1] == "" ? "" : "<br>") $3 }
    END {
      for (id in ids) {
        asked = id ~ /^[ACDEF]-/ && status[id] ~ /^[SD]$/
        if (code[id] != "" || test[id] != "" || asked) {
          printf "| %s | %s | %s | %s |\n", id, status[id], code[id], test[id]
        }
      }
    }' | LC_ALL=C sort
}

# Every stated or derived requirement is in a test's name or in the list of exceptions, never in both.
check_named() {
  local all required named excepted id problems=0
  all=$(mentions)
  required=$(awk -F'\t' '$2 == "spec" && $3 ~ /^[SD]$/ && $1 ~ /^[ACDEF]-/ { print $1 }' <<<"$all" |
    LC_ALL=C sort -u)
  [ "$(wc -w <<<"$required")" -gt 100 ] || {
    echo "docs/SPEC.md: only $(wc -w <<<"$required") requirements found; is its form a new one?" >&2
    return 1
  }
  named=$(awk -F'\t' '$2 == "test" { print $1 }' <<<"$all" | LC_ALL=C sort -u)
  excepted=$(grep -oE '^[A-F]-[0-9]{2}[a-f]?' tests/lint/untested_ids.txt | LC_ALL=C sort -u || true)
  for id in $(comm -23 <(echo "$required") <(printf '%s\n%s\n' "$named" "$excepted" | LC_ALL=C sort -u)); do
    echo "$id: no test has it in its name (docs/SPEC.md says what is asked)" >&2
    problems=1
  done
  for id in $(comm -12 <(echo "$excepted") <(echo "$named")); do
    echo "$id: has a test now; take it out of tests/lint/untested_ids.txt" >&2
    problems=1
  done
  for id in $(comm -23 <(echo "$excepted") <(echo "$required")); do
    echo "$id: tests/lint/untested_ids.txt names it, but docs/SPEC.md asks no test of it" >&2
    problems=1
  done
  return $problems
}

if [ "${1:-}" = "--check" ]; then
  problems=0
  check_named || problems=1
  if ! diff <(render) PAPER_MAP.md >/dev/null 2>&1; then
    echo "PAPER_MAP.md is out of date; run scripts/paper_map.sh and commit the result" >&2
    diff <(render) PAPER_MAP.md | head -n 10 >&2 || true
    problems=1
  fi
  exit $problems
fi
render >PAPER_MAP.md
