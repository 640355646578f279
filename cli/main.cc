// photonsim: one verb per job (DESIGN 7).
#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <exception>
#include <sstream>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "analysis/corner_cases/corner_case.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/version.h"
#include "core_impl/base/mark.h"
#include "scenarios/language/units.h"
#include "trace_views/event_text.h"

namespace photonsim::cli {
namespace {

constexpr const char* kResultsFile = "SQLite file written by --out of run or fuzz";

class Program {
 public:
  Program() : app_("A research simulator and deterministic test harness for Photon.") {
    app_.require_subcommand(1);
    app_.set_version_flag("--version", "photonsim, model " + model_version());
    app_.footer(
        "Data goes to stdout, progress and errors to stderr. Exit codes: 0 ok, 2 usage or "
        "scenario, 3 safety violation, 4 liveness violation, 5 not deterministic, 7 something that "
        "was "
        "asked for did not happen or was not checked, 8 environment, 70 internal, 130 "
        "interrupted.");
    add_run();
    add_fuzz();
    add_swarm();
    add_repro();
    add_judge();
    add_trace();
    add_check();
    add_explain();
    add_export();
    add_db();
  }

  int execute(int argc, char** argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      std::ostringstream out;  // help and version
      std::ostringstream err;
      const int code = app_.exit(error, out, err);
      say(err.str());
      return code == 0 ? print_and_exit_with(out.str(), kOk) : kUsage;
    }
    return action_();
  }

 private:
  template <class Action>
  void on_chosen(CLI::App* verb, Action action) {
    verb->callback([this, action] { action_ = action; });
  }
  static CLI::Option* add_overrides(CLI::App* verb, std::vector<std::string>& overrides) {
    return verb->add_option("--set", overrides, "Override one key of the scenario: key=value")
        ->allow_extra_args(false)
        ->take_all();
  }
  void add_json(CLI::App* verb, OutputForm& form) {
    verb->add_flag_callback(
        "--json", [&form] { form = OutputForm::json; }, "Print one JSON object instead of text");
  }

  // Strict: a sign, a wrap-around or an octal reading would run another seed than the one asked
  // for.
  static std::uint64_t seed_of(const char* option, const std::string& text) {
    std::uint64_t seed = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, seed);
    if (error != std::errc{} || stop != end) {
      throw CLI::ValidationError(option, "'" + text +
                                             "' is not a seed; give a whole number from "
                                             "0 to 18446744073709551615");
    }
    return seed;
  }

  // A name that a script left empty is not the wish for no file.
  static std::string not_empty(const std::string& file) {
    return file.empty() ? "the name of the file is empty; name one or leave the option out"
                        : std::string();
  }

  void add_run() {
    CLI::App* verb = app_.add_subcommand("run", "Run a scenario once and judge it");
    verb->add_option("SCENARIO", run_.scenario, "TOML file")->required();
    add_overrides(verb, run_.overrides);
    verb->add_option_function<std::string>(
        "--seed", [this](const std::string& text) { run_.seed = seed_of("--seed", text); },
        "Seed of every random stream (default: the scenario's)");
    verb->add_option("--out", run_.results, "Add the result to this SQLite file")->check(not_empty);
    verb->add_option("--trace", run_.trace, "Write every trace record to this file")
        ->check(not_empty);
    add_json(verb, run_.form);
    on_chosen(verb, [this] { return run(run_); });
  }

  static constexpr std::array<std::string_view, 2> kProfiles{"fast", "deep"};

  // The value whose name stands at its place among `names`.
  template <class Enum, std::size_t kCount>
  static Enum one_of(const char* option, std::string_view what, const std::string& text,
                     const std::array<std::string_view, kCount>& names) {
    const auto found = std::ranges::find(names, text);
    if (found != names.end()) return static_cast<Enum>(found - names.begin());
    throw CLI::ValidationError(
        option, fmt::format("'{}' is no {}; one of {}", text, what, fmt::join(names, ", ")));
  }

