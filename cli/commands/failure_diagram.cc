#include "cli/commands/failure_diagram.h"

#include <chrono>
#include <memory>
#include <optional>
#include <variant>

#include "cli/commands/exit_codes.h"
#include "cli/commands/output.h"
#include "cli/commands/trace_source.h"
#include "trace_views/diagram.h"
#include "trace_views/window.h"
#include "trace_views/window_choice.h"

namespace photonsim::cli {
namespace {

namespace views = photonsim::trace_views;

// Some hundred kilobytes.
constexpr std::uint64_t kRecordsMost = 4000;
constexpr photon::Duration kShortest = std::chrono::milliseconds(1);

}  // namespace

std::string failure_diagram(const std::string& scenario) {
  TraceCommand command;
  command.input = scenario;
  const auto source = open_source(command);
  if (!source) return {};
  views::TraceSurvey survey(photon::EventId{});
  TraceSource::Verdict verdict;
  if (source->judge(survey, verdict) != kOk) return {};
  const campaigns::TraceNames known = source->names();
  std::optional<photon::Duration> length;  // nothing: as `trace` chooses it
  for (;;) {
    const auto choice = views::choose_window({.input = scenario, .length = length}, survey,
                                             verdict.violations, verdict.violations_total);
    if (const auto* reason = std::get_if<std::string>(&choice)) {
      complain(*reason);
      return {};
    }
    const auto& options = std::get<views::WindowOptions>(choice);
    views::WindowCollector collector(options, source->head().places);
    if (source->replay(collector) != kOk) return {};
    const photon::Duration shown = options.span.until - options.span.from;
    if (collector.matching() <= kRecordsMost || shown < kShortest) {
      return views::diagram_json(
          collector.finish(run_of(source->head(), verdict, known.names.get())));
    }
    length = shown / 2;
  }
}

}  // namespace photonsim::cli
