# shellcheck shell=bash
# Shared by the scripts of this folder: sourced, never run. Patches, and a scratch copy of the tree in
# which they are applied and built.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)

say() { printf '%s\n' "$*" >&2; }
die() { say "tests/mutants/${0##*/}: $*"; exit 2; }

# ---- patches ------------------------------------------------------------------------------------

# patches_of NAME: the files whose names begin with NAME, or the path of one, one per line.
patches_of() {
  if [ -f "$1" ]; then
    printf '%s\n' "$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"
    return
  fi
  local file found=no
  for file in "$here/$1"*.patch; do
    [ -f "$file" ] || continue
    printf '%s\n' "$file"
    found=yes
  done
  [ $found = yes ] || die "no patch named $1 in tests/mutants/"
}
name_of() { basename "$1" .patch; }
# read_headers PATCH...: all header lines at once, for `fields`. The header ends where the diff begins.
declare -A header_values=()
read_headers() {
  local file key value
  while IFS=$'\t' read -r file key value; do
    header_values[$file,$key]+=$value$'\n'
  done < <(awk '/^diff / { nextfile } match($0, /^[A-Za-z]+: */) {
    key = $0; sub(/:.*/, "", key); print FILENAME "\t" key "\t" substr($0, RLENGTH + 1) }' "$@")
}
# fields PATCH KEY: the values of a header line, one per line.
fields() { printf '%s' "${header_values[$1,$2]-}"; }
field() { fields "$@" | sed -n 1p; }
# The files that it changes.
files_of() { sed -n 's|^+++ b/\([^[:space:]]*\).*|\1|p' "$1"; }

# ---- the scratch copy ---------------------------------------------------------------------------

# copy_tree SCRATCH: the tree in SCRATCH/tree, and once more in SCRATCH/pristine for `revert`.
# `apply`, `revert` and `build` work there from then on, and write their output to $log.
copy_tree() {
  scratch=$1 tree=$1/tree log=$1/log
  rm -rf "$scratch/pristine"
  mkdir -p "$tree" || die "cannot write to $scratch; set TMPDIR"
  (cd "$root" && list_files | while read -r file; do [ ! -f "$file" ] || printf '%s\n' "$file"; done |
    tar -cf - -T -) | tar -xf - -C "$tree" || die "could not copy the tree to $scratch"
  cp -r "$tree" "$scratch/pristine" || die "could not copy the tree to $scratch"
}
list_files() {
  if git -C "$root" rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git -C "$root" ls-files -co --exclude-standard
  else
    (cd "$root" && find . -type f -not -path './build/*' -not -path './out/*' | sed 's|^\./||')
  fi
}

# apply PATCH [only]: false if it does not apply; `only` just checks. Fresh time stamps both ways, so
# that the build sees the change.
apply() {
  if command -v patch >/dev/null; then
    (cd "$tree" && patch -p1 -s -f --no-backup-if-mismatch -r - ${2:+--dry-run} <"$1") >"$log" 2>&1
  else
    (cd "$tree" && GIT_DIR=/nonexistent git apply -p1 -C1 ${2:+--check} "$1") >"$log" 2>&1
  fi
}
revert() {
  local file
  for file in $(files_of "$1"); do
    cp "$scratch/pristine/$file" "$tree/$file" || die "cannot put $file back; the next mutant would have two breaks"
    rm -f "$tree/$file.orig"
  done
}

# configure OPTION...: of cmake. build TARGET...: with $jobs at a time.
configure() {
  export CCACHE_BASEDIR=$scratch CCACHE_NOHASHDIR=1
  cmake -S "$tree" -B "$scratch/build" -G Ninja -DPHOTONSIM_BENCH=OFF -DPHOTONSIM_HEADER_CHECK=OFF "$@" >"$log" 2>&1
}
build() {
  cmake --build "$scratch/build" --target "$@" --parallel "$jobs" >"$log" 2>&1
}