  // `needed`: the option without which they mean nothing, if any.
  static void add_swarm_options(CLI::App* verb, scenarios::swarm::Options& options,
                                CLI::Option* needed = nullptr) {
    using scenarios::swarm::Profile;
    auto* profile = verb->add_option_function<std::string>(
        "--profile",
        [&options](const std::string& text) {
          options.profile = one_of<Profile>("--profile", "profile", text, kProfiles);
        },
        "Size of the worlds: fast or deep");
    auto* tier = verb->add_option_function<std::string>(
        "--tier",
        [&options](const std::string& text) {
          options.tier = one_of<scenarios::Tier>("--tier", "tier", text, scenarios::kTierNames);
        },
        fmt::format("Only worlds of this tier: {} (default: drawn)",
                    fmt::join(scenarios::kTierNames, ", ")));
    auto* events = verb->add_option("--most-events", options.most_events,
                                    "Give a world up that takes more kernel events; it has failed "
                                    "(default: computed, far more than any needs)");
    if (needed == nullptr) return;
    profile->needs(needed);
    tier->needs(needed);
    events->needs(needed);
  }

  void add_swarm() {
    CLI::App* verb =
        app_.add_subcommand("swarm", "Print the scenario that a seed of the swarm means");
    verb->add_option_function<std::string>(
        "--seed", [this](const std::string& text) { swarm_.seed = seed_of("--seed", text); },
        "The seed (default: 1)");
    add_swarm_options(verb, swarm_.options);
    on_chosen(verb, [this] { return swarm(swarm_); });
  }

  void add_repro() {
    CLI::App* verb = app_.add_subcommand(
        "repro",
        "Show a failure again: a story, a scenario with its seed, or a world of the swarm");
    auto* scenario = verb->add_option("SCENARIO", repro_.scenario, "TOML file");
    auto* world = verb->add_flag("--swarm", repro_world_, "A world of the swarm");
    world->excludes(scenario);
    verb->add_option_function<std::string>(
        "--seed",
        [this](const std::string& text) {
          repro_.swarm.seed = seed_of("--seed", text);
          repro_.run.seed = repro_.swarm.seed;
        },
        "Seed (default: the scenario's; of the swarm 1)");
    add_overrides(verb, repro_.run.overrides)->excludes(world);
    verb->add_flag("--twice", repro_.run.twice,
                   "Do it again in another process and compare: 5 if it is not the same");
    add_swarm_options(verb, repro_.swarm.options, world);
    verb->add_option("--trace", repro_.run.trace, "Write every trace record to this file")
        ->check(not_empty);
    add_json(verb, repro_.run.form);
    on_chosen(verb, [this] {
      if (repro_.scenario.empty() && !repro_world_) {
        complain("name a scenario, or say --swarm and --seed");
        return static_cast<int>(kUsage);
      }
      return repro(repro_);
    });
  }

  static std::chrono::nanoseconds time_of(const char* option, const std::string& text) {
    const auto time = scenarios::parse_duration(text);
    if (!time.value || *time.value <= std::chrono::nanoseconds(0)) {
      throw CLI::ValidationError(option, "'" + text + "' is no time; write 10m, 90s or 2h");
    }
    return *time.value;
  }

  void set_memory(const std::string& text) {
    const auto size = scenarios::parse_bytes(text);
    constexpr std::uint64_t kLeast = 64 << 20;  // the program itself
    if (!size.value || *size.value < kLeast) {
      throw CLI::ValidationError("--memory",
                                 "'" + text + "' is no size of 64MiB or more; write 4GiB");
    }
    campaign_.memory = *size.value;
  }

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

  // "BC-05" stands for both of its orders, "BC" for all.
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

  std::optional<photon::MarkRarity> required_marks() const {
    using photon::MarkRarity;
    for (const MarkRarity each : {MarkRarity::common, MarkRarity::rare, MarkRarity::very_rare}) {
      if (rarest_mark_ == name_of(each)) return each;
    }
    return std::nullopt;  // the option was not given
  }

  void add_fuzz() {
    CLI::App* verb = app_.add_subcommand(
        "fuzz",
        "Run many seeds of some scenarios, or many worlds, each drawn from its seed, add up what "
        "happened, and say what that shows");
    auto* scenarios =
        verb->add_option("SCENARIO", campaign_.scenarios, "TOML files, dealt to the seeds in turn");
    auto* overrides = add_overrides(verb, campaign_.overrides);
    auto* swarm = verb->add_flag_callback(
        "--swarm", [this] { campaign_.swarm = scenarios::swarm::Options{}; },
        "Each seed is a world of its own");
    swarm->excludes(scenarios)->excludes(overrides);
    add_swarm_options(verb, swarm_.options, swarm);
    verb->add_option_function<std::string>(
        "--seeds", [this](const std::string& text) { set_seeds(text); },
        "FIRST..LAST (default: 1..100)");
    verb->add_option("-j,--jobs", campaign_.jobs, "Processes at a time (default: 1)")
        ->check(CLI::Range(1, 256));
    verb->add_option_function<std::string>(
        "--time", [this](const std::string& text) { campaign_.time = time_of("--time", text); },
        "Begin no run later than that: 10m, 90s, 2h; --shrink-time comes on top");
    verb->add_option_function<std::string>(
        "--memory", [this](const std::string& text) { set_memory(text); },
        "What each process may take (default: 4GiB); a run that needs more has failed");
    verb->add_flag("--fail-fast", campaign_.fail_fast, "Begin no run behind the first that failed");
    verb->add_option("--self-check", self_check_percent_,
                     "Do so many percent of the runs twice and compare them (default: 5; with "
                     "--profile deep, which is for nights: 100)")
        ->check(CLI::Range(0.0, 100.0));
    add_demands(verb);
    add_reports(verb);
    add_stories(verb);
    add_guided(verb);
    on_chosen(verb, [this] { return fuzz_as_asked(); });
  }

