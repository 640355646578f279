#!/usr/bin/env bash
# Installs a package in a bare Debian system below FOLDER and uses it there: run, report, completion, manual page.
#
#   scripts/try_package.sh DEB FOLDER
#
# As root, with debootstrap; says how long each step took.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
[ "$#" = 2 ] && [ -f "$1" ] || fail 2 "scripts/try_package.sh" "a package and a folder are expected" \
  "use scripts/try_package.sh DEB FOLDER"
command -v debootstrap > /dev/null || fail 8 "scripts/try_package.sh" "debootstrap is missing" \
  "as root: apt-get install debootstrap"
package="$1" folder="$2"

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
say "$(inside photonsim --version)"
