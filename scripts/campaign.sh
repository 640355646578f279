#!/usr/bin/env bash
# Runs a campaign over unused seeds, overnight or from cron.
#
#   scripts/campaign.sh BINARY [HOURS]      by default 8 hours
#
# Random and guided configurations alternate, half an hour each. The output is in out/campaigns/DATE: results files,
# JUnit files and the minimized repros of failures. A repro that shows a defect becomes a scenario under scenarios/
# with the test that runs it. Exit: 0 when no run failed, otherwise the code of the first campaign that failed; 2 usage.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() { fail 2 "scripts/campaign.sh" "$1" "use scripts/campaign.sh BINARY [HOURS]"; }
case "$#" in 1 | 2) ;; *) usage "wrong number of arguments" ;; esac
[ -x "$1" ] || usage "'$1' is not an executable file"
[[ "${2:-8}" =~ ^[1-9][0-9]*$ ]] || usage "'$2' is not a number of hours"
binary="$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"
slices=$((2 * ${2:-8}))

stamp="$(date -u +%Y%m%dT%H%M%S)"
folder="$root/out/campaigns/$stamp"
mkdir -p "$folder" || fail 8 "$folder" "the folder cannot be created" "make out/ writable"
cd "$folder"
say "results: $folder"

# Seconds since 1970 leave a million seeds for each second: no two campaigns share one.
first=$(($(date +%s) * 1000000))
worst=0
for ((slice = 0; slice < slices; ++slice)); do
  mode=()
  name="random-$slice"
  if [ $((slice % 2)) = 1 ]; then
    mode=(--guided)
    name="guided-$slice"
  fi
  arguments=(--swarm "${mode[@]}" --seeds "$first..$((first + 999999))" --time 30m --jobs "$(nproc)"
    --junit "$name.xml")
  if [ "${#mode[@]}" = 0 ]; then arguments+=(--out "$name.sqlite"); fi
  status=0
  "$binary" fuzz "${arguments[@]}" > "$name.txt" || status=$?
  if [ "$status" = 130 ]; then exit 130; fi
  if [ "$status" != 0 ]; then
    say "$name ended with exit code $status: $folder/$name.txt"
    if [ "$worst" = 0 ]; then worst="$status"; fi
  fi
  first=$((first + 1000000))
done
exit "$worst"