  // What the runs must have shown together.
  void add_demands(CLI::App* verb) {
    verb->add_option_function<std::vector<std::string>>(
            "--require", [this](const std::vector<std::string>& names) { require(names); },
            "Fail with 7 if this corner case never occurred: BC-02, or BC-02,BC-05")
        ->allow_extra_args(false)  // what follows is a scenario
        ->take_all()
        ->delimiter(',');
    verb->add_flag_callback(
        "--require-all", [this] { require({"BC"}); },
        "Fail with 7 if any corner case never occurred");
    verb->add_flag("--require-marks{very_rare}", rarest_mark_,
                   "Fail with 7 if a mark of the code was never reached: one that is not exempt, "
                   "or with --require-marks=common, =rare one that is not rarer than that")
        ->check(CLI::IsMember({"common", "rare", "very_rare"}));
    verb->add_option_function<std::vector<std::string>>(
            "--require-mark",
            [this](const std::vector<std::string>& names) { require_marks(names); },
            "Fail with 7 if this mark of the code was never reached: NAME, or NAME,NAME")
        ->allow_extra_args(false)
        ->take_all()
        ->delimiter(',');
    auto* gate = verb->add_flag_callback(
        "--coverage-gate", [this] { gate_ = true; },
        "Fail with 7 if something that so many worlds should show was never seen (default for "
        "--swarm without --tier, and with --tier contract)");
    verb->add_flag_callback(
            "--no-coverage-gate", [this] { gate_ = false; }, "Let it pass")
        ->excludes(gate);
  }

  // Where what comes of it goes.
  void add_reports(CLI::App* verb) {
    verb->add_option("--out", campaign_.results,
                     "Add each run to this SQLite file; runs that it has are not done again")
        ->check(not_empty);
    verb->add_option("--junit", campaign_.ci.junit, "Write the failures to this JUnit file")
        ->check(not_empty);
    verb->add_flag("--github", campaign_.ci.github, "Say the failures as GitHub annotations");
    add_json(verb, campaign_.form);
    verb->add_flag("--verbose", campaign_.verbose,
                   "Name the marks of the code that no run came by, required or not");
  }

  void add_stories(CLI::App* verb) {
    verb->add_option("--shrink", campaign_.shrunk,
                     "Make so many of the failures small (default: 3)");
    verb->add_option_function<std::string>(
        "--shrink-time",
        [this](const std::string& text) { campaign_.shrink_time = time_of("--shrink-time", text); },
        "In so much time, all of them together (default: a minute for each); with --time it is "
        "over when both are");
    verb->add_option("--stories", campaign_.stories, "The folder for them (default: out/failures)")
        ->check(not_empty);
  }

  void add_guided(CLI::App* verb) {
    CLI::Option* guided =
        verb->add_flag("--guided", guided_.on,
                       "Change worlds a little that reached something new, instead of drawing "
                       "each from its seed; as many worlds as there are seeds");
    verb->add_flag("!--no-feedback", guided_.command.feedback,
                   "With --guided: draw every world anew, to see what guidance is worth")
        ->needs(guided);
    verb->add_option("--events", guided_.command.events,
                     "With --guided: at most so many kernel events")
        ->needs(guided);
    verb->add_option("--oracle", guided_.command.oracle,
                     "With --guided --fail-fast: go on until this one finds something: J-S6")
        ->needs(guided);
  }

