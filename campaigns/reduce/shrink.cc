#include "campaigns/reduce/shrink.h"

#include <charconv>
#include <cstdint>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "scenarios/language/loader.h"
#include "campaigns/reduce/pieces.h"

namespace photonsim::scenarios::shrink {
namespace {

constexpr std::string_view kCutShort = "# Cut short: it was made in ";

class Shrinking {
 public:
  Shrinking(Config config, const FailureKind& kind, const std::function<bool()>& enough)
      : kind_(kind), enough_([this, &enough] { return cut_short_ = cut_short_ || enough(); }) {
    result_.config = std::move(config);
    tried_.insert(config_hash(result_.config));
  }

  Shrunk carry_out() {
    bool smaller = true;
    while (smaller && !enough_()) {
      smaller = drop_elements();
      smaller = make_smaller() || smaller;
      smaller = drop_settings() || smaller;
    }
    result_.exhausted = !cut_short_;
    return result_;
  }

 private:
  // Takes it if it fails in the same way. What was tried before did not, or has been made smaller
  // since.
  bool take(const Config& candidate) {
    const LoadResult loaded = load_text(to_toml(candidate), candidate.scenario.name);
    if (!loaded || !tried_.insert(config_hash(loaded.config())).second) return false;
    ++result_.runs;
    const auto ran = run_scenario({&loaded.config(), loaded.config().run.seed, nullptr, nullptr});
    if (!ran || !shows(ran.assume_value(), kind_)) return false;
    result_.config = loaded.config();
    return true;
  }

  bool drop_elements() {
    const Config whole = result_.config;
    const std::size_t before = events_of(whole);
    ddmin(
        Kept(before, true), [&](const Kept& kept) { return take(with_events(whole, kept)); },
        enough_);
    return events_of(result_.config) < before;
  }

  bool drop_settings() {
    const Config whole = result_.config;
    const Settings settings(whole);
    ddmin(
        settings.all(), [&](const Kept& kept) { return take(settings.with(whole, kept)); },
        enough_);
    return Settings(result_.config).size() < settings.size();
  }

  // Each step that succeeds changes what the next ones may be.
  bool make_smaller() {
    bool any = false;
    for (bool smaller = true; smaller && !enough_();) {
      smaller = false;
      for (const Config& each : smaller_ones(result_.config)) {
        if (enough_()) break;
        if (!take(each)) continue;
        smaller = any = true;
        break;
      }
    }
    return any;
  }

  const FailureKind& kind_;
  bool cut_short_ = false;  // it was enough once: what was not tried then is never tried
  const std::function<bool()> enough_;
  Shrunk result_;
  std::set<std::uint64_t> tried_;  // hashes of all that was run
};

// What TOML lets stand in a comment: each further line is one of its own, and no control character.
std::string comment(std::string_view text) {
  std::string lines;
  for (const char each : text) {
    const bool control = (static_cast<unsigned char>(each) < 0x20 && each != '\t') || each == 0x7f;
    lines += each == '\n' ? std::string("\n#   ") : std::string(1, control ? '?' : each);
  }
  return lines;
}

}  // namespace

Shrunk shrink(const Config& config, const FailureKind& kind, const std::function<bool()>& enough) {
  return Shrinking(config, kind, enough).carry_out();
}

std::string story(const Config& config, const StoryHead& head) {
  std::string text =
      fmt::format("# Fails: {}\n# Shown by: {}\n", comment(head.fails), comment(head.command));
  if (!head.origin.empty()) text += origin_line(head.origin) + "\n";
  if (head.cut_short) text += cut_short_line(*head.cut_short) + "\n";
  return text + "\n" + to_lasting_toml(config);
}

std::string origin_line(std::string_view origin) { return "# Made from: " + comment(origin); }

std::string cut_short_line(std::chrono::nanoseconds had) {
  return fmt::format("{}{:.3f} s; with more time it may become smaller", kCutShort,
                     std::chrono::duration<double>(had).count());
}

std::optional<std::chrono::nanoseconds> cut_short_in(std::string_view line) {
  if (!line.starts_with(kCutShort)) return std::nullopt;
  double had = 0;
  const char* const end = line.data() + line.size();
  const auto read = std::from_chars(line.data() + kCutShort.size(), end, had);
  if (read.ec != std::errc{} || !(had >= 0 && had < 1e9)) return std::nullopt;
  return std::chrono::round<std::chrono::nanoseconds>(std::chrono::duration<double>(had));
}

}  // namespace photonsim::scenarios::shrink
