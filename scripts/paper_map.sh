#!/usr/bin/env bash
# Writes PAPER_MAP.md: for each requirement of docs/SPEC.md, the files that cite it and the tests whose
# names carry it. With --check it only compares and says how to mend a difference.
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
  grep -rnoE "$id_pattern" core_impl sim models analysis scenarios cli \
    --include='*.h' --include='*.cc' --include='*.toml' |
    sed -E 's/^([^:]*):[0-9]+:(.*)$/\2\tcode\t\1/'
  # A test's name may run over several source lines: join each TEST_CASE( ... ) first.
  find tests -name '*.cc' | LC_ALL=C sort | while read -r file; do
    tr '\n' ' ' <"$file" | grep -oE '(TEST_CASE|SCENARIO|rc::prop)\([^)]*\)?' |
      grep -oE "$id_pattern" | sed -E "s#\$#\ttest\t$file#" || true
  done
  find tests/mutants -name '*.patch' 2>/dev/null | LC_ALL=C sort | while read -r file; do
    basename "$file" | grep -oE "M-[0-9]{2}" | sed -E "s#\$#\ttest\t$file#" || true
  done
}

render() {
  cat <<'HEAD'
# From requirement to code and test

One row for each requirement of `docs/SPEC.md` that code or a test names. Written by
`scripts/paper_map.sh`; a test fails when it is out of date. Status: S stated by the paper, D derived,
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
        if (code[id] != "" || test[id] != "") {
          printf "| %s | %s | %s | %s |\n", id, status[id], code[id], test[id]
        }
      }
    }' | LC_ALL=C sort
}

if [ "${1:-}" = "--check" ]; then
  if ! diff <(render) PAPER_MAP.md >/dev/null 2>&1; then
    echo "PAPER_MAP.md is out of date; run scripts/paper_map.sh and commit the result" >&2
    diff <(render) PAPER_MAP.md | head -n 10 >&2
    exit 1
  fi
  exit 0
fi
render >PAPER_MAP.md
