#include "notebooks_export/csv_export.h"

#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core_impl/base/time_text.h"
#include "notebooks_export/csv_file.h"
#include "notebooks_export/run_rows.h"

namespace photonsim::notebooks {
namespace {

using photon::analysis::ExportedRun;
using photon::analysis::FileError;

// Exact to the nanosecond: "12.25"; empty for nothing.
std::string seconds_of(std::optional<std::int64_t> nanoseconds) {
  if (!nanoseconds) return {};
  std::string text = photon::in_seconds(photon::Duration(*nanoseconds));
  text.pop_back();
  return text;
}

// The bytes of an id as they stand in the user's log: a store holds those that are no printable
// UTF-8 as \xNN, and so a backslash that looks like one of them (scenarios/world/event_names.cc).
std::string as_in_log(std::string_view stored) {
  constexpr std::size_t kEscape = 4;
  std::string id;
  for (std::size_t at = 0; at < stored.size();) {
    unsigned char byte = 0;
    const std::string_view escape = stored.substr(at, kEscape);
    if (escape.size() == kEscape && escape.starts_with("\\x") &&
        std::from_chars(escape.data() + 2, escape.data() + kEscape, byte, 16).ptr ==
            escape.data() + kEscape) {
      id += static_cast<char>(byte);
      at += kEscape;
    } else {
      id += stored[at++];
    }
  }
  return id;
}

std::string pair_row(std::int64_t run, const photon::analysis::ExportedPair& pair) {
  const std::string pipeline = pair.writer.substr(0, pair.writer.find('/'));
  std::string text = std::to_string(run);
  for (const std::string& each :
       {as_in_log(pair.foreign_id), as_in_log(pair.primary_id), pair.outcome, pair.cause,
        pair.foreign_time, pair.primary_time, pair.written_time, pipeline, pair.writer}) {
    text += "," + csv_field(each);
  }
  return text + fmt::format(",{},{}\n", seconds_of(pair.registered_after_ns),
                            seconds_of(pair.written_after_ns));
}

}  // namespace

photon::Result<void, FileError> export_csv(const photon::analysis::ResultReader& results,
                                           const std::string& file, CsvForm form) {
  auto draft = photon::analysis::DraftFile::create(file);
  if (!draft) return draft.assume_error();
  CsvFile out(std::move(draft).assume_value());
  out.write(form == CsvForm::metrics ? metrics_head(results.parameters())
                                     : runs_head(results.parameters()));
  const auto read = results.read([&](const ExportedRun& run) {
    out.write(form == CsvForm::metrics ? metric_rows(run) : run_row(run));
  });
  if (!read) return read.assume_error();
  return out.finish();
}

photon::Result<void, FileError> export_joined_pairs(const photon::analysis::ResultReader& results,
                                                    const std::string& file, std::uint64_t& pairs) {
  auto draft = photon::analysis::DraftFile::create(file);
  if (!draft) return draft.assume_error();
  CsvFile out(std::move(draft).assume_value());
  out.write(
      "run,foreign_id,primary_id,outcome,class,foreign_time,primary_time,written_time,pipeline,"
      "writer,registered_after_seconds,written_after_seconds\n");
  pairs = 0;
  photon::Result<void, FileError> rows = boost::outcome_v2::success();
  const auto read = results.read([&](const ExportedRun& run) {
    if (!rows) return;
    rows = results.read_pairs(run.id, [&](const photon::analysis::ExportedPair& pair) {
      out.write(pair_row(run.id, pair));
      ++pairs;
    });
  });
  if (!read) return read.assume_error();
  if (!rows) return rows;
  if (pairs == 0) return boost::outcome_v2::success();
  return out.finish();
}

}  // namespace photonsim::notebooks
