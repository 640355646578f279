// Clicks that are lost to storage, operators and time, and those that never join because they are
// skipped, too old or unreadable, beside a second computation from the raw trace of runs without
// verification.
#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/results/run_record.h"
#include "core_impl/trace/environment.h"
#include "core_impl/trace/pipeline.h"
#include "scenarios/language/loader.h"
#include "scenarios/world/calendar.h"
#include "tests/scenarios/recount/recounts.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

namespace photonsim::tests {
namespace {

namespace trace = photon::trace;
using trace::Kind;
using trace::Source;

constexpr double kNotYet = std::numeric_limits<double>::infinity();

// What the pipelines did with each click.
class Pipelines {
 public:
  explicit Pipelines(const Trace& run) : run_(run) {
    for (const trace::Record& record : run.records) take(record);
  }

  // Names as in the results store; "" where another recount has the class.
  std::string fate(const Id& id, const trace::ClickGenerated& click) const {
    const auto outputs = run_.facts.outputs.find(id);
    if (run_.facts.joined(id)) return "";
    if (outputs != run_.facts.outputs.end()) return "lost.L-storage";
    if (const Owned* owner = run_.facts.owner(id); owner != nullptr) return of_owned(id, *owner);
    const bool finished = finished_.contains(id);
    if (click.expect_skip != 0)
      return !finished && unreadable(id, click) ? "never_joinable.input_lost"
                                                : "never_joinable.skipped";
    if (click.query.is_null() || click.query_file == trace::ClickGenerated::kNoFile) {
      return !finished && unreadable(id, click) ? "never_joinable.input_lost" : "";
    }
    if (unreadable(id, click)) return "lost.L-input";
    if (skipped_.contains(id)) return "lost.L-operator";
    const double first = readable(id, click);
    if (first <= expiry(id)) return too_old_.contains(id) ? "lost.L-crossedN" : "";
    return finished && first < kNotYet ? "never_joinable.too_old" : "";
  }

 private:
  void take(const trace::Record& record) {
    const std::uint32_t where = record.header.datacenter.value();
    switch (record.header.kind) {
      case Kind::log_visible: {
        const auto& visible = record.as<trace::LogVisible>();
        visible_[{visible.file, where}].emplace_back(visible.length, seconds(record.header.at));
        pipelines_.insert(where);
        return;
      }
      case Kind::input_damaged:
        damaged_.insert({key(record.as<trace::InputDamaged>().event), where});
        return;
      case Kind::join_answer: {
        const auto& answer = record.as<trace::JoinAnswer>();
        if (record.header.source != Source::delivered || !trace::is_success(answer.outcome)) return;
        finished_.insert(key(answer.click));
        if (answer.outcome == trace::JoinOutcome::too_old) too_old_.insert(key(answer.click));
        return;
      }
      case Kind::registry_answer: {
        const auto& answer = record.as<trace::RegistryAnswer>();
        const bool lookup = answer.operation == trace::RegistryOperation::lookup;
        if (record.header.source != Source::delivered || !lookup) return;
        if (answer.code == trace::RegistryCode::too_old) {
          finished_.insert(key(answer.id));
          too_old_.insert(key(answer.id));
        }
        return;
      }
      case Kind::range_skipped:
        if (record.header.source == Source::durable) skip(record.as<trace::RangeSkipped>());
        return;
      default:
        return;
    }
  }

  // Clicks of the range that no pipeline has finished.
  void skip(const trace::RangeSkipped& range) {
    for (const auto& [id, click] : run_.facts.clicks) {
      const bool inside = click.click_file == range.file && click.click_end <= range.offset;
      if (inside && !finished_.contains(id)) skipped_.insert(id);
    }
  }

  // It is registered and in no output: crossed if its sender was answered that it was too old.
  std::string of_owned(const Id& id, const Owned& owner) const {
    const Try* attempt = run_.facts.find(id, owner.token);
    const bool late = attempt != nullptr &&
                      attempt->answered() == attempt->answered(trace::RegistryCode::too_old) &&
                      attempt->answered() != kNowhere;
    return late ? "lost.L-crossedN" : "";
  }

  // Some record of the two is damaged, in each copy.
  bool unreadable(const Id& id, const trace::ClickGenerated& click) const {
    return std::ranges::all_of(pipelines_, [&](std::uint32_t where) {
      return damaged_.contains({id, where}) || damaged_.contains({key(click.query), where});
    });
  }

