#include "cli/options/values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/commands/output.h"
#include "scenarios/config/units.h"

namespace photonsim::cli {
namespace {

constexpr std::array<std::string_view, 2> kProfiles{"fast", "deep"};

// The value whose name stands at its place among `names`.
template <class Enum, std::size_t kCount>
Enum one_of(const char* option, std::string_view what, const std::string& text,
            const std::array<std::string_view, kCount>& names) {
  const auto found = std::ranges::find(names, text);
  if (found != names.end()) return static_cast<Enum>(found - names.begin());
  throw CLI::ValidationError(
      option, fmt::format("'{}' is no {}; one of {}", text, what, fmt::join(names, ", ")));
}

}  // namespace

std::uint64_t seed_of(const char* option, const std::string& text) {
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

campaigns::Share share_of(const std::string& text) {
  campaigns::Share share;
  const std::size_t slash = std::min(text.find('/'), text.size());
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), text.data() + slash, share.number);
  const auto last = std::from_chars(text.data() + std::min(slash + 1, text.size()), end, share.of);
  constexpr std::uint64_t kMostShares = 100'000;
  const bool whole = first.ec == std::errc{} && first.ptr == text.data() + slash &&
                     last.ec == std::errc{} && last.ptr == end;
  if (!whole || share.number < 1 || share.number > share.of || share.of > kMostShares) {
    throw CLI::ValidationError(
        "--shard", "'" + text + "' is no share; the second of eight is 2/8, the last one 8/8");
  }
  return share;
}

photon::Duration length_of(const char* option, const std::string& text) {
  const auto parsed = scenarios::parse_duration(text);
  if (!parsed.value) {
    throw CLI::ValidationError(option, parsed.problem + "; " + parsed.hint);
  }
  return *parsed.value;
}

std::chrono::nanoseconds time_of(const char* option, const std::string& text) {
  const auto time = scenarios::parse_duration(text);
  if (!time.value || *time.value <= std::chrono::nanoseconds(0)) {
    throw CLI::ValidationError(option, "'" + text + "' is no time; write 10m, 90s or 2h");
  }
  return *time.value;
}

std::uint64_t memory_of(const char* option, const std::string& text) {
  const auto size = scenarios::parse_bytes(text);
  constexpr std::uint64_t kLeast = 64 << 20;  // the program itself
  if (!size.value) {
    throw CLI::ValidationError(option, "'" + text + "' is no size; write 4GiB");
  }
  if (*size.value < kLeast) {
    throw CLI::ValidationError(option, "'" + text + "' is too small; the minimum is 64MiB");
  }
  return *size.value;
}

std::string not_empty(const std::string& file) {
  return file.empty() ? "the name of the file is empty; name one or leave the option out"
                      : std::string();
}

void add_expected(CLI::App* verb, std::vector<std::string>& expected) {
  verb->add_option("--expect", expected,
                   "Exit with 1 unless this holds: \"latency.total.p99 < 8s\"; repeatable")
      ->type_name("GATE")
      ->allow_extra_args(false);
}

CLI::Option* add_overrides(CLI::App* verb, std::vector<std::string>& overrides) {
  return verb->add_option("--set", overrides, "Set one key of the scenario; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false)
      ->take_all();
}

void add_memory(CLI::App* verb, std::optional<std::uint64_t>& memory) {
  verb->add_option_function<std::string>(
          "--memory", [&memory](const std::string& text) { memory = memory_of("--memory", text); },
          "Exit with 8 if the run needs more memory than this, such as 4GiB (default: no limit)")
      ->type_name("SIZE");
}

void add_workers(CLI::App* verb, unsigned& workers) {
  verb->add_option("--workers", workers,
                   "Threads of the run: with 2 the oracles run on a second one, but not with "
                   "--trace; values above 2 have no further effect; results are the same "
                   "(default: 1)")
      ->type_name("N")
      ->check(CLI::Range(1, 256));
}

void add_json(CLI::App* verb, OutputForm& form) {
  verb->add_flag_callback(
      "--json", [&form] { form = OutputForm::json; }, "Print JSON instead of text");
}

void add_swarm_options(CLI::App* verb, scenarios::swarm::Options& options, CLI::Option* needed) {
  using scenarios::swarm::Profile;
  const std::string with = needed == nullptr ? std::string() : "With " + needed->get_name() + ": ";
  auto* profile = verb->add_option_function<std::string>(
      "--profile",
      [&options](const std::string& text) {
        options.profile = one_of<Profile>("--profile", "profile", text, kProfiles);
      },
      with + "Size of the configurations, fast or deep (default: fast)");
  auto* tier = verb->add_option_function<std::string>(
      "--tier",
      [&options](const std::string& text) {
        options.tier = one_of<scenarios::Tier>("--tier", "tier", text, scenarios::kTierNames);
      },
      fmt::format("{}Generate this tier only, {} (default: all)", with,
                  fmt::join(scenarios::kTierNames, ", ")));
  auto* events = verb->add_option("--most-events", options.most_events,
                                  with +
                                      "Fail a run that exceeds this number of kernel events "
                                      "(default: computed, far more than any run needs)");
  profile->type_name("PROFILE");
  tier->type_name("TIER");
  events->type_name("N");
  if (needed == nullptr) return;
  profile->needs(needed);
  tier->needs(needed);
  events->needs(needed);
}

bool takes_only_seeds(std::size_t scenarios, const std::vector<std::string>& overrides) {
  if (scenarios == 0 && overrides.empty()) return true;
  complain(fmt::format("--swarm generates the configurations: give no {}",
                       scenarios == 0 ? "--set" : "scenario file"));
  return false;
}

}  // namespace photonsim::cli
