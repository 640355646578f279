// Copies of joined records, beside a second computation from the raw trace.
#include <set>
#include <string>
#include <vector>

#include "tests/scenarios/recount/recounts.h"
#include "tests/support/catch.h"

namespace photonsim::tests {

// Records of a token that some other cell held, and this one did not.
Figures output_copies_again(const Trace& run) {
  double copies = 0;
  for (const auto& [click, outputs] : run.facts.outputs) {
    for (const Output& output : outputs) {
      if (output.lost) continue;
      const auto cells = run.facts.cells(click, output.place);
      copies += !cells.empty() && !cells.contains(output.cell) ? 1 : 0;
    }
  }
  return {{"output_copies", copies}};
}

}  // namespace photonsim::tests

using namespace photonsim::tests;

TEST_CASE("recount: copies of joined records are those of the raw trace") {
  check_runs({{"scenarios/regressions/damaged_incarnations.toml", {}},
              {"scenarios/healthy.toml", {"joiner.output_copies=true"}},
              {"scenarios/lost_output.toml", {"joiner.output_copies=true"}}},
             output_copies_again, {"output_copies"});
}
