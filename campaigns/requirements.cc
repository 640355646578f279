#include "campaigns/requirements.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "analysis/explain/mark_texts/mark_texts.h"
#include "campaigns/coverage_gate.h"
#include "campaigns/runs/exit_codes.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;

class Unmet {
 public:
  Unmet(const Requirements& requirements, const CampaignSpec& spec, const CampaignSum& sum,
        Listener& listener)
      : required_(requirements), spec_(spec), sum_(sum), listener_(listener) {}

  std::vector<CiFailure> all() {
    scenarios();
    corner_cases();
    marks();
    coverage();
    return std::move(unmet_);
  }

 private:
  // `file`: where to look; empty: nowhere in particular.
  void add(std::string title, std::string what, const std::string& remedy,
           std::string_view file = {}) {
    unmet_.push_back({std::move(title), kInertFault, std::move(what), remedy});
    unmet_.back().file = file;
  }

  // Every scenario needs a run. If a failure ended the campaign early, the failure
  // is reported instead.
  void scenarios() {
    if (spec_.fail_fast && sum_.failed() > 0) return;
    std::vector<std::string> never;
    const std::vector<std::string> names = spec_.names();
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (sum_.runs_of_scenario(i) == 0) never.push_back(names[i]);
    }
    if (never.empty()) return;
    const std::string what =
        fmt::format("{} of {} {} never run: {}", never.size(), names.size(),
                    names.size() == 1 ? "scenario was" : "scenarios were", fmt::join(never, ", "));
    const std::string remedy = "give more --time";
    listener_.on_problem(what + "; " + remedy);
    add("scenarios", what, remedy);
  }

  void corner_cases() {
    if (required_.corner_cases.empty()) return;
    const auto missing = sum_.missing();
    if (!missing) {
      const std::string what = "no run counted corner cases";
      const std::string remedy = "give every scenario a run: more --time";
      listener_.on_problem(what + "; " + remedy);
      return add("--require", what, remedy);
    }
    std::vector<std::string> wanting;
    std::ranges::copy_if(*missing, std::back_inserter(wanting), [&](const std::string& name) {
      return std::ranges::count(required_.corner_cases, name) > 0;
    });
    if (wanting.empty()) return;
    const std::string remedy = "run more seeds, or scenarios that show them";
    listener_.on_problem(fmt::format("never occurred: {}; {}", fmt::join(wanting, ", "), remedy));
    for (const std::string& each : wanting) {
      add("--require " + each, "this corner case never occurred: " + each, remedy);
    }
  }

  void marks() {
    std::set<std::size_t> unreached;
    if (required_.marks) {
      for (const std::size_t mark : sum_.marks().unreached(*required_.marks)) {
        unreached.insert(mark);
      }
    }
    for (const std::size_t mark : required_.named_marks) {
      if (sum_.marks().hits(mark) == 0) unreached.insert(mark);
    }
    if (unreached.empty()) return;
    const std::string remedy = "run more seeds, or scenarios that reach them";
    listener_.on_problem(
        fmt::format("never reached: {} of the required marks; {}", unreached.size(), remedy));
    for (const std::size_t mark : unreached) {
      const photon::MarkPlace& place = photon::all_marks()[mark];
      const std::string line = line_of(place);
      const std::string meaning(analysis::sentence_of(place.name));
      listener_.on_note("  " + line + "\n    " + meaning);
      const bool named =
          std::ranges::find(required_.named_marks, mark) != required_.named_marks.end();
      add(fmt::format("{} {}", named ? "--require-mark" : "--require-marks", place.name),
          "this mark was never reached: " + line + ": " + meaning, remedy, place.file);
    }
  }

  // The requirements for its size.
  void coverage() {
    std::vector<Shortfall> shortfalls;
    if (required_.coverage_gate) shortfalls = coverage_shortfalls(sum_);
    if (required_.limits_exemptions) {
      for (Shortfall& each : exempt_too_often(sum_)) shortfalls.push_back(std::move(each));
    }
    if (shortfalls.empty()) return;
    const std::string remedy = "--no-coverage-gate lets it pass";
    for (const Shortfall& each : shortfalls) {
      const bool is_mark = !each.meaning.empty();
      listener_.on_note("  " + each.what + (is_mark ? "\n    " + each.meaning : ""));
      add("coverage: " + each.name, each.what + (is_mark ? ": " + each.meaning : ""),
          fmt::format("{} runs should have met it: fix the swarm or the code; {}", sum_.runs(),
                      remedy),
          each.file);
    }
    listener_.on_problem(fmt::format("coverage gate: {} requirements for {} runs are not met; {}",
                                     shortfalls.size(), sum_.runs(), remedy));
  }

  const Requirements& required_;
  const CampaignSpec& spec_;
  const CampaignSum& sum_;
  Listener& listener_;
  std::vector<CiFailure> unmet_{};
};

}  // namespace

std::vector<CiFailure> unmet_requirements(const Requirements& requirements,
                                          const CampaignSpec& spec, const CampaignSum& sum,
                                          Listener& listener) {
  return Unmet(requirements, spec, sum, listener).all();
}

}  // namespace photonsim::campaigns