  int fuzz_as_asked() {
    if (!campaign_.swarm && campaign_.scenarios.empty()) {
      complain("name scenarios, or say --swarm for worlds that are drawn from their seeds");
      return kUsage;
    }
    if (guided_.on) return search_guided();
    if (campaign_.swarm) campaign_.swarm = swarm_.options;
    const bool deep = swarm_.options.profile == scenarios::swarm::Profile::deep;
    campaign_.self_check = self_check_percent_.value_or(deep ? 100 : 5) / 100;
    campaign_.required_marks = required_marks();
    // The other tiers, one by one, lack what worlds of the two together show.
    constexpr scenarios::Tier kGated = scenarios::Tier::kContract;
    campaign_.coverage_gate =
        gate_.value_or(campaign_.swarm && swarm_.options.tier.value_or(kGated) == kGated);
    campaign_.limits_excuses = campaign_.swarm && gate_.value_or(true);
    return fuzz(campaign_);
  }

  // The first option that was given and would be ignored; empty if there is none. Without the gate
  // is how a guided search runs.
  std::string not_of_a_guided_search() const {
    // Those say of the worlds that they draw whether damage was noticed, and it runs changed ones.
    const bool contract = swarm_.options.tier == scenarios::Tier::kContract;
    const std::array<std::pair<const char*, bool>, 8> options{{
        {"--tier contract", contract},
        {"--out", !campaign_.results.empty()},
        {"--self-check", self_check_percent_.has_value()},
        {"--require or --require-all", !campaign_.required.empty()},
        {"--require-marks", !rarest_mark_.empty()},
        {"--require-mark", !campaign_.named_marks.empty()},
        {"--coverage-gate", gate_.value_or(false)},
        {"--verbose", campaign_.verbose},
    }};
    const auto* const given = std::ranges::find_if(options, &std::pair<const char*, bool>::second);
    return given == options.end() ? std::string() : given->first;
  }

  int search_guided() {
    GuidedCommand& command = guided_.command;
    if (campaign_.scenarios.size() > 1) {
      complain("--guided takes one scenario, or --swarm; name one of them");
      return kUsage;
    }
    if (const std::string unfit = not_of_a_guided_search(); !unfit.empty()) {
      complain("--guided does nothing about " + unfit + "; leave it out, or leave --guided out");
      return kUsage;
    }
    if (!campaign_.scenarios.empty()) command.scenario = campaign_.scenarios.front();
    command.overrides = campaign_.overrides;
    command.swarm = swarm_.options;
    command.first = campaign_.first;
    command.last = campaign_.last;
    command.jobs = campaign_.jobs;
    command.memory = campaign_.memory;
    command.time = campaign_.time;
    command.ci = campaign_.ci;
    command.fail_fast = campaign_.fail_fast;
    command.shrunk = campaign_.shrunk;
    command.shrink_time = campaign_.shrink_time;
    command.stories = campaign_.stories;
    command.form = campaign_.form;
    return guided_search(command);
  }

  void add_judge() {
    CLI::App* verb = app_.add_subcommand("judge", "Apply the oracles to a written trace");
    verb->add_option("TRACE", judge_.trace, "File written by run --trace")->required();
    add_json(verb, judge_.form);
    on_chosen(verb, [this] { return judge(judge_); });
  }

  static photon::Duration length_of(const char* option, const std::string& text) {
    const auto parsed = scenarios::parse_duration(text);
    if (!parsed.value) {
      throw CLI::ValidationError(option, parsed.problem + "; " + parsed.hint);
    }
    return *parsed.value;
  }

  void set_window(const std::string& text) {
    trace_.window = length_of("--window", text);
    if (*trace_.window == photon::Duration::zero()) {
      throw CLI::ValidationError("--window", "nothing happens in no time; 5s is usual");
    }
  }

  void set_event(const std::string& text) {
    const auto event = trace_views::parse_event_id(text);
    if (!event || event->is_null()) {
      throw CLI::ValidationError("--event", "'" + text +
                                                "' is no event id; they look like "
                                                "23:1048577@1600000139.173665459s");
    }
    trace_.event = *event;
  }

