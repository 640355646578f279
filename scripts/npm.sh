#!/usr/bin/env bash
# Installs the npm packages that the report page embeds, into build/npm, once for all build folders.
#
#   scripts/npm.sh FOLDER
#
#   FOLDER    has package.json and package-lock.json, which pins every version
#
# Only the build needs them: the program and its reports work without Node and without a network.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[ "$#" = 1 ] || fail 2 "scripts/npm.sh" "one folder is expected" "use scripts/npm.sh FOLDER"
folder="$(cd "$1" && pwd)"
target="$root/build/npm"
mkdir -p "$target"

# Builds in several folders at once install only once.
exec 9> "$target/lock"
flock 9
if cmp -s "$folder/package-lock.json" "$target/installed.json"; then
  find "$target/node_modules" -name '*.min.js' -path '*/build/*' -exec touch {} +
  exit 0
fi
if ! command -v npm > /dev/null; then
  fail 8 "scripts/npm.sh" "npm is missing, which fetches the chart library of reports" \
    "run scripts/setup.sh, or install Debian's package npm"
fi
cp "$folder/package.json" "$folder/package-lock.json" "$target/"
log="$target/install.log"
installed=no
for _ in 1 2 3; do  # a network may fail for a moment
  if (cd "$target" && npm ci --ignore-scripts --no-audit --no-fund) > "$log" 2>&1; then
    installed=yes
    break
  fi
  sleep 5
done
if [ "$installed" = no ]; then
  tail -5 "$log" >&2
  fail 8 "scripts/npm.sh" "npm could not install the chart library of reports; $log says why" \
    "see whether the network reaches npm's registry, then build again"
fi
cp "$folder/package-lock.json" "$target/installed.json"
