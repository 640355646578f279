// scorecard: what studies concluded of the claims of publications.
#include <boost/json/serialize.hpp>

#include "analysis/results/result_reader.h"
#include "cli/commands/commands.h"
#include "cli/commands/exit_codes.h"
#include "cli/commands/output.h"
#include "report/conclusions.h"
#include "report/scorecard.h"

namespace photonsim::cli {

int scorecard(const ScorecardCommand& command) {
  const auto results = photon::analysis::ResultReader::open(command.results);
  if (!results) {
    complain(results.assume_error().message());
    return code_of_unreadable(results.assume_error());
  }
  const auto conclusions = report::conclusions_of(results.assume_value());
  if (!conclusions) {
    complain(conclusions.assume_error().message());
    return code_of_unreadable(conclusions.assume_error());
  }
  const boost::json::array& studies = conclusions.assume_value().studies;
  if (studies.empty()) {
    complain(command.results +
             ": it has no study; `photonsim sweep STUDY --out FILE` adds one with its claims");
    return kUsage;
  }
  if (report::scorecard(studies).empty()) {
    complain(command.results +
             ": its studies state no claims that have ended; [[claim]] in a study file states one");
    return kUsage;
  }
  const std::string text = command.form == OutputForm::json
                               ? boost::json::serialize(report::scorecard(studies)) + "\n"
                               : report::scorecard_text(studies);
  return print_and_exit_with(text, report::all_claims_hold(studies) ? kOk : kGateMissed);
}

}  // namespace photonsim::cli
