#!/usr/bin/env bash
# States the rarities of PHOTON_MARKs anew, from what a campaign of the swarm came by.
#
#   photonsim fuzz --swarm --seeds 1..12000 --no-coverage-gate --json > report.json
#   scripts/mark_rarities.sh report.json
#
# In one run of a hundred or more: common; in three of two thousand: rare; less often: very_rare. What
# is excused stays so, unless a run was there: then it is named, and the exit code is 1.
# Build and test afterwards: cli/coverage_gate.cc rests on these shares.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() { fail 2 "scripts/mark_rarities.sh" "$1" "use scripts/mark_rarities.sh REPORT.json"; }
[ "$#" = 1 ] || usage "wrong number of arguments"
[ -r "$1" ] || usage "'$1' cannot be read"
report="$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"
cd "$(dirname "${BASH_SOURCE[0]}")/.."

runs="$(grep -o '"runs":[0-9]*' "$report" | head -n 1 | cut -d: -f2)"
[ -n "$runs" ] || usage "'$1' is no report of photonsim fuzz --json"
[ "$runs" -ge 5000 ] || usage "$runs runs are too few: at least 5000"

# NAME RARITY PLACE:LINE RUNS
marks="$(grep -o '"[a-z0-9_.]*":{"rarity":"[a-z_]*","place":"[^"]*","hits":[0-9]*,"runs":[0-9]*' "$report" |
  sed 's/^"\([^"]*\)":{"rarity":"\([^"]*\)","place":"\([^:]*\):[0-9]*","hits":[0-9]*,"runs":\([0-9]*\)$/\1 \2 \3 \4/')"

status=0
while read -r name rarity file reached; do
  if [ "$rarity" = excused ]; then
    [ "$reached" = 0 ] || { echo "excused, and reached in $reached runs: $name ($file)"; status=1; }
    continue
  fi
  wanted=very_rare
  if [ $((reached * 2000)) -ge $((runs * 3)) ]; then wanted=rare; fi
  if [ $((reached * 100)) -ge "$runs" ]; then wanted=common; fi
  [ "$wanted" = "$rarity" ] || sed -i "s/PHOTON_MARK(\"$name\", $rarity);/PHOTON_MARK(\"$name\", $wanted);/" "$file"
done <<<"$marks"
scripts/format.sh
exit "$status"
