#!/usr/bin/env bash
# Removes the second pipeline and runs many seeds of every scenario that is meaningful with one, with and
# without verification. Losses that the twin masked must be in the accounts, by class; with verification
# nothing may be lost with a joiner (SPEC J.2, F-01, D-15).
#
#   scripts/lone_pipeline.sh PHOTONSIM [SEEDS]     SEEDS of each scenario with verification, default 300; and
#                                                  a fifth of them without, to show what is at stake
#
# Prints a row for each scenario and setting; failures, with their replay lines, go to stderr.
# The default took an hour on two shared cores. Exit: 0 all runs as required; 1 not; 2 usage.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$root"

[ $# -ge 1 ] && [ $# -le 2 ] || fail 2 "$0" "takes PHOTONSIM and optionally SEEDS, not $# arguments" \
  "scripts/lone_pipeline.sh build/release/photonsim 300"
program="$1"
seeds="${2:-300}"
[ -x "$program" ] || fail 2 "$program" "is not a program" "cmake --build --preset release"
[[ "$seeds" =~ ^[1-9][0-9]*$ ]] || fail 2 "SEEDS" "'$seeds' is not a number" "give one, such as 300"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

# Faults that name the removed pipeline are replaced. One override a line.
alone=(--set 'topology.pipelines=["us-east1"]')
cache_crashes='[{process="us-east1/cache/0",at="2min",restart_after="2min"},'
cache_crashes+='{process="us-east1/cache/1",at="2min",restart_after="2min"}]'
overrides_of() {
  case $1 in
    late_queries)
      echo 'faults.log_stall=[{log="queries",server="3",at="2min",for="2min",tail="20s"}]' ;;
    cache_loss) echo "faults.crash=$cache_crashes" ;;
    log_rotation)
      echo 'faults.log_damage=[{log="queries",datacenter="us-east1",at="1min",for="4min",share="1%"}]' ;;
    quickstart) echo 'workload.synthetic.clicks=10_000' ;;
    lost_state) echo 'verification={grace="30s",recheck_cap="30s",unregistered_after="9min"}' ;;
    lost_state_both)  # its state is lost twice, the second time with clicks just recovered
      echo 'run.duration="14min"'
      printf 'faults.crash=[%s,%s]\n' \
        '{process="us-east1/dispatcher/0",at="100s",restart_after="80s"}' \
        '{process="us-east1/dispatcher/0",at="9min",restart_after="150s"}'
      printf 'operations.forget_state=[%s,%s]\n' '{datacenter="us-east1",at="175s"}' \
        '{datacenter="us-east1",at="680s"}' ;;
    two_day_downtime_scaled)  # the defaults divided by 100; joiners crash while it catches up
      printf 'faults.random=[{kind="process_crash",target="joiner",%s}]\n' \
        'mean_interval="3s",restart_after="1s",from="1900s"'
      printf 'verification={%s,%s}\n' 'grace="6s",unregistered_after="432s"' \
        'recheck_initial="6s",recheck_cap="36s"' ;;
    lost_output) echo 'faults.output_loss=[{datacenter="us-east1",at="3min",records=20}]' ;;
  esac
}

# Scenarios without crashes get joiner crashes, so that there are clicks to recover.
added_crashes_of() {
  case $1 in
    healthy | late_queries | cache_loss | lost_answers | lost_output | lost_state | lost_state_both | grouped_dispatch)
      echo 'faults.random=[{kind="process_crash",target="joiner",mean_interval="10s",restart_after="2s"}]' ;;
  esac
}

joiner_crashes_of() {
  case $1 in
    late_messages) echo 'mean_interval="4s",restart_after="1s"' ;;
    recovery) echo 'mean_interval="5s",restart_after="3s"' ;;
    two_verifiers) echo 'mean_interval="3s",restart_after="2s"' ;;
  esac
}

# Of the report of the last campaign: its first lines (what stands before the list of scenarios), and its
# figures over all runs. Names repeat elsewhere in the report, but not within one of these parts; a name in
# the text of an override has a backslash before its last quote.
head_of() { sed -n 's/,"scenarios":\[.*//p' "$scratch/report"; }
figures_of() { sed -n 's/.*,"figures":{\([^{}]*\)}.*/\1/p' "$scratch/report"; }
# number NAME PART: nothing if PART has none of that name.
number() { sed -nE "s/^(.*[,{])?\"$1\":([0-9]+)(,.*)?\$/\2/p" <<<"$2"; }
classes() {
  grep -oE '"lost\.(L-[A-Za-z]+|unclassified)":[1-9][0-9]*' <<<"$1" | sed 's/lost\.//' | tr -d '"' |
    tr ':\n' '  ' || true
}

bad=0
total=0
printf '%-23s %-13s %6s %7s %9s %9s  %s\n' scenario verification runs failed clicks joined lost
for scenario in healthy quickstart late_queries late_messages cache_loss log_rotation slow_output \
  lost_answers lost_output lost_state partitioned_joiner rolling_restart recovery two_verifiers \
  lost_state_both two_day_downtime_scaled grouped_dispatch trace trace_kills; do
  for verification in false true; do
    runs_expected=$([ "$verification" = true ] && echo "$seeds" || echo $(((seeds + 4) / 5)))
    changes=("${alone[@]}")
    while IFS= read -r own; do
      changes+=(--set "$own")
    done < <(overrides_of "$scenario"; added_crashes_of "$scenario")
    changes+=(--set "verification.enabled=$verification")
    # Without it there are no verifiers to crash, only joiners.
    if [ "$verification" = false ] && [ -n "$(joiner_crashes_of "$scenario")" ]; then
      changes+=(--set "faults.random=[{kind=\"process_crash\",target=\"joiner\",$(
        joiner_crashes_of "$scenario")}]")
    fi
    status=0
    "$program" fuzz "scenarios/$scenario.toml" "${changes[@]}" --seeds "1..$runs_expected" --shrink 0 \
      --jobs "$(job_count)" --json >"$scratch/report" 2>"$scratch/log" || status=$?
    head="$(head_of)"
    figures="$(figures_of)"
    runs="$(number runs "$head")"
    generated="$(number generated "$figures")"
    joined="$(number joined "$figures")"
    lost="$(classes "$figures")"
    printf '%-23s %-13s %6s %7s %9s %9s  %s\n' "$scenario" \
      "$([ "$verification" = true ] && echo on || echo off)" "${runs:--}" "$(number failed "$head")" \
      "${generated:--}" "${joined:--}" "${lost:-none}"
    total=$((total + ${runs:-0}))
    if [ "$status" -ne 0 ]; then
      bad=1
      say "$scenario, verification $verification: exit code $status"
      say "$(grep -oE '"replay":"[^}]*' "$scratch/report" | head -n 3)$(tail -n 2 "$scratch/log")"
    elif [ "$runs" != "$runs_expected" ] || [ -z "$generated" ] || [ -z "$joined" ]; then
      bad=1
      say "$scenario, verification $verification: its report lacks the totals of $runs_expected runs"
      say "  remedy: compare head_of and figures_of in scripts/lone_pipeline.sh with photonsim fuzz --json"
    elif [ "$verification" = true ] && [[ "$lost" =~ L-crash|L-operator ]]; then
      bad=1
      say "$scenario: verification was on, and did not recover all it can ($lost)"
    fi
  done
done
echo "$total runs"
exit "$bad"
