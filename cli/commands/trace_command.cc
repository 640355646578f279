// trace: the window around a violation, a time or an event, as pictures.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "analysis/evidence/event_text.h"
#include "analysis/oracles/violation.h"
#include "analysis/reports/event_names.h"
#include "analysis/reports/report_text.h"
#include "analysis/results/file_names.h"
#include "analysis/trace_files/draft_file.h"
#include "cli/commands/commands.h"
#include "cli/commands/exit_codes.h"
#include "cli/commands/output.h"
#include "cli/commands/progress.h"
#include "cli/commands/trace_source.h"
#include "scenarios/schema/diagnostic_suggest.h"
#include "trace_views/diagram.h"
#include "trace_views/perfetto.h"
#include "trace_views/window.h"
#include "trace_views/window_choice.h"

namespace photonsim::cli {
namespace {

namespace analysis = photon::analysis;
namespace views = trace_views;
// An output file: created first, filled at the end.
struct Picture {
  const char* option;
  const std::string& file;
  const char* what;
  std::optional<analysis::DraftFile> draft{};
};

bool apart(const TraceCommand& command) {
  const std::vector<std::string> files{command.html, command.perfetto};
  for (const std::string& file : files) {
    if (file.empty() || !analysis::same_file(file, command.input)) continue;
    complain(file + ": this file is read; choose another one to write");
    return false;
  }
  if (command.html.empty() || command.perfetto.empty()) return true;
  if (!analysis::same_file(command.html, command.perfetto)) return true;
  complain("--html " + command.html + " and --perfetto " + command.perfetto +
           ": these would be written to one and the same file; choose another file for one");
  return false;
}

bool create(Picture& picture) {
  if (picture.file.empty()) return true;
  auto draft = analysis::DraftFile::create(picture.file);
  if (draft) {
    picture.draft = std::move(draft).assume_value();
    return true;
  }
  complain(draft.assume_error().message());
  return false;
}

// Appends a line about the file to `report`.
bool write(Picture& picture, const std::string& bytes, std::string& report) {
  if (!picture.draft) return true;
  errno = 0;
  if (std::fwrite(bytes.data(), 1, bytes.size(), picture.draft->stream()) != bytes.size()) {
    complain(analysis::cannot_write(picture.file).message());
    return false;
  }
  if (auto done = picture.draft->replace(); !done) {
    complain(done.assume_error().message());
    return false;
  }
  report += fmt::format("{}: {}, {} bytes\n", picture.file, picture.what,
                        analysis::grouped(bytes.size()));
  return true;
}

// The event that --event names; nothing, after printing the reason, if there is none.
std::optional<photon::EventId> event_of(const TraceCommand& command,
                                        const campaigns::TraceNames& known) {
  if (command.event.empty()) return photon::EventId{};
  if (const auto id = analysis::parse_event_id(command.event); id && !id->is_null()) return id;
  if (known.names == nullptr) {
    complain(
        fmt::format("--event {}: this is no event id; they look like "
                    "23:1048577@1600000139.173665459s{}",
                    command.event, known.why_not.empty() ? "" : "; " + known.why_not));
    return std::nullopt;
  }
  const std::vector<photon::EventId> events = known.names->events_named(command.event);
  if (events.size() == 1) return events.front();
  complain(
      events.empty()
          ? fmt::format("--event {}: no row of the log has this id; ids are compared letter by "
                        "letter, and the report of a run shows some",
                        command.event)
          : fmt::format("--event {0}: a primary and a foreign have this id; name one with "
                        "--event primary:{0} or --event foreign:{0}",
                        command.event));
  return std::nullopt;
}

// Prints an error and returns false if no process has such a path.
bool names_processes(const TraceCommand& command, const std::vector<std::string>& paths) {
  const auto is_named = [&](const std::string& path) {
    return views::matches_path(command.processes, path);
  };
  if (command.processes.empty() || std::ranges::any_of(paths, is_named)) return true;
  const std::string best = scenarios::closest(command.processes, paths);
  std::vector<std::string> kinds;  // "*/joiner": existing paths without numbers
  for (const std::string& path : paths) {
    const std::size_t slash = path.find('/');
    if (slash == std::string::npos) continue;
    const std::string kind = "*" + path.substr(slash, path.rfind('/') - slash);
    if (std::ranges::count(kinds, kind) == 0) kinds.push_back(kind);
  }
  complain(fmt::format("--process {}: there is no such process; {}there are {}", command.processes,
                       best.empty() ? "" : fmt::format("did you mean {}? ", best),
                       fmt::join(kinds, ", ")));
  return false;
}

// Returns false, after printing the reason, if nothing or too much would be shown.
bool is_sensible(const TraceCommand& command, const views::WindowCollector& collector,
                 const views::Span& span) {
  const std::uint64_t count = collector.matching();
  const std::string from_to =
      fmt::format("from {} to {}", analysis::describe(span.from), analysis::describe(span.until));
  if (count == 0) {
    complain(fmt::format("{}: no record {}{}; choose another time, or a longer --window",
                         command.input, from_to,
                         command.processes.empty() ? "" : " of " + command.processes));
    return false;
  }
  const bool page = !command.html.empty() && count > views::kDiagramRecordsMax;
  if (!page && !collector.too_many()) return true;
  complain(fmt::format(
      "{} records {}; {} shows at most {}: give a shorter --window, --process or "
      "--event",
      analysis::grouped(count), from_to, page ? "a page" : "a trace for Perfetto",
      analysis::grouped(page ? views::kDiagramRecordsMax : views::WindowOptions{}.most_records)));
  return false;
}

std::string report_of(const views::Window& window) {
  const auto lost = std::ranges::count_if(window.messages, [](const views::Message& message) {
    return message.delivered == views::kNoIndex;
  });
  std::string text = fmt::format(
      "{}, seed {}: {} to {}, {} records of {} processes, {} messages ({} never delivered), "
      "{} faults\n",
      window.run.scenario, window.run.seed, analysis::describe(window.span.from),
      analysis::describe(window.span.until), analysis::grouped(window.records.size()),
      std::ranges::count_if(window.lanes,
                            [](const views::Lane& lane) { return !lane.environment(); }),
      analysis::grouped(window.messages.size()), lost, window.faults.size());
  if (window.focus) {
    const auto& violation = window.run.violations[*window.focus];
    text += fmt::format("violation {} of {}: {} at {}: {}\n", *window.focus + 1,
                        window.run.violations_total, violation.oracle,
                        analysis::describe(violation.at), violation.message);
  }
  return text;
}

}  // namespace

int trace(const TraceCommand& command) {
  if (!apart(command)) return kUsage;
  const auto source = open_source(command);
  if (!source) return kUsage;
  if (!names_processes(command, source->head().places.processes)) return kUsage;
  watch_interrupts();
  Picture html{"--html", command.html, "space-time diagram"};
  Picture perfetto{"--perfetto", command.perfetto, "Perfetto trace"};
  if (!create(html) || !create(perfetto)) return kEnvironment;

  const campaigns::TraceNames known = source->names();
  if (!known.why_not.empty()) say(command.input + ": " + known.why_not + "\n");
  const auto event = event_of(command, known);
  if (!event) return kUsage;
  views::TraceSurvey survey(*event);
  TraceSource::Verdict verdict;
  if (const int judged = source->judge(survey, verdict); judged != kOk) return judged;
  const auto choice =
      views::choose_window({command.input, command.around, command.violation, command.window,
                            *event, command.event, command.processes},
                           survey, verdict.violations, verdict.violations_total);
  if (const auto* reason = std::get_if<std::string>(&choice)) {
    complain(*reason);
    return kUsage;
  }
  const auto* options = std::get_if<views::WindowOptions>(&choice);
  views::WindowCollector collector(*options, source->head().places);
  if (const int read = source->replay(collector); read != kOk) return read;
  if (!is_sensible(command, collector, options->span)) return kUsage;
  const views::Window window = collector.finish(run_of(source->head(), verdict, known.names.get()));

  std::string report = report_of(window);
  if (html.draft && !write(html, views::diagram_html(window), report)) return kEnvironment;
  if (perfetto.draft && !write(perfetto, views::perfetto_trace(window), report)) {
    return kEnvironment;
  }
  return print_and_exit_with(report, kOk);
}

}  // namespace photonsim::cli
