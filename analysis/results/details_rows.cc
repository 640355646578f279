#include "analysis/results/details_rows.h"

#include "analysis/results/run_rows.h"
#include "analysis/results/study_rows.h"

namespace photon::analysis {
namespace {

std::int64_t whole(std::uint64_t value) { return static_cast<std::int64_t>(value); }

bool save_losses(sqlite3* database, const RunDetails& run, std::int64_t id) {
  Statement row(database, "INSERT INTO loss VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  if (!row.prepared()) return false;
  std::int64_t number = 0;
  for (const Loss& loss : run.summary.losses) {
    const bool registered = !loss.token.is_empty();
    const bool sent = !loss.process.empty();
    row.bind(id).bind(number++).bind(spoken(loss.click, loss.name)).bind(name_of(loss.cause));
    row.bind(registered ? std::optional(describe(loss.token)) : std::nullopt);
    row.bind(registered ? std::optional(nanoseconds_of(loss.registered_at)) : std::nullopt);
    row.bind(sent ? std::optional(loss.process) : std::nullopt);
    row.bind(sent ? std::optional(std::int64_t{loss.life.value()}) : std::nullopt);
    row.bind(loss.crashed_at != kNever ? std::optional(nanoseconds_of(loss.crashed_at))
                                       : std::nullopt);
    if (!row.bind(loss.evidence).run()) return false;
  }
  return true;
}

bool save_pairs(sqlite3* database, const RunDetails& run, std::int64_t id) {
  if (run.names == nullptr || run.pairs == nullptr) return true;
  Statement row(database, "INSERT INTO joined_pair VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  if (!row.prepared()) return false;
  std::int64_t number = 0;
  for (const JoinedPair& pair : run.pairs->rows) {
    const auto foreign = run.names->name_of(pair.click);
    const auto primary = run.names->name_of(pair.query);
    const std::string_view cause = cause_of(pair.fate);
    const auto after = [&](SimTime at) {
      return at == kNever ? std::nullopt : std::optional((at - pair.generated_at).count());
    };
    row.bind(id).bind(number++).bind(foreign ? foreign->id : describe(pair.click));
    // Of a pair the query that was written. The key alone is what the log asked for.
    row.bind(pair.fate.place == Place::joined
                 ? std::optional(primary ? primary->id : describe(pair.query))
                 : run.names->key_of(pair.click));
    row.bind(name_of(pair.fate.place));
    row.bind(cause.empty() ? std::nullopt : std::optional(std::string(cause)));
    row.bind(pair.writer == kNoIndex ? std::nullopt
                                     : std::optional(run.pairs->writers[pair.writer]));
    row.bind(foreign ? foreign->time : run.names->time_text(pair.generated_at));
    row.bind(primary ? std::optional(primary->time) : std::nullopt);
    row.bind(pair.written_at == kNever ? std::nullopt
                                       : std::optional(run.names->time_text(pair.written_at)));
    if (!row.bind(after(pair.registered_at)).bind(after(pair.written_at)).run()) return false;
  }
  return true;
}

bool save_faults(sqlite3* database, const RunDetails& run, std::int64_t id) {
  Statement fault(database, "INSERT INTO fault VALUES (?, ?, ?, ?, ?)");
  if (!fault.prepared()) return false;
  for (const TracedFault& row : run.summary.faults) {
    fault.bind(id).bind(std::int64_t{row.number}).bind(row.description).bind(row.at_ns);
    if (!fault.bind(std::int64_t{row.effective ? 1 : 0}).run()) return false;
  }
  return true;
}

bool save_checkpoints(sqlite3* database, const RunDetails& run, std::int64_t id) {
  Statement checkpoint(database, "INSERT INTO checkpoint VALUES (?, ?, ?, ?, ?)");
  if (!checkpoint.prepared()) return false;
  std::int64_t number = 0;
  for (const Checkpoint& row : run.checkpoints) {
    checkpoint.bind(id).bind(number++).bind(row.at_nanoseconds).bind(whole(row.events));
    if (!checkpoint.bind(row.fingerprint).run()) return false;
  }
  Statement manifest(database, "INSERT OR REPLACE INTO manifest VALUES (?, ?, ?)");
  if (!manifest.prepared()) return false;
  for (const auto& [name, value] : run.manifest) {
    if (!manifest.bind(id).bind(name).bind(value).run()) return false;
  }
  return true;
}

bool save_summary(sqlite3* database, const RunDetails& run, std::int64_t id) {
  Statement summary(database, "INSERT INTO summary VALUES (?, ?)");
  return summary.prepared() && summary.bind(id).bind(to_json(run.summary)).run();
}

// Removes a run of that key from its study, if there is one. False: an error.
bool remove_run(sqlite3* database, const std::string& key, StudyRow& study) {
  Statement found(database,
                  "SELECT run.id, run.seal FROM run JOIN point ON point.id = run.point WHERE "
                  "run.key = ? AND point.study = ?");
  if (!found.prepared()) return false;
  const int step = found.bind(key).bind(study.key).step();
  if (step != SQLITE_ROW) return step == SQLITE_DONE;
  const std::int64_t id = found.whole(0);
  study.digest -= seal_number(found.text(1));
  --study.runs;
  found.reset();
  Statement remove(database, "DELETE FROM run WHERE id = ?");
  return remove.prepared() && remove.bind(id).run();
}

// The study of all runs of that model version, existing or new.
std::optional<StudyRow> study_of(sqlite3* database, const RunDetails& run) {
  std::optional<StudyRow> study;
  const std::string key = key_of_runs(run.model_version);
  if (!read_study(database, key, study)) return std::nullopt;
  if (study) return study;
  study = StudyRow{key, std::string(kRunKind), 0, run.model_version};
  return write_study(database, *study) ? study : std::nullopt;
}

// The point of that scenario, existing or new.
std::optional<std::int64_t> point_of(sqlite3* database, const RunDetails& run, StudyRow& study) {
  Statement row(database,
                "SELECT id FROM point WHERE study = ? AND scenario = ? AND text = ? ORDER BY id");
  if (!row.prepared()) return std::nullopt;
  row.bind(study.key).bind(run.point.scenario);
  const int step = row.bind(run.point.text).step();
  if (step == SQLITE_ROW) return row.whole(0);
  if (step != SQLITE_DONE) return std::nullopt;
  const auto point = add_point(database, study, run.point);
  return point ? std::optional(point->id) : std::nullopt;
}

std::int64_t next_number(sqlite3* database, const std::string& study) {
  Statement row(database,
                "SELECT max(run.number) FROM run JOIN point ON point.id = run.point WHERE "
                "point.study = ?");
  return row.prepared() && row.bind(study).step() == SQLITE_ROW ? row.whole(0) + 1 : 1;
}

std::vector<ViolationRow> rows_of(const std::vector<Violation>& violations) {
  std::vector<ViolationRow> rows;
  for (const Violation& each : violations) {
    rows.push_back({each.oracle, each.severity, each.at, each.process,
                    each.event.is_null() ? std::string() : spoken(each.event, each.name),
                    each.message});
  }
  return rows;
}

}  // namespace

bool save_run(sqlite3* database, const RunDetails& run) {
  const std::string key = run.key();
  auto study = study_of(database, run);
  if (!study || !remove_run(database, key, *study)) return false;
  const auto point = point_of(database, run, *study);
  if (!point) return false;
  RunWriter writer(database);
  const auto id = writer.add({*point, next_number(database, study->key), key}, run.record,
                             rows_of(run.summary.violations));
  if (!id || *id == RunWriter::kThere) return false;
  if (!save_summary(database, run, *id) || !save_losses(database, run, *id) ||
      !save_pairs(database, run, *id) || !save_faults(database, run, *id) ||
      !save_checkpoints(database, run, *id)) {
    return false;
  }
  const auto seal = writer.seal(*id);
  if (!seal) return false;
  ++study->runs;
  study->digest += *seal;
  return write_study(database, *study);
}

}  // namespace photon::analysis
