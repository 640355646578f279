#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "analysis/corner_cases/corner_case.h"
#include "analysis/oracles/oracle_table.h"
#include "cli/commands/exit_codes.h"
#include "cli/commands/output.h"
#include "cli/options/values.h"
#include "cli/options/verb.h"
#include "scenarios/schema/diagnostic_suggest.h"

namespace photonsim::cli {
namespace {

class FuzzVerb final : public Verb {
 public:
  void declare(CLI::App& app, std::function<void()> chosen) override {
    CLI::App* verb = app.add_subcommand(
        "fuzz",
        "Run many seeds of scenarios, or many generated configurations, and summarise the results");
    add_runs(verb);
    add_limits(verb);
    add_requirements(verb);
    add_reports(verb);
    add_repros(verb);
    add_guided(verb);
    verb->callback(std::move(chosen));
  }

  int execute() override {
    if (!campaign_.swarm && campaign_.scenarios.empty()) {
      complain("fuzz needs scenario files, or --swarm for generated configurations");
      return kUsage;
    }
    if (campaign_.swarm && !takes_only_seeds(campaign_.scenarios.size(), campaign_.overrides)) {
      return kUsage;
    }
    if (!campaign_.oracle.empty() && !campaign_.fail_fast) {
      complain("--oracle does nothing without --fail-fast; add it, or leave --oracle out");
      return kUsage;
    }
    if (const std::string unknown = unknown_oracle(); !unknown.empty()) {
      complain(unknown);
      return kUsage;
    }
    if (guided_) {
      if (const std::string misfit = misfit_of_search(); !misfit.empty()) {
        complain(misfit);
        return kUsage;
      }
      using scenarios::guided::Feedback;
      campaign_.guided = feedback_ ? Feedback::on : Feedback::off;
    }
    if (campaign_.swarm) campaign_.swarm = swarm_;
    const bool deep = swarm_.profile == scenarios::swarm::Profile::deep;
    campaign_.self_check = self_check_percent_.value_or(deep ? 100 : 5) / 100;
    campaign_.required_marks = required_marks();
    // Within alone or over alone lacks coverage that the two reach together.
    constexpr scenarios::Tier kGated = scenarios::Tier::kContract;
    campaign_.coverage_gate =
        gate_.value_or(!guided_ && campaign_.swarm && swarm_.tier.value_or(kGated) == kGated);
    campaign_.limits_exemptions = campaign_.swarm && gate_.value_or(!guided_);
    return fuzz(campaign_);
  }

 private:
  // "A..B" with A <= B.
  void set_seeds(const std::string& text) {
    const std::size_t dots = text.find("..");
    if (dots == std::string::npos) {
      throw CLI::ValidationError("--seeds", "'" + text + "' is not a range; write FIRST..LAST");
    }
    campaign_.first = seed_of("--seeds", text.substr(0, dots));
    campaign_.last = seed_of("--seeds", text.substr(dots + 2));
    if (campaign_.first > campaign_.last) {
      throw CLI::ValidationError("--seeds", "'" + text + "' ends before it begins");
    }
    constexpr std::uint64_t kMost = 1'000'000'000;
    if (campaign_.last - campaign_.first >= kMost) {
      throw CLI::ValidationError("--seeds", "'" + text + "' are more than 1000000000 seeds");
    }
  }

  // "BC-05" names both of its orders, "BC" all corner cases.
  void require(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      const std::size_t before = campaign_.required.size();
      for (const auto& row : photon::analysis::corner_rows()) {
        const bool all = name == "BC";
        const bool meant = all || row.name == name || row.name.starts_with(name + " ");
        if (meant) campaign_.required.emplace_back(row.name);
      }
      if (campaign_.required.size() == before) {
        throw CLI::ValidationError("--require", "'" + name + "' is no corner case; BC-01 is one");
      }
    }
  }