  double visible(std::uint32_t file, std::uint64_t end, std::uint32_t where) const {
    const auto steps = visible_.find({file, where});
    if (steps == visible_.end()) return kNotYet;
    for (const auto& [length, at] : steps->second) {
      if (length >= end) return at;
    }
    return kNotYet;
  }
  // When both records could be read in some pipeline first.
  double readable(const Id& id, const trace::ClickGenerated& click) const {
    double first = kNotYet;
    for (const std::uint32_t where : pipelines_) {
      if (damaged_.contains({id, where}) || damaged_.contains({key(click.query), where})) continue;
      first = std::min(first, std::max(visible(click.click_file, click.click_end, where),
                                       visible(click.query_file, click.query_end, where)));
    }
    return first;
  }
  // N after the stamp, in true time.
  double expiry(const Id& id) const {
    const std::int64_t due =
        run_.config.registry.gc_age.count() - scenarios::kCalendarEpoch.count();
    return static_cast<double>(std::get<2>(id) + due) / 1e9;
  }

  const Trace& run_;
  std::set<std::uint32_t> pipelines_{};
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::pair<std::uint64_t, double>>>
      visible_{};  // lengths of a file at a pipeline
  std::set<std::pair<Id, std::uint32_t>> damaged_{};
  std::set<Id> finished_{}, too_old_{}, skipped_{};
};

// As in the results store.
const std::vector<std::string> kFates{
    "lost.L-storage",         "lost.L-operator",        "lost.L-crossedN",          "lost.L-input",
    "never_joinable.skipped", "never_joinable.too_old", "never_joinable.input_lost"};

}  // namespace

void check_late_fates(const Trace& run, const photon::analysis::Summary& summary, Figures& seen) {
  const Pipelines pipelines(run);
  std::map<std::string, double> again;
  for (const auto& [id, click] : run.facts.clicks) ++again[pipelines.fate(id, click)];
  const auto metrics = photon::analysis::metrics_of(summary);
  for (const std::string& name : kFates) {
    CAPTURE(name);
    const auto found = std::ranges::find(metrics, name, &photon::analysis::Metric::name);
    REQUIRE(found != metrics.end());
    // Near the last moment a click is borderline.
    const bool in_time = name == "lost.L-crossedN" || name == "never_joinable.too_old";
    const double borderline = in_time ? static_cast<double>(summary.borderline) : 0;
    CHECK(found->value <= again[name]);
    CHECK(found->value + borderline >= again[name]);
    seen[name] += found->value;
  }
}

}  // namespace photonsim::tests

using namespace photonsim::tests;

TEST_CASE("recount: clicks lost to storage, operators and time, and those that never join") {
  const std::vector<Recipe> recipes{
      {"scenarios/lost_output.toml", {}},
      {"scenarios/lost_output.toml", {"joiner.output_copies=true"}},
      {"scenarios/lost_output.toml",
       {"joiner.adapter=filter", "joiner.skip_modulo=5",
        R"(faults.log_damage=[{log="clicks",at="2min",for="2min",share="10%",how="lose"}])"}},
      {"scenarios/lost_state_both.toml", {}},
      {"scenarios/corner/BC-31.toml", {}},
      {"scenarios/healthy.toml",
       {"registry.gc_age=60s", "registry.boundary_period=5s", "dispatcher.unjoinable_age=40s",
        R"(faults.log_stall=[{log="clicks",server="0",at="100s",for="150s"}])"}},
      {"tests/mutants/scenarios/old_clicks.toml", {}},
      {"tests/mutants/scenarios/gc_regress.toml", {}},
      {"tests/mutants/scenarios/twins.toml", {}}};
  Figures seen;
  for (const Recipe& recipe : recipes) {
    CAPTURE(recipe.scenario, recipe.overrides);
    const auto loaded = photonsim::scenarios::load(recipe.scenario, recipe.overrides);
    REQUIRE(loaded);
    Recorded recorded;
    const Ran ran = run(recipe.scenario, 1, recipe.overrides, &recorded);
    const Replayed facts(recorded.records);
    check_late_fates({recorded.records, facts, loaded.config()}, ran.outcome.summary, seen);
  }
  for (const auto& [name, sum] : seen) {
    CAPTURE(name);
    CHECK(sum > 0);
  }
}
