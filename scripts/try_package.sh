#!/usr/bin/env bash
# Installs the packages in a bare Debian system below FOLDER and uses them there: run, report, study, manual page; with
# the second package, the example project of docs/how-to/test-your-own-joiner.md is built and tested.
#
#   scripts/try_package.sh DEB FOLDER [DEV-DEB]
#
# As root, with debootstrap; says how long each step took.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
[ "$#" -ge 2 ] && [ -f "$1" ] && [ -f "${3:-$1}" ] || fail 2 "scripts/try_package.sh" \
  "a package and a folder are expected" "use scripts/try_package.sh DEB FOLDER [DEV-DEB]"
command -v debootstrap > /dev/null || fail 8 "scripts/try_package.sh" "debootstrap is missing" \
  "as root: apt-get install debootstrap"
package="$1" folder="$2" dev="${3:-}"

step() {
  local name="$1" began
  shift
  began="$(date +%s)"
  "$@" > "$folder.log" 2>&1 || { tail -5 "$folder.log" >&2; fail 1 "$name" "it failed, its last lines are above" \
    "read $folder.log"; }
  say "$name: $(($(date +%s) - began)) s"
}

inside() { chroot "$folder" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "$@"; }

step "a bare system" debootstrap --variant=minbase bookworm "$folder"
# Packages come from where this machine has its own.
cp -r /etc/apt/sources.list* "$folder/etc/apt/" 2> /dev/null || true
cp "$package" "$folder/root/photonsim.deb"
step "apt-get update" inside apt-get update
step "apt-get install" inside apt-get install -y --no-install-recommends /root/photonsim.deb
step "version" inside photonsim --version
step "run" inside photonsim run /usr/share/photonsim/scenarios/healthy.toml --out /root/r.sqlite
step "report" inside photonsim report /root/r.sqlite -o /root/r.html
step "study" inside photonsim plan /usr/share/photonsim/scenarios/studies/registry.toml
step "files" inside test -s /usr/share/man/man1/photonsim.1.gz -o -s /usr/share/man/man1/photonsim.1
if [ -n "$dev" ]; then
  cp "$dev" "$folder/root/photonsim-dev.deb"
  step "apt-get install photonsim-dev, g++, cmake" inside apt-get install -y --no-install-recommends \
    /root/photonsim-dev.deb g++ cmake make
  example=/usr/share/doc/photonsim/docs/examples/attribution
  step "the example: configure" inside cmake -S "$example" -B /root/example -DCMAKE_BUILD_TYPE=Release
  step "the example: build" inside cmake --build /root/example
  step "the example: its tests" inside ctest --test-dir /root/example --output-on-failure --no-tests=error
fi
say "$(inside photonsim --version)"
