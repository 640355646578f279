#!/usr/bin/env bash
# Writes what a package installs beside the program, from the program's own --help: a manual page, and completions for
# bash, zsh and fish.
#
#   scripts/completions.sh BINARY FOLDER
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
[ "$#" = 2 ] && [ -x "$1" ] || fail 2 "scripts/completions.sh" "a program and a folder are expected" \
  "use scripts/completions.sh BINARY FOLDER"
binary="$1" folder="$2"
mkdir -p "$folder"

# Lines "verb<TAB>what it does".
verbs="$("$binary" --help | awk '/^Subcommands:/ { on = 1; next } /^[^ ]/ { on = 0 }
  on && /^  [a-z]/ { name = $1; sub(/^ +[a-z]+ +/, ""); print name "\t" $0 }')"
[ -n "$verbs" ] || fail 1 "$binary --help" "it lists no verbs" "see whether --help has a section Subcommands"

# Lines "--option<TAB>takes a value (1 or 0)<TAB>what it does" of a verb; of a description the first line.
options_of() {
  # A wrapped description is indented further.
  "$binary" "$1" --help | awk 'match($0, /^ +/) && RLENGTH < 10 && match($0, /^ +(-[a-z],)?--[a-z-]+/) {
      line = $0
      sub(/^ +(-[a-z],)?/, "", line)
      option = line; sub(/[ ].*/, "", option)
      rest = substr(line, length(option) + 1)
      value = rest ~ /^ [A-Z]/ ? 1 : 0
      text = rest; sub(/^ [A-Z][A-Z=]*/, "", text); sub(/^ +/, "", text)
      print option "\t" value "\t" text
    }'
}

{
  printf '# Completion of photonsim for bash; written by scripts/completions.sh.\n_photonsim() {\n'
  printf '  local word="${COMP_WORDS[COMP_CWORD]}"\n  if [ "$COMP_CWORD" = 1 ]; then\n'
  printf '    COMPREPLY=($(compgen -W "%s" -- "$word"))\n    return\n  fi\n  case "${COMP_WORDS[1]}" in\n' \
    "$(cut -f1 <<< "$verbs" | paste -sd' ')"
  while IFS=$'\t' read -r verb _; do
    printf '    %s) options="%s" ;;\n' "$verb" "$(options_of "$verb" | cut -f1 | paste -sd' ')"
  done <<< "$verbs"
  printf '    *) options="" ;;\n  esac\n'
  printf '  case "$word" in\n    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;\n'
  printf '    *) COMPREPLY=($(compgen -f -- "$word")) ;;\n  esac\n}\n'
  printf 'complete -o filenames -F _photonsim photonsim\n'
} > "$folder/photonsim.bash"

# Text in single quotes of a shell, without what zsh reads as brackets.
quoted() { sed "s/'/’/g; s/\[/(/g; s/\]/)/g; s/:/ -/g" <<< "$1"; }

{
  printf '#compdef photonsim\n# Written by scripts/completions.sh.\nlocal -a verbs\nverbs=(\n'
  while IFS=$'\t' read -r verb text; do printf "  '%s:%s'\n" "$verb" "$(quoted "$text")"; done <<< "$verbs"
  printf ')\nif (( CURRENT == 2 )); then\n  _describe verb verbs\n  return\nfi\ncase "$words[2]" in\n'
  while IFS=$'\t' read -r verb _; do
    printf '  %s)\n    _arguments' "$verb"
    while IFS=$'\t' read -r option value text; do
      [ "$value" = 1 ] && printf " \\\\\n      '*%s[%s]:value:_files'" "$option" "$(quoted "$text")" ||
        printf " \\\\\n      '%s[%s]'" "$option" "$(quoted "$text")"
    done < <(options_of "$verb")
    printf " \\\\\n      '*:file:_files' ;;\n"
  done <<< "$verbs"
  printf 'esac\n'
} > "$folder/_photonsim"

{
  printf '# Written by scripts/completions.sh.\n'
  while IFS=$'\t' read -r verb text; do
    printf "complete -c photonsim -n __fish_use_subcommand -f -a %s -d '%s'\n" "$verb" "$(quoted "$text")"
    while IFS=$'\t' read -r option value what; do
      printf "complete -c photonsim -n '__fish_seen_subcommand_from %s' -l %s%s -d '%s'\n" "$verb" "${option#--}" \
        "$([ "$value" = 1 ] && printf ' -r')" "$(quoted "$what")"
    done < <(options_of "$verb")
  done <<< "$verbs"
} > "$folder/photonsim.fish"

# Text for roff: no line begins with a dot or a quote, and a hyphen stays one.
roff() { sed 's/\\/\\e/g; s/-/\\-/g; s/^\([.'"'"']\)/\\\&\1/'; }

{
  printf '.TH PHOTONSIM 1 "" "%s" "User Commands"\n' "$("$binary" --version | cut -d' ' -f1,2)"
  printf '.SH NAME\nphotonsim \\- simulator and deterministic test harness for Photon\n'
  printf '.SH SYNOPSIS\n.B photonsim\n.I verb\n.RI [ options ]\n.SH DESCRIPTION\n'
  "$binary" --help | sed -n 1p | roff
  while IFS=$'\t' read -r verb _; do
    printf '.SH "PHOTONSIM %s"\n.nf\n' "${verb^^}"
    "$binary" "$verb" --help | sed "s#$binary#photonsim#; /^Data goes to /,\$d" | roff
    printf '.fi\n'
  done <<< "$verbs"
  printf '.SH "EXIT STATUS"\n.nf\n'
  "$binary" explain exit-codes | roff
  printf '.fi\n.SH FILES\n.I /usr/share/photonsim/scenarios\nholds the scenarios and studies,\n'
  printf '.I /usr/share/doc/photonsim\nthe documents.\n'
} > "$folder/photonsim.1"
