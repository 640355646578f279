#include "analysis/judge/judge.h"
#include "analysis/reports/summary.h"
#include "analysis/reports/traced_run.h"
#include "analysis/trace_files/trace_file.h"
#include "campaigns/runs/trace_head.h"
#include "campaigns/runs/verdict.h"
#include "cli/commands/commands.h"
#include "cli/commands/exit_codes.h"
#include "cli/commands/output.h"
#include "cli/commands/progress.h"
#include "scenarios/language/predicted_figures.h"
#include "scenarios/language/scale.h"

namespace photonsim::cli {

namespace analysis = photon::analysis;

int judge(const JudgeCommand& command) {
  auto opened = analysis::TraceReader::open(command.trace);
  if (!opened) {
    complain(opened.assume_error().message());
    return kUsage;
  }
  analysis::TraceReader& reader = opened.assume_value();
  analysis::Judge judge(reader.head().judge, reader.head().places);
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
  if (const auto config = campaigns::config_of(reader.head())) {
    scenarios::compare_with_theory(*config, summary);
    scenarios::put_scale(*config, summary);
  }
  const campaigns::TraceNames known = campaigns::names_of_trace(reader.head());
  if (known.names != nullptr) analysis::name_events(summary, *known.names);
  if (!known.why_not.empty()) say(command.trace + ": " + known.why_not + "\n");
  const int verdict = campaigns::verdict_of(summary);
  summary.exit_code = verdict;
  for (const std::string& each : campaigns::shortfalls(summary)) complain(each);
  // The text form already lists them.
  const bool silent = command.form == OutputForm::json && !summary.violations.empty();
  if (silent) complain(campaigns::violations_line(summary));
  const std::string text = command.form == OutputForm::json ? analysis::to_json(summary) + "\n"
                                                            : analysis::to_text(summary);
  return print_and_exit_with(text, verdict);
}

}  // namespace photonsim::cli
