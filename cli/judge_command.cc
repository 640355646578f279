#include "analysis/judge.h"
#include "analysis/summary.h"
#include "analysis/trace_file.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/progress.h"

namespace photonsim::cli {

namespace analysis = photon::analysis;

int judge(const JudgeCommand& command) {
  auto opened = analysis::TraceReader::open(command.trace);
  if (!opened) {
    complain(opened.assume_error().message());
    return kUsage;
  }
  analysis::TraceReader& reader = opened.assume_value();
  analysis::Judge judge(reader.head().judge);
  const auto replayed = [&] {
    ReplayProgress progress("judging", judge, reader.records());
    return reader.replay(progress);
  }();
  if (!replayed) {
    complain(replayed.assume_error().message());
    return kUsage;
  }
  judge.finish();
  analysis::Summary summary;
  analysis::describe_run(reader.head(), reader.end(), summary);
  analysis::summarise(judge, summary);
  int verdict = summary.inert() ? kInertFault : kOk;
  if (summary.violations_total > 0) verdict = kLivenessViolation;
  if (summary.safety_violations > 0) verdict = kSafetyViolation;
  summary.exit_code = verdict;
  complain_of_inert(summary);
  const std::string text = command.form == OutputForm::json ? analysis::to_json(summary) + "\n"
                                                            : analysis::to_text(summary);
  return print_and_exit_with(text, verdict);
}

}  // namespace photonsim::cli