  void require_marks(const std::vector<std::string>& names) {
    const auto marks = photon::all_marks();
    for (const std::string& name : names) {
      const auto found = std::ranges::find(marks, name, &photon::MarkPlace::name);
      if (found == marks.end()) {
        throw CLI::ValidationError(
            "--require-mark", "'" + name + "' is no mark; photonsim explain --marks lists them");
      }
      campaign_.named_marks.push_back(static_cast<std::size_t>(found - marks.begin()));
    }
  }

  std::optional<campaigns::MarkRarity> required_marks() const {
    using campaigns::MarkRarity;
    for (const MarkRarity each : {MarkRarity::common, MarkRarity::rare, MarkRarity::very_rare}) {
      if (rarest_mark_ == name_of(each)) return each;
    }
    return std::nullopt;  // the option was not given
  }

  void add_runs(CLI::App* verb) {
    verb->option_defaults()->group("Runs");
    verb->add_option("SCENARIO", campaign_.scenarios,
                     "Scenario files (TOML); the seeds take them in turn");
    add_overrides(verb, campaign_.overrides);
    auto* swarm = verb->add_flag_callback(
        "--swarm", [this] { campaign_.swarm = scenarios::swarm::Options{}; },
        "Generate a configuration from each seed; takes no SCENARIO and no --set");
    add_swarm_options(verb, swarm_, swarm);
    verb->add_option_function<std::string>(
            "--seeds", [this](const std::string& text) { set_seeds(text); },
            "Seeds of the runs (default: 1..100)")
        ->type_name("FIRST..LAST");
    verb->add_option("--self-check", self_check_percent_,
                     "Percentage of runs to repeat for the determinism check (default: 5; with "
                     "--profile deep 100)")
        ->type_name("PERCENT")
        ->check(CLI::Range(0.0, 100.0));
  }

  void add_limits(CLI::App* verb) {
    verb->option_defaults()->group("Limits");
    verb->add_option("-j,--jobs", campaign_.jobs, "Number of worker processes (default: 1)")
        ->type_name("N")
        ->check(CLI::Range(1, 256));
    verb->add_option_function<std::string>(
            "--time", [this](const std::string& text) { campaign_.time = time_of("--time", text); },
            "End the campaign after this time, such as 90s, 10m or 2h, minimizing included; a "
            "given "
            "--shrink-time is added to it")
        ->type_name("TIME");
    verb->add_option_function<std::string>(
            "--memory",
            [this](const std::string& text) { campaign_.memory = memory_of("--memory", text); },
            "Fail a run whose process needs more memory than this (default: 4GiB)")
        ->type_name("SIZE");
    verb->add_option(
        "--min-runs", campaign_.min_runs,
        "Exit with 6 if fewer runs ended (default: all runs; none required with --time)");
    verb->add_flag("--fail-fast", campaign_.fail_fast, "Stop after the first failing run");
  }

  // Coverage that all runs together must reach.
  void add_requirements(CLI::App* verb) {
    verb->option_defaults()->group(
        "Requirements on all runs (exit code 7 if coverage is not reached)");
    add_expected(verb, campaign_.expected);
    verb->add_option_function<std::vector<std::string>>(
            "--require", [this](const std::vector<std::string>& names) { require(names); },
            "Require these corner cases: BC-02, or BC-02,BC-05")
        ->type_name("NAMES")
        ->allow_extra_args(false)  // what follows is a scenario
        ->take_all()
        ->delimiter(',');
    verb->add_flag_callback(
        "--require-all", [this] { require({"BC"}); }, "Require every corner case");
    verb->add_flag("--require-marks{very_rare}", rarest_mark_,
                   "Require all coverage marks but the exempt ones; =common: common marks only; "
                   "=rare: common and rare marks")
        ->check(CLI::IsMember({"common", "rare", "very_rare"}));
    verb->add_option_function<std::vector<std::string>>(
            "--require-mark",
            [this](const std::vector<std::string>& names) { require_marks(names); },
            "Require these coverage marks; photonsim explain --marks lists them")
        ->type_name("NAMES")
        ->allow_extra_args(false)
        ->take_all()
        ->delimiter(',');
    auto* gate = verb->add_flag_callback(
        "--coverage-gate", [this] { gate_ = true; },
        "Require the coverage expected of a campaign of this size (default for --swarm, unless "
        "--tier is within or over)");
    verb->add_flag_callback(
            "--no-coverage-gate", [this] { gate_ = false; }, "Do not require it")
        ->excludes(gate);
  }

