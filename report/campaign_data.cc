#include "report/campaign_data.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>

#include "analysis/oracles/oracle_table.h"

namespace photonsim::report {
namespace {

namespace analysis = photon::analysis;
namespace json = boost::json;

struct Failure {
  std::uint64_t runs = 0;
  std::uint64_t count = 0;
  std::int64_t run = 0;
  std::uint64_t seed = 0;
  std::string message{};
  std::string replay{};
  double at_seconds = 0;  // of the first violation
  std::string process{};
};
using FailureKey = std::tuple<std::string, std::string, std::string>;

struct Count {
  std::uint64_t count = 0;
  std::uint64_t runs = 0;
};
using Counts = std::map<std::string, Count>;

void add(const std::vector<analysis::NamedCount>& list, Counts& to) {
  for (const analysis::NamedCount& each : list) {
    Count& count = to[each.name];
    count.count += each.count;
    count.runs += each.count > 0 ? 1 : 0;
  }
}

json::object columns(const Counts& counts, const std::string& name, const std::string& count) {
  json::array names, values, runs;
  for (const auto& [key, value] : counts) {
    names.emplace_back(key);
    values.emplace_back(value.count);
    runs.emplace_back(value.runs);
  }
  return {{name, std::move(names)}, {count, std::move(values)}, {"runs", std::move(runs)}};
}

class Findings {
 public:
  void add_run(const ReportRun& run, const analysis::RunRecord& record) {
    for (const analysis::OracleFindings& each : record.findings) {
      note({each.oracle, std::string(name_of(each.standing)), std::string(name_of(each.severity))},
           run, record, each);
    }
    if (record.exit_code != 0 && record.findings.empty()) {
      analysis::OracleFindings ended;
      ended.count = 1;
      ended.first_message = record.what;
      ended.process = record.check_process;
      note({std::string(name_of(record.end)), "failing", run.verdict}, run, record, ended);
    }
  }

  // What must not stand comes first, then what happened first: that is nearest to the cause.
  json::object columns() const {
    std::vector<const std::pair<const FailureKey, Failure>*> rows;
    for (const auto& each : list_) rows.push_back(&each);
    std::ranges::stable_sort(rows, {}, [](const auto* row) {
      return std::pair(std::get<1>(row->first) != "failing", row->second.at_seconds);
    });
    json::array oracle, title, standing, severity, runs, count, run, seed, at, process, message;
    json::array replay;
    for (const auto* row : rows) {
      const auto& [key, each] = *row;
      oracle.emplace_back(std::get<0>(key));
      title.emplace_back(title_of(std::get<0>(key)));
      standing.emplace_back(std::get<1>(key));
      severity.emplace_back(std::get<2>(key));
      runs.emplace_back(each.runs);
      count.emplace_back(each.count);
      run.emplace_back(each.run);
      seed.emplace_back(std::to_string(each.seed));
      at.emplace_back(each.at_seconds);
      process.emplace_back(each.process);
      message.emplace_back(each.message);
      replay.emplace_back(each.replay);
    }
    return {{"oracle", std::move(oracle)},     {"title", std::move(title)},
            {"standing", std::move(standing)}, {"severity", std::move(severity)},
            {"runs", std::move(runs)},         {"count", std::move(count)},
            {"run", std::move(run)},           {"seed", std::move(seed)},
            {"at_seconds", std::move(at)},     {"process", std::move(process)},
            {"message", std::move(message)},   {"replay", std::move(replay)}};
  }

 private:
  // In a few words; nothing for what is no oracle.
  static std::string title_of(const std::string& oracle) {
    for (const analysis::OracleRow& row : analysis::oracle_rows()) {
      if (row.name == oracle) return std::string(row.title);
    }
    return {};
  }

  void note(const FailureKey& key, const ReportRun& run, const analysis::RunRecord& record,
            const analysis::OracleFindings& found) {
    Failure& failure = list_[key];
    if (failure.runs++ == 0) {
      failure.run = run.id;
      failure.seed = record.seed;
      failure.message = found.first_message;
      failure.replay = record.replay;
      failure.at_seconds = photon::seconds_of(found.at - photon::SimTime{});
      failure.process = found.process;
    }
    failure.count += found.count;
  }

  std::map<FailureKey, Failure> list_{};
};

// Each lost click stands in one class: "lost.L-crash".
void add_losses(const analysis::RunRecord& record, Counts& to) {
  constexpr std::string_view kClass = "lost.";
  for (const analysis::Metric& each : record.metrics) {
    if (!each.name.starts_with(kClass) || each.value == 0) continue;
    Count& count = to[each.name.substr(kClass.size())];
    count.count += static_cast<std::uint64_t>(each.value);
    ++count.runs;
  }
}

}  // namespace

json::object campaign_data(const ReportPoints& points) {
  Findings findings;
  Counts losses, obligations, kinds, marks, corners;
  std::map<std::pair<std::string, std::string>, std::uint64_t> states;
  for (const ReportPoint& point : points.list) {
    for (std::size_t i = 0; i < point.runs.size(); ++i) {
      const analysis::RunRecord& record = *point.records[i];
      findings.add_run(point.runs[i], record);
      add_losses(record, losses);
      add(record.obligations, obligations);
      add(record.fault_kinds, kinds);
      add(record.marks, marks);
      add(record.corner_cases, corners);
      for (const analysis::FaultEffects& each : record.fault_effects) {
        states[{each.kind, std::string(name_of(each.state))}] += each.count;
      }
    }
  }
  json::array kind, state, count;
  for (const auto& [key, value] : states) {
    kind.emplace_back(key.first);
    state.emplace_back(key.second);
    count.emplace_back(value);
  }
  return {{"failures", findings.columns()},
          {"losses", columns(losses, "name", "count")},
          {"obligations", columns(obligations, "oracle", "checks")},
          {"fault_states", json::object{{"kind", std::move(kind)},
                                        {"state", std::move(state)},
                                        {"count", std::move(count)}}},
          {"fault_kinds", columns(kinds, "kind", "count")},
          {"marks", columns(marks, "name", "hits")},
          {"corner_cases", columns(corners, "name", "count")}};
}

}  // namespace photonsim::report
