#!/usr/bin/env bash
# Opens reports in headless Chromium: no error on the console, every chart drawn, in light and dark, wide and narrow.
#
#   tests/report/browser.sh PROGRAM FOLDER
#
# Exit 77: there is no Chromium on this machine.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"
program="$1" folder="$2"
browser="$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)"
if [ -z "$browser" ]; then
  say "no Chromium: scripts/setup.sh --ci installs it"
  exit 77
fi
cd "$root"
rm -rf "$folder"
mkdir -p "$folder"

cat > "$folder/study.toml" << EOF
base = "$root/scenarios/registry/quiet.toml"
[set]
"run.duration" = "12s"
"workload.registry.rate" = 300
[grid]
"registry.shards" = [1, 2]
"registry.max_batch_operations" = [4, 64]
"network.jitter_mean" = ["1ms", "4ms"]
[replications]
min = 3
max = 3
[[chart]]
id = "Fig 1"
title = "batches"
x = "registry.max_batch_operations"
bound = [{ label = "limit", formula = "x" }]
[[chart.line]]
label = "one shard"
figure = "load.mean_batch"
at = "registry.shards == 1"
theory = "300 * latency.commit.mean"
[[chart]]
id = "Fig 2"
title = "transactions"
x = "case"
line = [{ label = "transactions", figure = "load.transactions_per_second" }]
EOF
"$program" run scenarios/slow_output.toml --out "$folder/run.sqlite" > "$folder/log" 2>&1
"$program" sweep "$folder/study.toml" --out "$folder/study.sqlite" --jobs 2 >> "$folder/log" 2>&1
"$program" fuzz --swarm --seeds 1..30 --out "$folder/campaign.sqlite" --jobs 2 >> "$folder/log" 2>&1
# Three acceptors of five lose their disks: nothing is answered any more.
cat > "$folder/mute.toml" << EOF
include = ["$root/scenarios/registry/quiet.toml"]
scenario.name = "mute"
run = { duration = "3s", warm_up = "0s" }
workload.registry.rate = 5
[faults]
crash = [
  { process = "registry/0@us-west1", at = "1s", restart_after = "100ms", lose_disk = true },
  { process = "registry/0@us-west2", at = "1s", restart_after = "100ms", lose_disk = true },
  { process = "registry/0@us-central1", at = "1s", restart_after = "100ms", lose_disk = true },
]
EOF
"$program" fuzz "$folder/mute.toml" --seeds 6..7 --shrink 1 --shrink-time 10m --repros "$folder/repros" \
  --out "$folder/failure.sqlite" >> "$folder/log" 2>&1 || [ "$?" = 4 ]

failed=0
complain() {
  say "$1"
  failed=1
}

# Charts that a page must have.
wanted_run="capacity latency-percentiles latency-cdf stages waste timeline faults batching registry-memory cache \
losses fault-states obligations"
wanted_study="stated-fig-1 stated-fig-2 load effects interactions differences pareto latency-percentiles latency-cdf \
obligations health"
wanted_campaign="latency-percentiles latency-cdf losses fault-states obligations"
wanted_failure="fault-states obligations"

for page in run study campaign failure; do
  "$program" report "$folder/$page.sqlite" --html "$folder/$page.html"
  for theme in light dark; do
    for width in 1280 400; do
      name="$page, $theme, $width px"
      options=(--headless --no-sandbox --disable-gpu --window-size="$width,2000" --virtual-time-budget=60000
        --enable-logging=stderr --user-data-dir="$folder/profile")
      if [ "$theme" = dark ]; then options+=(--blink-settings=preferredColorScheme=0); fi
      # A browser may fail on a machine that is short of something; a page that fails three times is wrong.
      for attempt in 1 2 3; do
        "$browser" "${options[@]}" --dump-dom "file://$folder/$page.html" > "$folder/dom" 2> "$folder/console" || true
        charts="$(grep -o 'data-chart="[a-z0-9-]*"' "$folder/dom" | sort -u | wc -l || true)"
        drawn="$(grep -o 'data-drawn="[0-9]*"' "$folder/dom" | head -1 | tr -dc 0-9 || true)"
        pictures="$(grep -o '<svg [^>]*class="marks"' "$folder/dom" | wc -l || true)"
        if [ "$charts" != 0 ] && [ "${drawn:-0}" = "$charts" ] && [ "$pictures" = "$charts" ]; then break; fi
        if [ "$attempt" = 3 ]; then
          complain "$name: $charts charts, of which ${drawn:-0} were drawn, as $pictures pictures"
        fi
      done
      if grep -E ':CONSOLE[:(]' "$folder/console"; then complain "$name: the console is not empty"; fi
      perl -0777 -ne 'print $1 if /<main(.*?)<\/main>/s' "$folder/dom" > "$folder/main"
      if grep -oE '.{40}(NaN|undefined|Infinity).{20}' "$folder/main"; then
        complain "$name: a number is missing"
      fi
      if [ "$page" = failure ] && ! grep -q 'data-diagram=' "$folder/dom"; then
        complain "$name: the minimized failure has no diagram"
      fi
      wanted="wanted_$page"
      for chart in ${!wanted}; do
        grep -q "data-chart=\"$chart\"" "$folder/dom" || complain "$name: there is no chart $chart"
      done
    done
  done
done
[ "$failed" = 0 ] && say "4 reports, each in light and dark, at 1280 and 400 px: every chart is drawn"
exit "$failed"