  void add_trace() {
    CLI::App* verb =
        app_.add_subcommand("trace", "Draw what happened around a violation, a time, or an event");
    verb->add_option("INPUT", trace_.input,
                     "File written by run --trace, or a scenario (.toml), which is run and judged")
        ->required();
    add_overrides(verb, trace_.overrides);
    verb->add_option_function<std::string>(
        "--seed", [this](const std::string& text) { trace_.seed = seed_of("--seed", text); },
        "Seed of the run (default: the scenario's)");
    CLI::Option* around = verb->add_option_function<std::string>(
        "--around",
        [this](const std::string& text) { trace_.around = length_of("--around", text); },
        "Time of the run in the middle: 83.5s");
    verb->add_option("--violation", trace_.violation,
                     "Number of the violation, as judge lists them (default: 1)")
        ->check(CLI::PositiveNumber)
        ->excludes(around);
    verb->add_option_function<std::string>(
        "--window", [this](const std::string& text) { set_window(text); },
        "How much to show (default: 5s; four fifths of it before a violation)");
    verb->add_option("--process", trace_.processes,
                     "Only these processes, and who talks with them: us-east1, */joiner, ...")
        ->check(not_empty);
    verb->add_option_function<std::string>(
        "--event", [this](const std::string& text) { set_event(text); },
        "Only what is about this event id; without --around and --violation: all about it");
    verb->add_option("--html", trace_.html, "Write a space-time diagram: one page, no network")
        ->check(not_empty);
    verb->add_option("--perfetto", trace_.perfetto, "Write a Perfetto trace (protobuf)")
        ->check(not_empty);
    on_chosen(verb, [this] { return draw(); });
  }

  int draw() {
    const auto refuse = [](const char* why) {
      complain(why);
      return static_cast<int>(kUsage);
    };
    if (trace_.html.empty() && trace_.perfetto.empty()) {
      return refuse("name a file to write: --html FILE, --perfetto FILE, or both");
    }
    const bool all_of_event = !trace_.event.is_null() && !trace_.around && !trace_.violation;
    if (all_of_event && trace_.window) {
      return refuse("--event alone shows all about it; --window goes with --around or --violation");
    }
    return trace(trace_);
  }

  void add_check() {
    CLI::App* verb =
        app_.add_subcommand("check", "Check a scenario and print it with every key resolved");
    verb->add_option("SCENARIO", check_.scenario, "TOML file")->required();
    add_overrides(verb, check_.overrides);
    on_chosen(verb, [this] { return check(check_); });
  }

  void add_explain() {
    CLI::App* verb =
        app_.add_subcommand("explain", "Explain a key of the scenario language, or list all keys");
    CLI::Option* const key = verb->add_option("KEY", key_, "For example registry.lease");
    verb->add_flag("--marks", lists_marks_,
                   "List the marks of the code instead: name, rarity, place")
        ->excludes(key);
    on_chosen(verb, [this] { return lists_marks_ ? explain_marks() : explain(key_); });
  }

  void add_export() {
    CLI::App* verb = app_.add_subcommand("export", "Write a results file's figures as CSV");
    verb->add_option("RESULTS", export_.results, kResultsFile)->required();
    verb->add_option("CSV", export_.csv, "File to write")->required();
    verb->add_flag_callback(
        "--campaigns", [this] { export_.what = ExportCommand::What::campaigns; },
        "Of its campaigns instead, one line for each run");
    on_chosen(verb, [this] { return export_results(export_); });
  }

  void add_db() {
    CLI::App* db = app_.add_subcommand("db", "About results files");
    db->require_subcommand(1);
    CLI::App* verb = db->add_subcommand(
        "verify", "Prove a results file whole, or say what in it is not as it was saved");
    verb->add_option("RESULTS", db_verify_.results, kResultsFile)->required();
    on_chosen(verb, [this] { return db_verify(db_verify_); });
  }

  CLI::App app_;
  RunCommand run_;
  CampaignCommand campaign_;
  struct {
    bool on = false;
    GuidedCommand command{};
  } guided_;
  SwarmCommand swarm_;
  ReproCommand repro_;
  bool repro_world_ = false;
  std::optional<double> self_check_percent_{};
  std::optional<bool> gate_{};
  JudgeCommand judge_;
  TraceCommand trace_;
  CheckCommand check_;
  ExportCommand export_;
  DbVerifyCommand db_verify_;
  std::string key_;
  bool lists_marks_ = false;
  std::string rarest_mark_;
  std::function<int()> action_;
};

}  // namespace
}  // namespace photonsim::cli

int main(int argc, char** argv) {
  // A closed pipe and a file-size limit are errors of a write, which say so and end with 8.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  photonsim::cli::keep_standard_streams();
  try {  // nothing below throws on purpose; this is the last line of defence
    return photonsim::cli::Program().execute(argc, argv);
  } catch (const std::exception& error) {
    photonsim::cli::complain(std::string("internal error: ") + error.what());
    return photonsim::cli::kInternal;
  }
}
