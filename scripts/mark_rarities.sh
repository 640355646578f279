#!/usr/bin/env bash
# Restates the rarities of coverage marks (campaigns/mark_rarities.inc) from the report of a campaign of
# the swarm.
#
#   photonsim fuzz --swarm --seeds 1..12000 --no-coverage-gate --json > report.json
#   scripts/mark_rarities.sh report.json
#   scripts/mark_rarities.sh --lower NAME --because TEXT [--lower ... --because ...] report.json
#
# Reached in one run of a hundred or more: common; in three of two thousand: rare; less often: very_rare.
# A mark that more runs reach than its row says is restated. One that fewer reach is not, unless it is
# lowered with a reason: perhaps the swarm has lost what led there, and that is what the coverage gate of
# campaigns is to notice. Reasons are kept in campaigns/LOWERED_MARKS.md. An exempt mark stays exempt.
# Exit: 0; 1 a mark was not lowered, or an exempt one was reached, each named; 2 usage, nothing changed.
# Build and test afterwards: the coverage gate rests on these shares.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
  fail 2 "scripts/mark_rarities.sh" "$1" \
    "use scripts/mark_rarities.sh [--lower NAME --because TEXT]... REPORT.json"
}
declare -A reasons=()
report=''
while [ "$#" -gt 0 ]; do
  case "$1" in
    --lower)
      [[ "$#" -ge 4 && "$3" = --because ]] || usage "--lower ${2:-} has no reason"
      [[ "$4" =~ [^[:space:]] ]] || usage "the reason for $2 is empty"
      reasons["$2"]="$4"
      shift 4
      ;;
    -*) usage "unknown option $1" ;;
    *)
      [ -z "$report" ] || usage "two reports"
      report="$1"
      shift
      ;;
  esac
done
[ -n "$report" ] || usage "no report"
[ -r "$report" ] || usage "'$report' cannot be read"
report="$(cd "$(dirname "$report")" && pwd)/$(basename "$report")"
cd "$root"
record=campaigns/LOWERED_MARKS.md
rows=campaigns/mark_rarities.inc

runs="$(grep -o '"runs":[0-9]*' "$report" | head -n 1 | cut -d: -f2 || true)"
[ -n "$runs" ] || usage "'$report' is no report of photonsim fuzz --json"
[ "$runs" -ge 5000 ] || usage "$runs runs are too few: at least 5000"

# NAME RARITY PLACE RUNS
marks="$(grep -o '"[a-z0-9_.]*":{"rarity":"[a-z_]*","place":"[^"]*","hits":[0-9]*,"runs":[0-9]*' "$report" |
  sed 's/^"\([^"]*\)":{"rarity":"\([^"]*\)","place":"\([^:]*\):[0-9]*","hits":[0-9]*,"runs":\([0-9]*\)$/\1 \2 \3 \4/')"

measured() { # RUNS: the rarity of a mark that this number of runs reached
  if [ $(($1 * 100)) -ge "$runs" ]; then
    echo common
  elif [ $(($1 * 2000)) -ge $((runs * 3)) ]; then
    echo rare
  else
    echo very_rare
  fi
}
frequency() { case "$1" in common) echo 3 ;; rare) echo 2 ;; *) echo 1 ;; esac; }
is_lower() { [ "$(frequency "$2")" -lt "$(frequency "$1")" ]; } # STATED MEASURED

lowered=()
while read -r name rarity _ reached; do
  if [ "$rarity" != exempt ] && is_lower "$rarity" "$(measured "$reached")"; then lowered+=("$name"); fi
done <<<"$marks"
for name in "${!reasons[@]}"; do
  printf '%s\n' "${lowered[@]}" | grep -qxF "$name" || usage "$name need not be lowered by this report"
done

restate() { # NAME FROM TO
  local from="MARK(\"$1\", $2, " to="MARK(\"$1\", $3, "
  grep -qF "$from" "$rows" || fail 1 "$rows" "$from is not there" "make a report of the program as it is now"
  sed -i "s/^${from//./\\.}/$to/" "$rows"
  echo "$1: $2, now $3"
}

status=0
while read -r name rarity file reached; do
  measured_rarity="$(measured "$reached")"
  if [ "$rarity" = exempt ]; then
    [ "$reached" = 0 ] || { echo "exempt, and reached in $reached runs: $name ($file)"; status=1; }
  elif ! is_lower "$rarity" "$measured_rarity"; then
    [ "$measured_rarity" = "$rarity" ] || restate "$name" "$rarity" "$measured_rarity"
  elif [ -z "${reasons[$name]:-}" ]; then
    echo "$name ($file): $rarity, and reached in $reached of $runs runs, which is $measured_rarity:" \
      "lead configurations there again, or lower it (--lower $name --because TEXT)"
    status=1
  else
    restate "$name" "$rarity" "$measured_rarity"
    reason="${reasons[$name]//$'\n'/ }"
    printf '| `%s` | %s | %s | %s of %s | %s |\n' "$name" "$rarity" "$measured_rarity" "$reached" "$runs" \
      "${reason//|/\\|}" >> "$record"
  fi
done <<<"$marks"
exit "$status"