  // Report files and formats.
  void add_reports(CLI::App* verb) {
    verb->option_defaults()->group("Reports");
    verb->add_option("--out", campaign_.results,
                     "Add each run to this SQLite file; skip the runs that it already holds")
        ->type_name("FILE")
        ->check(not_empty);
    verb->add_option("--junit", campaign_.ci.junit, "Write the failures to this JUnit file")
        ->type_name("FILE")
        ->check(not_empty);
    verb->add_flag("--github", campaign_.ci.github, "Print the failures as GitHub annotations");
    add_json(verb, campaign_.form);
    verb->add_flag("--verbose", campaign_.verbose,
                   "Also list the coverage marks that no run hit, required or not");
  }

  void add_repros(CLI::App* verb) {
    verb->option_defaults()->group("Minimized repros");
    verb->add_option("--shrink", campaign_.shrunk, "Minimize this number of failures (default: 3)")
        ->type_name("N");
    verb->add_option_function<std::string>(
            "--shrink-time",
            [this](const std::string& text) {
              campaign_.shrink_time = time_of("--shrink-time", text);
            },
            "Time for all of them together (default: 1m each; with --time, what is left of it)")
        ->type_name("TIME");
    verb->add_option("--repros", campaign_.repro_folder,
                     "Write them to this folder (default: out/failures)")
        ->type_name("FOLDER")
        ->check(not_empty);
  }

  void add_guided(CLI::App* verb) {
    verb->option_defaults()->group("Guided search");
    CLI::Option* guided =
        verb->add_flag("--guided", guided_,
                       "Mutate configurations that reached new coverage instead of generating each "
                       "from its seed; --seeds gives their number");
    verb->add_flag("!--no-feedback", feedback_,
                   "With --guided: generate every configuration anew, as a baseline")
        ->needs(guided);
    verb->add_option("--events", campaign_.events,
                     "With --guided: stop after this number of kernel events")
        ->type_name("N")
        ->needs(guided);
    verb->add_option("--oracle", campaign_.oracle,
                     "With --guided --fail-fast: stop only at a violation of this oracle, such as "
                     "J-S6")
        ->type_name("NAME")
        ->needs(guided);
  }

  // Empty if --oracle names an oracle, or is not given.
  std::string unknown_oracle() const {
    if (campaign_.oracle.empty() || photon::analysis::find_oracle(campaign_.oracle) != nullptr) {
      return {};
    }
    std::vector<std::string> names;
    for (const auto& row : photon::analysis::oracle_rows()) names.emplace_back(row.name);
    const std::string near = scenarios::closest(campaign_.oracle, names);
    return fmt::format("--oracle {}: there is no such oracle; {}they are {}", campaign_.oracle,
                       near.empty() ? "" : fmt::format("did you mean {}? ", near),
                       fmt::join(names, ", "));
  }

  // Why these options do not fit a guided search, with the remedy; empty if they do.
  std::string misfit_of_search() const {
    if (campaign_.scenarios.size() > 1) {
      return "--guided takes one scenario, or --swarm; name one of them";
    }
    // Mutation may remove the damage that tier contract requires to be detected.
    if (swarm_.tier == scenarios::Tier::kContract) {
      return "--guided does nothing about --tier contract; leave it out, or leave --guided out";
    }
    return {};
  }

  CampaignCommand campaign_{};
  bool guided_ = false;
  bool feedback_ = true;
  scenarios::swarm::Options swarm_{};
  std::optional<double> self_check_percent_{};
  std::optional<bool> gate_{};
  std::string rarest_mark_{};
};

}  // namespace

std::unique_ptr<Verb> fuzz_verb() { return std::make_unique<FuzzVerb>(); }

}  // namespace photonsim::cli
