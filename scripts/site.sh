#!/usr/bin/env bash
# Builds the documents as a site with Debian's mkdocs: build/site/index.html. A link that leads nowhere is an error.
#
#   scripts/site.sh [FOLDER]     another folder for the site
#
# Exit 77: there is no mkdocs on this machine.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
site="$(realpath -m "${1:-$root/build/site}")"
if ! command -v mkdocs > /dev/null; then
  say "no mkdocs: scripts/setup.sh --ci installs it"
  exit 77
fi
cd "$root"
pages="$(mktemp -d)"
trap 'rm -rf "$pages"' EXIT

# All pages at their places, so that links between them hold as they do in the repository, and every file that a page
# links to.
find . -name build -prune -o -name out -prune -o -name .git -prune -o -name '*.md' -print | while read -r page; do
  page="${page#./}"
  mkdir -p "$pages/docs/$(dirname "$page")"
  cp "$page" "$pages/docs/$page"
  sed -n '/^```/,/^```/!p' "$page" | { grep -oE '\]\([^)#: ]+' || true; } | cut -c3- | while read -r target; do
    file="$(realpath -m --relative-to=. "$(dirname "$page")/$target")"
    if [ -d "$file" ]; then continue; fi
    if [ ! -f "$file" ]; then
      fail 1 "$page" "it links to $target, which does not exist" "mend the link"
    fi
    if [[ "$file" != *.md ]]; then
      mkdir -p "$pages/docs/$(dirname "$file")"
      cp "$file" "$pages/docs/$file"
    fi
  done
done

cat > "$pages/mkdocs.yml" << EOF
site_name: photonsim
docs_dir: docs
site_dir: $site
use_directory_urls: false
theme:
  name: mkdocs
  highlightjs: false
plugins: []
nav:
  - Overview: README.md
  - Tutorial: docs/tutorial.md
  - How to:
$(for page in docs/how-to/*.md; do printf '    - %s\n' "$page"; done)
  - Reference:
$(for page in docs/reference/*.md docs/results_schema.md; do printf '    - %s\n' "$page"; done)
  - Results: docs/RESULTS.md
  - Performance: docs/performance.md
  - Data: docs/DATA.md
  - SPEC: docs/SPEC.md
  - Architecture: ARCHITECTURE.md
  - Contributing: CONTRIBUTING.md
  - Changes: CHANGELOG.md
EOF
mkdocs build --strict --config-file "$pages/mkdocs.yml"
say "$site/index.html"
