set -e
sub() { f=$1; shift; git grep -lE "$f" -- ':!docs/SPEC.md' ':!tests/goldens' | xargs -r sed -i -E "$@"; }
sub 'L-unprovable' 's/L-unprovable/L-indeterminate/g'
sub '"unprovable"' 's/"unprovable"/"indeterminate"/g'
sub 'visit\("unwanted"' 's/visit\("unwanted"/visit("discarded"/'
sub 'stall_excused' 's/stall_excused/stall_exempt/g'
sub '"excused_stalls"|excused stalls' 's/"excused_stalls"/"exempt_stalls"/g; s/excused stalls/exempt stalls/g'
sub '"demands"|"demands\b|\\"demands' 's/"demands"/"obligations"/g'
sub '\{"story",' 's/\{"story",/{"repro",/g'
sub '\-\-stories' 's/--stories/--repros/g'
git grep -l '"stories' tests | xargs -r sed -i 's/"stories/"repros/g; s/"story")/"repro")/g'
sed -i 's#\$scratch/stories#$scratch/repros#g' tests/mutants/guided tests/mutants/run
sed -i 's/class="story"/class="history"/' trace_views/page/panel.js
sed -i 's/count_if_any("unwanted"/count_if_any("discarded"/' analysis/reports/summary_text.cc
sed -i 's/\bstory\.h\b/sample_window.h/' tests/trace_views/CMakeLists.txt
git grep -l '\.story\b' -- '*.css' | xargs -r sed -i 's/\.story\b/.history/g'
